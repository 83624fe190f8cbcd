import { SimpleGrid } from "@mantine/core";
import { useMemo } from "react";
import { BarFigure } from "../../ui/bar-figure.tsx";
import { signedMoneyText, signedText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import type { Report } from "./api.ts";
import { largestImpacts, varianceByArea } from "./chart-rows.ts";
import { chartTexts } from "./texts.ts";

/** Where the variance lies, and what costs most. */
export function ReportCharts({ report }: { report: Report }) {
  const areas = useMemo(() => varianceByArea(report.items), [report.items]);
  const impacts = useMemo(() => largestImpacts(report.items), [report.items]);
  const { currency } = report.summary;
  if (areas.length === 0) return null;
  return (
    <Section title={chartTexts.heading}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <BarFigure title={chartTexts.byArea} rows={areas} valueText={signedText} />
        {impacts.length === 0 ? null : (
          <BarFigure
            title={chartTexts.impacts(currency)}
            rows={impacts}
            valueText={(value) => signedMoneyText(value, currency)}
          />
        )}
      </SimpleGrid>
    </Section>
  );
}
