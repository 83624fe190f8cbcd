import { visibleName } from "@stocktake/contract";

/** A quantity in a sentence for a person, as English writes it: 12,345. */
export function quantityText(quantity: number): string {
  return quantity.toLocaleString("en");
}

/** "1 SKU", "1,200 SKUs". */
export function countText(count: number, one: string, many: string): string {
  return `${quantityText(count)} ${count === 1 ? one : many}`;
}

/** Two names are the same to people when their keys are. */
export function nameKey(name: string): string {
  return visibleName(name).toLowerCase();
}

/** A moment for a person who may read a log beside it: UTC, to the second. */
export function timeText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** The same to the minute. */
export function minuteText(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A code as GTINs of any length are compared, and numbers that a spreadsheet has made of codes. */
export function withoutLeadingZeros(code: string): string {
  return code.replace(/^0+/, "");
}
