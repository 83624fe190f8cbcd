import { type CountRow, limits } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { momentOf, partsOf, readCountFile } from "./count-file.ts";
import { readCsv } from "./csv-cells.ts";

const cellsOf = (text: string) => readCsv(text).map(({ line, cells }) => [line, ...cells]);

function rowsOf(text: string): readonly CountRow[] {
  const read = readCountFile(text);
  if ("problem" in read) throw new Error(read.problem);
  return read.rows;
}

describe("the cells of a CSV file", () => {
  it("are divided by comma, semicolon or tab, whichever the first line has most of", () => {
    expect(cellsOf("a,b;c,d\n1,2")).toEqual([
      [1, "a", "b;c", "d"],
      [2, "1", "2"],
    ]);
    expect(cellsOf("a;b\r\n1,5;2")).toEqual([
      [1, "a", "b"],
      [2, "1,5", "2"],
    ]);
    expect(cellsOf("a\tb\r1\t2\r")).toEqual([
      [1, "a", "b"],
      [2, "1", "2"],
    ]);
  });

  it("may be quoted, with quotes, separators and line breaks in them, and keep the numbers of the lines", () => {
    expect(cellsOf('"a ""b"", c",d\n"1\n2",3\n\n , \n4,"5"x\n')).toEqual([
      [1, 'a "b", c', "d"],
      [2, "1\n2", "3"],
      [6, "4", "5x"],
    ]);
    expect(cellsOf('a,"not closed\n1,2')).toEqual([[1, "a", "not closed\n1,2"]]);
  });

  it("may be missing or empty", () => {
    expect(cellsOf("")).toEqual([]);
    expect(cellsOf("a,,b\n,x")).toEqual([
      [1, "a", "", "b"],
      [2, "", "x"],
    ]);
  });
});

describe("a file of counts", () => {
  it("has its columns in the usual order, or as its first line names them", () => {
    const usual = rowsOf("A1,500,3,Mia,2026-01-31T14:05Z");
    expect(usual).toEqual([
      {
        ...{ row: 1, area: "A1", location: "", code: "500", quantity: "3", who: "Mia", copy: 1 },
        ...{ when: "2026-01-31T14:05Z", at: "2026-01-31T14:05:00.000Z" },
      },
    ]);
    const [named] = rowsOf("Qty;Barcode;Location;Area\n3;500;Cellar;A1");
    expect(named).toMatchObject({
      row: 2,
      area: "A1",
      location: "Cellar",
      code: "500",
      quantity: "3",
      who: "",
    });
  });

  it("counts equal rows one by one", () => {
    const copies = rowsOf("A1,500,1\nA1,500,2\nA1,500,1\n A1 ,500,1").map(({ copy }) => copy);
    expect(copies).toEqual([1, 1, 2, 3]);
  });

  it("that is none, or has too little in it, is refused with what to do", () => {
    expect(readCountFile("\n \n")).toEqual({ problem: "This file has no counts in it." });
    expect(readCountFile("area,code\nA1,500")).toEqual({
      problem: expect.stringContaining("does not name the columns area, code and quantity"),
    });
  });

  it.each([
    [
      "Shelf,SKU,Qty expected,Qty,Counted",
      "the quantity twice: Qty and Counted. Rename the one that is not the count.",
    ],
    [
      "area,EAN,SKU,quantity",
      "the code twice: EAN and SKU. Rename the one that is not the code that was counted.",
    ],
    ["Area,Shelf,code,qty", "the area twice: Area and Shelf. Rename the one that is not the area"],
    ["area,code,qty,location, room ", "the location twice: location and room. Rename"],
    ["area,code,qty,Name,E-Mail", "the person twice: Name and E-Mail. Rename"],
    ["Date,Time,area,code,qty", "the time twice: Date and Time. Rename"],
  ])("that names a column twice is refused with both headings: %s", (headings, problem) => {
    expect(readCountFile(`${headings}\nA1,500,10,3,1`)).toEqual({
      problem: expect.stringContaining(`This file names ${problem}`),
    });
  });

  it("has rows named that can't be sent", () => {
    expect(readCountFile("A1,5\u00000,3")).toMatchObject({
      ...{ rows: [], bad: [{ row: 1, problem: expect.stringContaining("character that can't be stored") }] },
    });
    const read = readCountFile(`A1,500,3\nA1,"500,3\n${"A1,500,3\n".repeat(100)}`);
    expect(read).toMatchObject({
      rows: [{ row: 1 }],
      bad: [{ row: 2, problem: expect.stringContaining("254") }],
    });
  });
});

describe("a time of a file", () => {
  it.each([
    ["2026-01-31 14:05", new Date(2026, 0, 31, 14, 5).toISOString()],
    ["2026-1-3T4:05:06.789", new Date(2026, 0, 3, 4, 5, 6).toISOString()],
    ["2026-01-31 14:05 +02:00", "2026-01-31T12:05:00.000Z"],
    ["2026-01-31T14:05:00-0130", "2026-01-31T15:35:00.000Z"],
    ["2026-02-31 14:05", null],
    ["2026-13-05 10:00", null],
    ["2026-01-31 24:05", null],
    ["31.01.2026", null],
    ["2026-01-31", null],
    ["", null],
  ])("%s", (text, expected) => expect(momentOf(text)).toBe(expected));
});

it("parts of a file hold its rows area by area", () => {
  const rows = rowsOf("A1,500,1\nA2,500,1\nA1,501,1");
  expect(partsOf(rows).map((part) => part.map(({ row }) => row))).toEqual([[1, 3, 2]]);
});

it("parts of a file hold all of its rows in order, and each fits into a call", () => {
  const rows = Array.from({ length: 2 * limits.countRowsPerCall + 1 }, (_, index): CountRow => {
    return { row: index + 1, area: "A1", code: "x".repeat(limits.countCell), quantity: "1" };
  });
  const parts = partsOf(rows);
  expect(parts.flat()).toEqual(rows);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(limits.countRowsPerCall);
    expect(JSON.stringify(part).length * 3).toBeLessThan(limits.bodyBytes);
  }
});
