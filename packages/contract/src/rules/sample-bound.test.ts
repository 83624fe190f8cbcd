import { expect, test } from "vitest";
import { atMostDiffering, sampleStatement } from "./sample-bound.ts";

test.each([
  [80, 12, 0, 16],
  [80, 20, 1, 15],
  [80, 36, 0, 4],
  [80, 80, 3, 3],
  [80, 1, 0, 76],
  [80, 1, 1, 80],
  [1, 1, 0, 0],
])("of %d areas %d drawn and %d differing: at most %d differ", (areas, drawn, differing, most) => {
  expect(atMostDiffering({ areas, drawn, differing })).toBe(most);
});

/** Pascal's triangle: in how many ways so many are chosen of all. */
const ways: bigint[][] = [[1n]];
for (let all = 1; all <= 80; all += 1) {
  const above = ways[all - 1] ?? [];
  ways.push(
    Array.from({ length: all + 1 }, (_nothing, chosen) => (above[chosen - 1] ?? 0n) + (above[chosen] ?? 0n)),
  );
}
const waysOf = (all: number, chosen: number) => ways[all]?.[chosen] ?? 0n;

test("whatever is drawn of up to 80 areas, and however many differ, the statement is true in 95% of draws at least", () => {
  let checked = 0;
  for (let areas = 1; areas <= 80; areas += 1) {
    for (let drawn = 1; drawn <= areas; drawn += 1) {
      const bounds = Array.from({ length: drawn + 1 }, (_nothing, differing) =>
        atMostDiffering({ areas, drawn, differing }),
      );
      for (let truly = 0; truly <= areas; truly += 1) {
        let wrong = 0n;
        for (let shown = 0; shown <= drawn && (bounds[shown] ?? 0) < truly; shown += 1) {
          wrong += waysOf(truly, shown) * waysOf(areas - truly, drawn - shown);
        }
        checked += 1;
        if (wrong * 20n > waysOf(areas, drawn))
          throw new Error(`${areas} ${drawn} ${truly}: wrong too often`);
      }
    }
  }
  expect(checked).toBe(177_120);
});

test("no smaller statement would do", () => {
  for (const [areas, drawn, differing] of [
    [80, 12, 0],
    [80, 20, 1],
    [57, 9, 3],
    [31, 30, 2],
  ] as const) {
    const most = atMostDiffering({ areas, drawn, differing });
    let asFew = 0n;
    for (let shown = 0; shown <= differing; shown += 1)
      asFew += waysOf(most, shown) * waysOf(areas - most, drawn - shown);
    expect(most === differing || asFew * 20n >= waysOf(areas, drawn)).toBe(true);
  }
});

test("a finished sample says it in areas and in units, an unfinished one says nothing", () => {
  const found = {
    areas: 80,
    drawn: Array.from({ length: 12 }),
    differing: 0,
    units: 8_300,
    drawnUnits: 1_240,
  };
  const atMost = { areas: 16, units: 2_410 };
  expect(sampleStatement({ ...found, differingUnits: 0, atMost })).toEqual([
    "12 of 80 areas drawn, 0 differed: with 95% confidence at most 16 of 80 differ.",
    "1,240 of 8,300 units counted again, 0 in areas that differed: with 95% confidence at most 2,410 of 8,300 are in areas that differ.",
  ]);
  expect(sampleStatement({ ...found, differingUnits: 0, atMost: null })).toEqual([]);
});

test("5,000 areas of which 500 are drawn are no work", () => {
  expect(atMostDiffering({ areas: 5_000, drawn: 500, differing: 20 })).toBe(283);
});
