import type { ReportItem } from "@stocktake/contract";
import type { SignedRow } from "../../../ui/figures/bar-figure.tsx";
import { messages } from "../messages.ts";
import { isNotCounted } from "../table/report-filter.ts";

const areasShown = 12;

/** As an address has it; areas have a mark, since one of them may be named as any of these. */
const placeKeys = { none: "none", several: "several", others: "others" } as const;
const areaMark = "area:";
const foundInMark = "in:";

/** The place of all that was found in an area, elsewhere as well or not: no bar, as it would be in several. */
export function foundIn(area: string): string {
  return foundInMark + area;
}

/**
 * An area's stock is not known to Shopify, so a SKU's whole variance is shown for the area it was found in: with "Several
 * areas" where there are more, with "Not found" where there is none. So the bars add up to what was counted wrong.
 */
function placeOf({ areas }: ReportItem): string {
  const [first] = areas;
  if (first === undefined) return placeKeys.none;
  return areas.length === 1 ? areaMark + first : placeKeys.several;
}

/** What a place is called on the page. */
export function placeText(place: string): string {
  if (place === placeKeys.none) return messages.charts.notFound;
  if (place === placeKeys.several) return messages.charts.severalAreas;
  if (place === placeKeys.others) return messages.charts.otherAreas;
  return place.slice(place.startsWith(foundInMark) ? foundInMark.length : areaMark.length);
}

function add(row: SignedRow | undefined, place: string, variance: number): SignedRow {
  const { above, below } = row ?? { above: 0, below: 0 };
  return {
    key: place,
    label: placeText(place),
    above: above + Math.max(0, variance),
    below: below + Math.min(0, variance),
  };
}

function sortedPlaces(items: readonly ReportItem[]): SignedRow[] {
  const rows = new Map<string, SignedRow>();
  for (const item of items) {
    if (item.variance === 0) continue;
    const place = placeOf(item);
    rows.set(place, add(rows.get(place), place, item.variance));
  }
  return [...rows.values()].sort((left, right) => right.above - right.below - (left.above - left.below));
}

/**
 * Units above and below what was expected, by where they were found; the largest first, the rest as one row. What nobody
 * counted is left out: in a count of a whole store it may be a hundred times the rest, which no bar would show then.
 */
export function varianceByArea(items: readonly ReportItem[]): SignedRow[] {
  const sorted = sortedPlaces(items.filter((item) => !isNotCounted(item)));
  const rest = sorted.slice(areasShown);
  if (rest.length <= 1) return sorted;
  const total = (sideOf: (row: SignedRow) => number) => rest.reduce((sum, row) => sum + sideOf(row), 0);
  const other = {
    key: placeKeys.others,
    label: placeText(placeKeys.others),
    above: total(({ above }) => above),
    below: total(({ below }) => below),
  };
  return [...sorted.slice(0, areasShown), other];
}

/** Whether a row is part of the bar of a place, or was found in an area; every row is where none is chosen. */
export function atPlace(items: readonly ReportItem[], place: string | null): (item: ReportItem) => boolean {
  if (place === null) return () => true;
  if (place.startsWith(foundInMark)) return ({ areas }) => areas.includes(place.slice(foundInMark.length));
  if (place !== placeKeys.others) return (item) => placeOf(item) === place && !isNotCounted(item);
  const shown = new Set(varianceByArea(items).map(({ key }) => key));
  return (item) => !(shown.has(placeOf(item)) || isNotCounted(item));
}
