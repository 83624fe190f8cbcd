import { countText, quantityText } from "../../../ui/formats.ts";

const rows = (count: number) => countText(count, "row", "rows");

/** What a column of a file tells, and what is to be renamed where two columns tell it. */
const columnsTold = {
  area: ["the area", "the area that was counted"],
  location: ["the location", "the area's location"],
  code: ["the code", "the code that was counted"],
  quantity: ["the quantity", "the count"],
  who: ["the person", "the person who counted"],
  when: ["the time", "the time of the count"],
} as const;

/** Messages of loading counts from a file. */
export const messages = {
  heading: "Load a File",
  intro:
    "A CSV file with a row for each count: area, code, quantity, who counted it and when. You see what is in it, and what is wrong with it, before anything is stored. Loading a file again, or a part of it, never counts twice.",
  format:
    "Who is a name or e-mail address in this session; blank means you. When is written 2026-01-31 14:05:30; it is kept and shown with the count. Where an area's code is used in several locations, add a column location.",
  choose: "Choose a CSV File",
  example: "Save an Example",
  empty: "This file has no counts in it.",
  noColumns:
    "This file's first line does not name the columns area, code and quantity. Name them, or leave the headings out: then the columns are area, code, quantity, who, when.",
  namedTwice: (column: keyof typeof columnsTold, first: string, second: string) => {
    const [told, meant] = columnsTold[column];
    return `This file names ${told} twice: ${first} and ${second}. Rename the one that is not ${meant}.`;
  },
  tooManyRows: (most: number) =>
    `A file can have at most ${quantityText(most)} rows. Divide it into several files.`,
  cellTooLong: (most: number) =>
    `A cell of this row has more than ${quantityText(most)} characters. Look for a quotation mark that is not closed.`,
  badCharacter:
    "This row contains a character that can't be stored. Delete what is invisible in it, or type it again.",
  unreadable: "The file could not be read. Choose it again.",
  from: (name: string, count: number) => `${name}: ${rows(count)}`,
  checking: "Checking",
  storing: "Storing",
  progress: (done: string, total: string) => `${done} of ${total} rows`,
  checkFailed: "Failed to check the file",
  storeFailed: "Failed to store the counts",
  nothingStored: "Nothing was stored. Try again now, or choose the file again later.",
  safe: "Everything stored so far is safe. Continue from there now, or load the file again later: nothing is counted twice.",
  again: "Try Again",
  goOn: "Continue",
  cancel: "Cancel",
  close: "Close",
  store: (count: number) => `Store ${countText(count, "Row", "Rows")}`,
  storeWithout: (count: number, bad: number) =>
    `Store ${countText(count, "Row", "Rows")}, Leave Out ${quantityText(bad)}`,
  storeAlike: (count: number, alike: number) =>
    `Store ${countText(count, "Row", "Rows")}, ${alike === 1 ? "This One" : "These"} Too`,
  found: "In this file",
  result: "What became of it",
  row: "Rows",
  figures: {
    counted: (units: number) => `Counted (${countText(units, "unit", "units")})`,
    toCount: (units: number) => `Will be counted (${countText(units, "unit", "units")})`,
    unresolved: "Code fits no product, or several: waits under Scans to Decide",
    late: "Its area was just closed or restarted: waits under Scans to Decide",
    known: "Already here: not counted again",
    voided: "of them in no total any more, because their area was restarted",
    alike: "Looks like a row that is here already: not counted unless you say so",
    bad: "Wrong: not stored",
  },
  unmeasuredTimes:
    "No figure goes by the times in a file: nobody has compared the clock that they are from with Shopify's. Where stock moves during the session, the report marks what this file counts as uncertain.",
  voidedAdvice:
    "Rows are the same count when all of their cells are. To restore what was counted, use the area's Previous counts under Sessions; if it was counted again, write another time into the rows.",
  knownAdvice:
    "If some of these rows are another count of the same products, write the time of it into them and load the file again.",
  alikeTitle: (count: number) =>
    count === 1
      ? "1 row looks like one that is here already"
      : `${quantityText(count)} rows look like rows that are here already`,
  alikeAdvice: (numbers: readonly number[], all: number) => {
    const what = all === 1 ? "it only if it is another count" : "them only if they are other counts";
    const more = all > numbers.length ? ` and ${quantityText(all - numbers.length)} more` : "";
    const where = `${all === 1 ? "Row" : "Rows"} ${numbers.map(quantityText).join(", ")}${more}`;
    return `${where}: area, product, quantity, person and time are those of a row that was stored from a file. Only the cells are written otherwise, as after a spreadsheet has saved the file again. Store ${what} of the same product.`;
  },
  codes: (codes: readonly string[], all: number) =>
    `Codes that fit no product or several, for example: ${codes.join(", ")}. ${
      all > codes.length ? "If these are most of your rows, look whether the column is the right one." : ""
    }`.trim(),
  nothingNew: "There is nothing new in this file.",
  badTitle: (count: number) => (count === 1 ? "1 row is wrong" : `${quantityText(count)} rows are wrong`),
  badLine: (row: number, problem: string) => `Row ${quantityText(row)}: ${problem}`,
  badMore: (more: number) => `and ${quantityText(more)} more. Save the list to see all of them.`,
  saveBad: "Save the List",
  badFile: "wrong-rows.csv",
  done: (units: number) =>
    units === 0 ? "The file was loaded" : `The file was loaded: ${countText(units, "unit", "units")} counted`,
} as const;

/** What an example file holds. */
export const exampleFile = {
  name: "counts-example.csv",
  text: "area,code,quantity,who,when\r\nA1,5012345678900,12,,2026-01-31 14:05\r\nA1,SOCK-M,3,Mia,\r\n",
} as const;
