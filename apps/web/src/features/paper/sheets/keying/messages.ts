import { limits } from "@stocktake/contract";
import { countText, quantityText } from "../../../../ui/formats.ts";

const units = (count: number) => countText(count, "unit", "units");

interface KeyedOnce {
  readonly units: number;
  readonly declaredTotal: number | null;
}

const keyedText = ({ units: count, declaredTotal }: KeyedOnce) =>
  declaredTotal === null || declaredTotal === count
    ? units(count)
    : `${units(count)}, declared ${quantityText(declaredTotal)}`;

/** Messages of the page where a sheet is keyed. */
export const messages = {
  title: (number: string) => `Sheet ${number}`,
  subtitle: (area: string, printed: string) => `${area}, printed ${printed}`,
  back: "Back to Count Sheets",
  failed: "Failed to fetch data",
  over: "This count has ended",
  overText: "Nothing can be keyed into it any more. Change a figure in its report instead.",
  closed: "This area is closed. Reopen it before you save: what you have keyed stays in this browser.",
  begun:
    "This area is in progress: something is counted in it already. What is on this sheet is added to that. Make sure that nothing on it was scanned as well, or reset the area first.",
  restarted:
    "This area was started again after the sheet was printed. Make sure that it was counted after that.",
  void: (time: string, name: string) => `This sheet was declared void on ${time} by ${name}`,
  returned: (time: string, name: string) => `This sheet was keyed on ${time} by ${name}`,
  returnedText:
    "Keyed again it changes nothing. To correct it, change the count in the report, or have its area counted again.",
  unstored: "Not all of it is stored",
  unstoredText: "The storing broke off. What is stored is not counted twice.",
  storeRest: "Store the Rest",
  was: (count: number, declared: number | null) =>
    declared === null || declared === count
      ? `${units(count)} were keyed.`
      : `${units(count)} were keyed; ${quantityText(declared)} were declared on it.`,
  keyedOtherwise: (number: number, before: KeyedOnce, now: KeyedOnce) =>
    `Sheet ${number} was keyed before with ${keyedText(before)}; you keyed ${keyedText(now)}. Compare them with the paper.`,
  keyedOtherwiseText:
    "Nothing of yours was stored: what was keyed first counts. Where yours is right, adjust the count in the report, or have the area counted again.",
  difference: (before: number, now: number) => `${quantityText(before)} before, ${quantityText(now)} by you`,
  forgetMine: "Forget What I Keyed",
  heading: "On the Sheet",
  keys: "Enter goes on to the next field, arrow keys go down and up. Leave a box empty where nothing is written.",
  who: "Counted by",
  whoNote: "A name or e-mail address of this session; blank means you.",
  at: "Counted at",
  atNote:
    "The time at the end of the sheet, shown with its counts. When each line was counted nobody knows: where stock moved during the count, the report calls the figure uncertain.",
  declared: "Total on the Sheet",
  declaredNote: "As the counter wrote it; blank where there is none.",
  declaredProblem: "Enter a whole number.",
  lines: "Lines with Products",
  line: "Line",
  product: "Product",
  code: "Code",
  counted: "Counted",
  countedOf: (line: number, product: string) => `Counted, line ${line}, ${product}`,
  wrong: `A whole number up to ${quantityText(limits.scanQuantity)}`,
  others: "Blank Lines",
  othersNote: "What is written on the blank lines: its code, Enter, how many, Enter.",
  codeOf: (row: number) => `Code ${row}`,
  quantityOf: (row: number) => `Quantity ${row}`,
  missing: "How many?",
  noCode: "Which code?",
  several: "Fits several products: it will wait under Scans to Decide.",
  none: "Fits no product. Look at the code again; saved like this it will wait under Scans to Decide.",
  pack: (product: string, each: number) => `${product}, a pack of ${quantityText(each)}`,
  lookUpFailed: "The code could not be looked up.",
  total: (count: number, rows: number) => `${units(count)} on ${countText(rows, "line", "lines")}`,
  matches: "The total on the sheet is the same.",
  differs: (declared: number, difference: number) =>
    `The total on the sheet is ${quantityText(declared)}: ${quantityText(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"} than keyed. Look for a line that was missed or mistyped.`,
  empty: "Nothing is keyed: the sheet is saved as one on which nothing was counted.",
  save: "Save the Sheet",
  saveAnyway: "Save All the Same",
  saving: "Saving...",
  saveFailed: "Failed to save the sheet",
  badTitle: (isOut: boolean) => (isOut ? "Nothing was saved" : "This was not stored"),
  repeated: (number: number) => `Sheet ${number} was keyed before. Nothing was changed.`,
  restStored: (number: number) => `The rest of sheet ${number} was stored, as it was keyed first.`,
  late: (count: number) =>
    `${countText(count, "line", "lines")} came too late for the area, which was just closed or restarted, and wait under Scans to Decide.`,
} as const;
