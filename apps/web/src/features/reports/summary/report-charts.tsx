import { SimpleGrid } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { memo, useMemo } from "react";
import { BarFigure } from "../../../ui/figures/bar-figure.tsx";
import type { SignedRow } from "../../../ui/figures/signed-bars.tsx";
import { partsText, signedMoneyText, signedText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { varianceByArea } from "./places.ts";

const impactsShown = 10;

/** The SKUs that cost or bring most. */
export function largestImpacts(items: readonly ReportItem[]): SignedRow[] {
  return items
    .flatMap((item) =>
      item.costImpact === null || item.costImpact === 0 ? [] : [{ item, cost: item.costImpact }],
    )
    .sort((left, right) => Math.abs(right.cost) - Math.abs(left.cost))
    .slice(0, impactsShown)
    .map(({ item, cost }) => ({
      key: item.sku,
      label: partsText(item.productTitle.trim() || item.sku, item.size),
      above: Math.max(0, cost),
      below: Math.min(0, cost),
    }));
}

interface ReportChartsProps {
  readonly report: Report;
  /** Shows the rows behind a bar: of a place, or of one SKU. */
  readonly onPlace: (place: string) => void;
  readonly onSku: (sku: string) => void;
}

/** Where the variance lies, and what costs most; each bar leads to its rows. Drawn anew only with another report. */
export const ReportCharts = memo(function ReportCharts({ report, onPlace, onSku }: ReportChartsProps) {
  const areas = useMemo(() => varianceByArea(report.items), [report.items]);
  const impacts = useMemo(() => largestImpacts(report.items), [report.items]);
  const { currency } = report.summary;
  if (areas.length === 0) return null;
  return (
    <Section title={messages.charts.heading}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <BarFigure
          title={messages.charts.byArea}
          rows={areas}
          valueText={signedText}
          hint={messages.charts.hint}
          onChoose={onPlace}
        />
        {impacts.length === 0 ? null : (
          <BarFigure
            title={messages.charts.impacts(currency)}
            rows={impacts}
            valueText={(value) => signedMoneyText(value, currency)}
            hint={messages.charts.hint}
            onChoose={onSku}
          />
        )}
      </SimpleGrid>
    </Section>
  );
});
