import { textCell } from "@stocktake/contract";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvFormat, recoverableTextCell } from "./csv.ts";

const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];

/** What a spreadsheet takes for cells that splits lines at `;` and tab and takes quotes for quotes only at a cell's start. */
function cellsElsewhere(line: string): string[] {
  return line.split(/[;\t\r\n]/);
}

describe("a text as a cell", () => {
  test.each([...signs, "\t", "\r", "\n"])("gets an apostrophe where it begins with %j", (start) => {
    for (const cell of [textCell, recoverableTextCell]) expect(cell(`${start}1+1`)).toBe(`'${start}1+1`);
  });

  test.each([
    ["Tee;=1+1", "Tee;'=1+1"],
    ["Tee;＝1+1;+2", "Tee;'＝1+1;'+2"],
    ['Tee;"=1+1', `Tee;"'=1+1`],
    ["two\n=1+1", "two\n'=1+1"],
    ["two\r\n@SUM(A1)", "two\r\n'@SUM(A1)"],
    ["\t=1", "'\t'=1"],
  ])("gets one where another program begins a cell: %j", (text, cell) => {
    expect(textCell(text)).toBe(cell);
  });

  test.each(["", "Tee", "Front; Back", "a=b", "1-2", "two\r\nlines", "'quoted", "; -5", "−1"])(
    "stays as it is where nothing is run: %j",
    (text) => {
      expect(textCell(text)).toBe(text);
    },
  );

  const hostile = fc.string({
    unit: fc.constantFrom("'", '"', ";", ",", "\t", "\r", "\n", " ", "a", ...signs),
  });

  test("never begins with what is run, whatever splits it", () => {
    fc.assert(
      fc.property(hostile, hostile, (first, second) => {
        for (const cell of [textCell, recoverableTextCell]) {
          const line = stringify([["1", cell(first), cell(second)]], csvFormat);
          for (const part of cellsElsewhere(line)) expect(part).not.toMatch(/^"*[=+\-@＝＋－＠]/);
        }
      }),
    );
  });

  test("can be had back where that is needed", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(recoverableTextCell(text).replaceAll(/(?<=^|[;\t\r\n]"*)'/g, "")).toBe(text);
      }),
    );
  });
});

test("a cell that a tab, a line break or a guarded part would split is quoted, one of two areas is not", () => {
  expect(stringify([["a; b", textCell("a;=b"), "a\tb", "a\nb", "a,b", 'a"b', "a b"]], csvFormat)).toBe(
    `a; b,"a;'=b","a\tb","a\nb","a,b","a""b",a b\r\n`,
  );
});
