import { groupBy, listedTitle, productOrder, type ReportItem } from "@stocktake/contract";

/** The rows of one product that are shown, in their order. */
export interface ReportGroup {
  readonly title: string;
  readonly items: readonly ReportItem[];
}

/** What a product's heading says of its rows. */
interface GroupTotals {
  readonly image: string | null;
  readonly sizes: number;
  readonly totalVariance: number;
  /** Null where no row's cost is known, or none can be shown exactly. */
  readonly totalImpact: number | null;
  /** Rows with a variance whose impact is not known: they are not in `totalImpact`. */
  readonly withoutCost: number;
}

/** One line of the table as it is drawn: a product's heading or one of its rows. */
export type ReportLine =
  | { readonly kind: "group"; readonly group: ReportGroup }
  | { readonly kind: "item"; readonly item: ReportItem };

/** The product that a row is listed under. */
export function titleOf(item: ReportItem): string {
  return listedTitle(item.productTitle);
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

interface UnitsAtCost {
  readonly units: number;
  readonly unitCost: number;
}

/** The same of units, each at a cost. */
export function costOfAll(costs: readonly UnitsAtCost[]): number | null {
  // A plain number as long as it holds all of it: big ones take ten times as long.
  let sum = 0;
  for (const { units, unitCost } of costs) {
    const cents = units * Math.round(unitCost * 100);
    sum += cents;
    if (!Number.isSafeInteger(cents) || !Number.isSafeInteger(sum)) return costOfMuch(costs);
  }
  return sum / 100;
}

function costOfMuch(costs: readonly UnitsAtCost[]): number | null {
  return moneyOf(costs.reduce((sum, { units, unitCost }) => sum + BigInt(units) * centsOf(unitCost), 0n));
}

/** Worked out for the headings that are drawn: a report may have thousands. */
export function totalsOf({ items }: ReportGroup): GroupTotals {
  const known = items.flatMap((item) => (item.costImpact === null ? [] : [item.costImpact]));
  return {
    image: items.find((item) => item.image !== null)?.image ?? null,
    sizes: new Set(items.map((item) => item.size?.trim().toUpperCase() ?? "")).size,
    totalVariance: items.reduce((sum, item) => sum + item.variance, 0),
    totalImpact: known.length === 0 ? null : sumOfMoney(known),
    withoutCost: items.filter((item) => item.costImpact === null && item.variance !== 0).length,
  };
}

/** Rows in the order of products. Each title is placed once, however many rows it has. */
export function inReportOrder(items: readonly ReportItem[]): ReportItem[] {
  const { titles, withinProduct } = productOrder();
  return [...groupBy(items, titleOf)]
    .sort(([left], [right]) => titles(left, right))
    .flatMap(([, members]) => members.sort(withinProduct));
}

/** Groups rows that are in the report's order by their product. */
export function groupInOrder(items: readonly ReportItem[]): ReportGroup[] {
  const groups: { title: string; items: ReportItem[] }[] = [];
  for (const item of items) {
    const title = titleOf(item);
    const last = groups.at(-1);
    if (last?.title === title) last.items.push(item);
    else groups.push({ title, items: [item] });
  }
  return groups;
}

/** The groups as one list of lines, for a table that renders only the visible rows. */
export function linesOf(groups: readonly ReportGroup[]): ReportLine[] {
  return groups.flatMap((group): ReportLine[] => [
    { kind: "group", group },
    ...group.items.map((item): ReportLine => ({ kind: "item", item })),
  ]);
}

/** Unlike any SKU's, which hold no control characters. */
const groupMark = "\u0000";

/** What tells a line from all others. */
export function keyOf(line: ReportLine): string {
  return line.kind === "item" ? line.item.sku : groupMark + line.group.title;
}
