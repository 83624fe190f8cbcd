import { naturalOrder, type ReportItem } from "@stocktake/contract";
import { weight } from "./report-filter.ts";

/** What rows without their products' headings are in the order of: the money at stake, or a column. */
export const rowColumns = [
  "stake",
  "product",
  "sku",
  "start",
  "end",
  "movement",
  "counted",
  "variance",
  "cost",
  "areas",
] as const;
export type RowColumn = (typeof rowColumns)[number];

export interface RowOrder {
  readonly column: RowColumn;
  readonly descending: boolean;
}

const numbers: Partial<Record<RowColumn, (item: ReportItem) => number | null>> = {
  stake: (item) => (item.costImpact === null ? null : weight(item.costImpact)),
  start: (item) => item.startOnHand,
  end: (item) => item.endOnHand,
  movement: (item) => item.naturalMovement,
  counted: (item) => item.counted,
  variance: (item) => item.variance,
  cost: (item) => item.costImpact,
};

/** Numbers begin with the largest, texts with A. */
export function orderBy(column: RowColumn): RowOrder {
  return { column, descending: numbers[column] !== undefined };
}

export const byMoneyAtStake = orderBy("stake");

/** As an address has it: "variance", or "variance-up" where it is the other way round than by itself. */
export function orderText({ column, descending }: RowOrder): string {
  if (descending === orderBy(column).descending) return column;
  return `${column}-${descending ? "down" : "up"}`;
}

/** Null of what is no order. */
export function readOrder(text: string | null): RowOrder | null {
  const [name, direction] = text?.split("-") ?? [];
  const column = rowColumns.find((each) => each === name);
  if (column === undefined) return null;
  return direction === undefined ? orderBy(column) : { column, descending: direction === "down" };
}

type Compare = (left: ReportItem, right: ReportItem) => number;

/** Unknown figures come last, whichever way round the others are. */
function byNumber(numberOf: (item: ReportItem) => number | null, sign: number): Compare {
  return (left, right) => {
    const [a, b] = [numberOf(left), numberOf(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (a - b);
  };
}

/**
 * Rows that are in the report's order, in another one. Equal ones keep the order that they have; a product's name orders
 * as it does in the report.
 */
export function sortRows(
  items: readonly ReportItem[],
  { column, descending }: RowOrder,
): readonly ReportItem[] {
  const sign = descending ? -1 : 1;
  const numberOf = numbers[column];
  if (numberOf !== undefined) return items.toSorted(byNumber(numberOf, sign));
  if (column === "product") return descending ? items.toReversed() : items;
  const compare = naturalOrder();
  const textOf = column === "sku" ? ({ sku }: ReportItem) => sku : placeText;
  return items.toSorted((left, right) => sign * compare(textOf(left), textOf(right)));
}

function placeText({ areas }: ReportItem): string {
  return areas.join(", ");
}
