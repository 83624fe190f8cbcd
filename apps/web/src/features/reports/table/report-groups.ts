import { compareSizes, naturalOrder, type ReportItem } from "@stocktake/contract";
import { groupBy } from "../../../ui/group-by.ts";
import { messages } from "../messages.ts";

/** The rows of one product. `totalImpact` is null where no row's cost is known, or none can be shown exactly. */
export interface ReportGroup {
  readonly title: string;
  readonly image: string | null;
  readonly items: readonly ReportItem[];
  readonly sizes: number;
  readonly totalVariance: number;
  readonly totalImpact: number | null;
}

/** One line of the table as it is drawn: a product's heading or one of its rows. */
export type ReportLine =
  | { readonly kind: "group"; readonly key: string; readonly group: ReportGroup }
  | { readonly kind: "item"; readonly key: string; readonly item: ReportItem };

function titleOf(item: ReportItem): string {
  return item.productTitle.trim() === "" ? messages.unknownProduct : item.productTitle;
}

const centsOf = (amount: number) => BigInt(Math.round(amount * 100));

/** Null where a number does not hold the amount exactly. */
function moneyOf(cents: bigint): number | null {
  const held = Number(cents);
  return Number.isSafeInteger(held) ? held / 100 : null;
}

/** Sums money in whole cents, so that a column of cents adds up to the cent. Null where the sum passes what a number holds exactly. */
function sumOfMoney(amounts: readonly number[]): number | null {
  return moneyOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0n));
}

/** The same of units, each at a cost. */
export function costOfAll(
  costs: readonly { readonly units: number; readonly unitCost: number }[],
): number | null {
  return moneyOf(costs.reduce((sum, { units, unitCost }) => sum + BigInt(units) * centsOf(unitCost), 0n));
}

function groupOf(
  title: string,
  items: ReportItem[],
  compareSkus: (a: string, b: string) => number,
): ReportGroup {
  const sorted = items.toSorted(
    (left, right) => compareSizes(left.size, right.size) || compareSkus(left.sku, right.sku),
  );
  const known = sorted.flatMap((item) => (item.costImpact === null ? [] : [item.costImpact]));
  return {
    title,
    image: sorted.find((item) => item.image !== null)?.image ?? null,
    items: sorted,
    sizes: new Set(sorted.map((item) => item.size?.trim().toUpperCase() ?? "")).size,
    totalVariance: sorted.reduce((sum, item) => sum + item.variance, 0),
    totalImpact: known.length === 0 ? null : sumOfMoney(known),
  };
}

/** Groups by product title, groups in alphabetical order; within a group by size, then by SKU (specification, section 2). */
export function groupReport(items: readonly ReportItem[]): ReportGroup[] {
  const compare = naturalOrder();
  return Array.from(groupBy(items, titleOf), ([title, members]) => groupOf(title, members, compare)).sort(
    (left, right) => left.title.localeCompare(right.title),
  );
}

/** The groups as one list of lines, for a table that renders only the visible rows. */
export function linesOf(groups: readonly ReportGroup[]): ReportLine[] {
  return groups.flatMap((group): ReportLine[] => [
    { kind: "group", key: `group:${group.title}`, group },
    ...group.items.map((item): ReportLine => ({ kind: "item", key: `item:${item.sku}`, item })),
  ]);
}
