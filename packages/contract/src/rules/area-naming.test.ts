import { expect, test } from "vitest";
import { areaNaming } from "./area-naming.ts";

const areas = [
  { code: "A1", name: "Window", locationName: "Sales Floor" },
  { code: "a1", name: "Racks", locationName: "Stockroom" },
  { code: "A2", name: "Tables", locationName: "Sales Floor" },
];

test("an area is named with its location where another has its code, in whatever letters", () => {
  expect(areas.map(areaNaming(areas))).toEqual(["A1 (Sales Floor)", "a1 (Stockroom)", "A2"]);
});

test("what an area is called besides comes before its location", () => {
  const nameOf = areaNaming(areas, ({ code, name }) => `${code} – ${name}`);
  expect(areas.map(nameOf)).toEqual(["A1 – Window (Sales Floor)", "a1 – Racks (Stockroom)", "A2 – Tables"]);
});
