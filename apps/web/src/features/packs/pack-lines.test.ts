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
  [",SOCK-M,12", "The code is missing."],
  ["BOX,,12", "The SKU is missing."],
  ["BOX,SOCK-M", "The units are missing: CODE,SKU,UNITS."],
  ["BOX,SOCK-M,twelve", "The units must be a whole number from 0 to 9,999."],
  ["BOX,SOCK-M,10000", "The units must be a whole number from 0 to 9,999."],
  [`${"x".repeat(129)},SOCK-M,2`, "The code can have at most 128 characters."],
])("names what is wrong with %s", (line, problem) => {
  expect(readPackLines(line)).toMatchObject([{ problem }]);
});

it("names a code that is listed twice, as barcodes are compared", () => {
  const lines = readPackLines("4006381333931,A,2\n04006381333931,B,3");
  expect(lines.map(({ problem }) => problem)).toEqual([null, "This code is listed twice."]);
});
