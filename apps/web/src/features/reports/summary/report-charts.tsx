import { Button, Group, SimpleGrid, Text } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { memo, useMemo } from "react";
import { BarFigure, type SignedRow } from "../../../ui/figures/bar-figure.tsx";
import { signedMoneyText } from "../../../ui/figures/money-text.ts";
import { countText, partsText, signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { FoldingSection } from "../folding/folding-section.tsx";
import { anchors } from "../lead-to.ts";
import { messages } from "../messages.ts";
import { isNotCounted, type ReportFilter } from "../table/report-filter.ts";
import { CountedAreas } from "./counted-areas.tsx";
import { useCountedAreasNumber } from "./counted-areas-query.ts";
import { varianceByArea } from "./places.ts";
import { figuresText, neverCountedShare, type ReportShare } from "./report-shares.ts";

const impactsShown = 10;

/** The counted SKUs that cost or bring most. */
export function largestImpacts(items: readonly ReportItem[]): SignedRow[] {
  return largest(items).map(({ item, cost }) => ({
    key: item.sku,
    label: partsText(item.productTitle.trim() || item.sku, item.size),
    above: Math.max(0, cost),
    below: Math.min(0, cost),
  }));
}

/** Without putting all in order, which may be 100,000. */
function largest(items: readonly ReportItem[]) {
  const found: { readonly item: ReportItem; readonly cost: number }[] = [];
  for (const item of items) {
    const cost = item.costImpact;
    if (cost === null || cost === 0 || isNotCounted(item)) continue;
    const size = Math.abs(cost);
    const last = found[impactsShown - 1];
    if (last !== undefined && Math.abs(last.cost) >= size) continue;
    const place = found.findIndex((other) => Math.abs(other.cost) < size);
    found.splice(place < 0 ? found.length : place, 0, { item, cost });
    found.length = Math.min(found.length, impactsShown);
  }
  return found;
}

interface ReportChartsProps {
  readonly report: Report;
  /** Shows the rows behind a bar: of a place, or of one SKU. */
  readonly onPlace: (place: string) => void;
  readonly onSku: (sku: string) => void;
  readonly onFilter: (filter: ReportFilter) => void;
}

interface NeverCountedProps extends Pick<ReportChartsProps, "onFilter"> {
  readonly share: ReportShare;
  readonly currency: string;
  /** There are no bars beside it. */
  readonly isAll: boolean;
}

/** What the bars leave out, in figures: beside what nobody counted they would be too short to be seen. */
function NeverCounted({ share, currency, isAll, onFilter }: NeverCountedProps) {
  const figures = figuresText(share, (value) => signedMoneyText(value, currency));
  const text = isAll ? messages.charts.onlyNeverCounted : messages.charts.neverCounted;
  return (
    <Group gap="xs" mb="xs" className="screen-only">
      <Text fz="sm">{text(skusText(share), figures)}</Text>
      <Button variant="default" size="sm" onClick={() => onFilter("not_counted")}>
        {messages.charts.showNeverCounted}
      </Button>
    </Group>
  );
}

function skusText({ items }: ReportShare): string {
  return countText(items, "SKU", "SKUs");
}

/** Where the variance lies, and what costs most; each bar leads to its rows. Drawn anew only with another report. */
export const ReportCharts = memo(function ReportCharts(props: ReportChartsProps) {
  const { report, onPlace, onSku, onFilter } = props;
  const areas = useMemo(() => varianceByArea(report.items), [report.items]);
  const impacts = useMemo(() => largestImpacts(report.items), [report.items]);
  const share = useMemo(() => neverCountedShare(report), [report]);
  const counted = useCountedAreasNumber(report.session._id);
  const { currency } = report.summary;
  const isAll = areas.length === 0;
  if (isAll && share.items === 0) return null;
  const { heading, places, nowhere, hint, byArea, impacts: impactsTitle } = messages.charts;
  const neverCounted =
    share.items === 0 ? null : (
      <NeverCounted share={share} currency={currency} isAll={isAll} onFilter={onFilter} />
    );
  const count = isAll ? nowhere(skusText(share)) : counted === null ? "" : places(counted);
  return (
    <FoldingSection title={heading} anchor={anchors.areas} count={count}>
      {isAll || impacts.length === 0 ? neverCounted : null}
      {isAll ? null : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <BarFigure title={byArea} rows={areas} valueText={signedText} hint={hint} onChoose={onPlace} />
          {impacts.length === 0 ? null : (
            <BarFigure
              title={impactsTitle(currency)}
              rows={impacts}
              valueText={(value) => signedMoneyText(value, currency)}
              hint={hint}
              note={neverCounted}
              onChoose={onSku}
            />
          )}
        </SimpleGrid>
      )}
      <CountedAreas report={report} onPlace={onPlace} />
    </FoldingSection>
  );
});
