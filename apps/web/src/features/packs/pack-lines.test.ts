import { expect, it } from "vitest";
import { readPackLines } from "./pack-lines.ts";

it("reads what is typed, pasted from a spreadsheet or loaded from a CSV file, without blank lines and headings", () => {
  const entry = 'Code;SKU;Units\r\n5012345678900,SOCK-M,12\n\n"BOX"\t"SOCK-L"\t6\n gone ; SOCK-M ; 0 ';
  expect(readPackLines(entry)).toEqual([
    { line: 2, code: "5012345678900", sku: "SOCK-M", units: 12, problem: null },
    { line: 4, code: "BOX", sku: "SOCK-L", units: 6, problem: null },
    { line: 5, code: "gone", sku: "SOCK-M", units: 0, problem: null },
  ]);
});

it.each([
  ["a cell of a spreadsheet with a comma in it", "BOX\tSOCK,M\t12", "SOCK,M", 12],
  ["one with a semicolon", "BOX\tSOCK;M\t12", "SOCK;M", 12],
  ["a comma in a file divided by semicolons", "BOX;SOCK,M;12", "SOCK,M", 12],
  ["a comma in quotes", 'BOX,"SOCK,M","12"', "SOCK,M", 12],
  ["quotes in quotes", 'BOX,"SOCK 7""",12', 'SOCK 7"', 12],
  ["a quote that opens nothing", 'BOX\tSOCK 7"\t12', 'SOCK 7"', 12],
  ["empty cells after the last", "BOX;SOCK-M;12;;", "SOCK-M", 12],
  ["a tab after the last", "BOX,SOCK-M,12\t", "SOCK-M", 12],
  ["thousands parted by a space", "BOX\tSOCK-M\t1 200", "SOCK-M", 1200],
  ["thousands parted by a narrow space", "BOX\tSOCK-M\t1\u202f200", "SOCK-M", 1200],
  ["thousands parted by an apostrophe", "BOX;SOCK-M;1’200", "SOCK-M", 1200],
])("each line is divided by what divides its cells: %s", (_what, line, sku, units) => {
  expect(readPackLines(line)).toEqual([{ line: 1, code: "BOX", sku, units, problem: null }]);
});

it.each([
  ["BOX\tSOCK-M\t1,200", "1,200"],
  ["BOX;SOCK-M;1.200", "1.200"],
  ['BOX,SOCK-M,"1,200"', "1,200"],
  ["BOX;SOCK-M;6,000", "6,000"],
])("never takes a part of a number, nor guesses which it is: %s", (line, units) => {
  const problem = `${units} can be read in two ways. Write the units in digits alone.`;
  expect(readPackLines(line)).toMatchObject([{ units: 0, problem }]);
});

it.each([
  [",SOCK-M,12", "The code is missing."],
  ["BOX,,12", "The SKU is missing."],
  ["BOX,SOCK-M", "The units are missing: CODE,SKU,UNITS."],
  ["BOX,SOCK-M,twelve", "The units must be a whole number from 0 to 9,999."],
  ["BOX,SOCK-M,1,200", "There is more on this line than CODE,SKU,UNITS."],
  ["BOX\tSOCK-M\t12\tof cotton", "There is more on this line than CODE,SKU,UNITS."],
  ["BOX,SOCK-M,1 2", "The units must be a whole number from 0 to 9,999."],
  ["BOX,SOCK-M,12 000", "The units must be a whole number from 0 to 9,999."],
  ["BOX,SOCK-M,10000", "The units must be a whole number from 0 to 9,999."],
  [`${"x".repeat(129)},SOCK-M,2`, "The code can have at most 128 characters."],
])("names what is wrong with %s", (line, problem) => {
  expect(readPackLines(line)).toMatchObject([{ problem }]);
});

it("names a code that is listed twice, as barcodes are compared", () => {
  const lines = readPackLines("4006381333931,A,2\n04006381333931,B,3");
  expect(lines.map(({ problem }) => problem)).toEqual([null, "This code is listed twice."]);
});
