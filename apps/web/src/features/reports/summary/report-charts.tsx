import { SimpleGrid } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { useMemo } from "react";
import { BarFigure } from "../../../ui/figures/bar-figure.tsx";
import type { SignedRow } from "../../../ui/figures/signed-bars.tsx";
import { signedMoneyText, signedText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";

const areasShown = 12;
const impactsShown = 10;

/**
 * An area's stock is not known to Shopify, so a SKU's whole variance is shown for the area it was found in: with "Several
 * areas" where there are more, with "Not found" where there is none. So the bars add up to the report's variance.
 */
function placeOf({ areas }: ReportItem): string {
  const [first] = areas;
  if (first === undefined) return messages.charts.notFound;
  return areas.length === 1 ? first : messages.charts.severalAreas;
}

function add(row: SignedRow | undefined, label: string, variance: number): SignedRow {
  const { above, below } = row ?? { above: 0, below: 0 };
  return { key: label, label, above: above + Math.max(0, variance), below: below + Math.min(0, variance) };
}

/** Units above and below what was expected, by where they were found; the largest first, the rest as one row. */
export function varianceByArea(items: readonly ReportItem[]): SignedRow[] {
  const rows = new Map<string, SignedRow>();
  for (const item of items) {
    if (item.variance === 0) continue;
    const place = placeOf(item);
    rows.set(place, add(rows.get(place), place, item.variance));
  }
  const sorted = [...rows.values()].sort(
    (left, right) => right.above - right.below - (left.above - left.below),
  );
  const rest = sorted.slice(areasShown);
  if (rest.length <= 1) return sorted;
  const total = (sideOf: (row: SignedRow) => number) => rest.reduce((sum, row) => sum + sideOf(row), 0);
  const label = messages.charts.otherAreas;
  const other = { key: label, label, above: total((row) => row.above), below: total((row) => row.below) };
  return [...sorted.slice(0, areasShown), other];
}

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
      label: [item.productTitle.trim() || item.sku, item.size].filter(Boolean).join(" · "),
      above: Math.max(0, cost),
      below: Math.min(0, cost),
    }));
}

/** Where the variance lies, and what costs most. */
export function ReportCharts({ report }: { report: Report }) {
  const areas = useMemo(() => varianceByArea(report.items), [report.items]);
  const impacts = useMemo(() => largestImpacts(report.items), [report.items]);
  const { currency } = report.summary;
  if (areas.length === 0) return null;
  return (
    <Section title={messages.charts.heading}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <BarFigure title={messages.charts.byArea} rows={areas} valueText={signedText} />
        {impacts.length === 0 ? null : (
          <BarFigure
            title={messages.charts.impacts(currency)}
            rows={impacts}
            valueText={(value) => signedMoneyText(value, currency)}
          />
        )}
      </SimpleGrid>
    </Section>
  );
}
