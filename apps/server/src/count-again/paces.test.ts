import { expect, test } from "vitest";
import type { AreaWork } from "./material-queries.ts";
import { fastAreas } from "./paces.ts";

function work(areaId: string, changes: Partial<AreaWork> = {}): AreaWork {
  return { areaId, scans: 60, people: 1, devices: ["device-1"], seconds: 300, ...changes };
}

const usual = ["A1", "A2", "A3", "A4"].map((areaId) => work(areaId));

test("an area is fast from twice the pace of half of them on, rounded down to a tenth", () => {
  expect(fastAreas([...usual, work("B1", { seconds: 151 })])).toEqual(new Map());
  expect(fastAreas([...usual, work("B1", { seconds: 150 })])).toEqual(new Map([["B1", 2]]));
  expect(fastAreas([...usual, work("B1", { seconds: 88 })])).toEqual(new Map([["B1", 3.4]]));
});

test("two people are expected to scan twice as much", () => {
  expect(fastAreas([...usual, work("B1", { seconds: 150, people: 2 })])).toEqual(new Map());
});

test("too few scans, too few areas and counts from paper say nothing", () => {
  expect(fastAreas([...usual, work("B1", { scans: 19, seconds: 1 })])).toEqual(new Map());
  expect(fastAreas([...usual.slice(1), work("B1", { seconds: 10 })])).toEqual(new Map());
  expect(fastAreas([...usual, work("B1", { seconds: 10, devices: ["device-1", "sheet 4"] })])).toEqual(
    new Map(),
  );
});
