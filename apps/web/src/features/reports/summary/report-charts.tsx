import { Button, Group, SimpleGrid, Text } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { memo, useMemo } from "react";
import { BarFigure, type SignedRow } from "../../../ui/figures/bar-figure.tsx";
import { countText, partsText, signedMoneyText, signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { FoldingSection } from "../folding/folding-section.tsx";
import { messages } from "../messages.ts";
import { anchors } from "../report-notices.tsx";
import { isNotCounted, type ReportFilter } from "../table/report-filter.ts";
import { varianceByArea } from "./places.ts";
import { figuresText, neverCountedShare } from "./report-shares.ts";

const impactsShown = 10;

/** The counted SKUs that cost or bring most. */
export function largestImpacts(items: readonly ReportItem[]): SignedRow[] {
  return items
    .flatMap((item) => {
      const cost = item.costImpact;
      return cost === null || cost === 0 || isNotCounted(item) ? [] : [{ item, cost }];
    })
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
  readonly onFilter: (filter: ReportFilter) => void;
}

/** What the bars leave out, in figures: beside what nobody counted they would be too short to be seen. */
function NeverCounted({ report, onFilter }: Pick<ReportChartsProps, "report" | "onFilter">) {
  const share = useMemo(() => neverCountedShare(report), [report]);
  if (share.items === 0) return null;
  const { currency } = report.summary;
  const figures = figuresText(share, (value) => signedMoneyText(value, currency));
  return (
    <Group gap="xs">
      <Text fz="sm">{messages.charts.neverCounted(countText(share.items, "SKU", "SKUs"), figures)}</Text>
      <Button variant="default" size="sm" onClick={() => onFilter("not_counted")}>
        {messages.charts.showNeverCounted}
      </Button>
    </Group>
  );
}

/** Where the variance lies, and what costs most; each bar leads to its rows. Drawn anew only with another report. */
export const ReportCharts = memo(function ReportCharts(props: ReportChartsProps) {
  const { report, onPlace, onSku, onFilter } = props;
  const areas = useMemo(() => varianceByArea(report.items), [report.items]);
  const impacts = useMemo(() => largestImpacts(report.items), [report.items]);
  const { currency } = report.summary;
  if (areas.length === 0) return null;
  const { heading, places, hint, byArea, impacts: impactsTitle } = messages.charts;
  return (
    <FoldingSection title={heading} anchor={anchors.areas} count={places(areas.length)}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <BarFigure title={byArea} rows={areas} valueText={signedText} hint={hint} onChoose={onPlace} />
        {impacts.length === 0 ? null : (
          <BarFigure
            title={impactsTitle(currency)}
            rows={impacts}
            valueText={(value) => signedMoneyText(value, currency)}
            hint={hint}
            onChoose={onSku}
          />
        )}
      </SimpleGrid>
      <NeverCounted report={report} onFilter={onFilter} />
    </FoldingSection>
  );
});
