import type { ReportItem } from "@stocktake/contract";
import { signedText } from "../../../ui/formats.ts";
import type { ReportLine } from "./report-groups.ts";

/** How many letters the longest figures of a table have: what its columns leave them is known without drawing a row. */
export interface FigureRoom {
  readonly money: number;
  readonly quantity: number;
}

function largestQuantity(item: ReportItem): number {
  const { startOnHand, endOnHand, naturalMovement, counted, variance } = item;
  return Math.max(
    ...[Math.abs(startOnHand), Math.abs(endOnHand), Math.abs(naturalMovement)],
    ...[Math.abs(counted), Math.abs(variance)],
  );
}

/** Only the largest figures become texts: there may be 100,000 rows. */
export function figureRoomOf(
  lines: readonly ReportLine[],
  moneyText: (value: number | null) => string,
): FigureRoom {
  let [sum, quantity] = [0, 0];
  for (const line of lines) {
    if (line.kind !== "item") continue;
    sum = Math.max(sum, Math.abs(line.item.costImpact ?? 0));
    quantity = Math.max(quantity, largestQuantity(line.item));
  }
  return { money: moneyText(-sum).length, quantity: signedText(-quantity).length };
}

/** Of a letter of a figure, in rem: digits are a little wider, what is between them is half as wide. */
const letterWidth = 0.6;
const cellPadding = 1;
/** In em: ten columns need this much with figures of an ordinary length. */
const ordinary = { table: 75, money: 7.5, quantity: 5 };
const quantityColumns = 5;

/** How wide a screen has to be for all ten columns, in em; below it each row becomes a block of named values. */
export function widthForTable({ money, quantity }: FigureRoom): number {
  const above = (letters: number, least: number) => Math.max(0, letters * letterWidth + cellPadding - least);
  const more = above(money, ordinary.money) + quantityColumns * above(quantity, ordinary.quantity);
  return Math.ceil(ordinary.table + more);
}

/** As many letters as a third of the narrowest phone's line has room for. */
const lettersOfThird = 12;

export function isLongSum({ money }: FigureRoom): boolean {
  return money > lettersOfThird;
}
