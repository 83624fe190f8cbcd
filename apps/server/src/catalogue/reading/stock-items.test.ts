import { describe, expect, test } from "vitest";
import { freeSku, tellApart } from "./stock-items.ts";

async function namesOf(...variants: [variantNumber: string, label: string][]) {
  const rows = [...variants.keys()];
  const names = await tellApart({
    rows,
    labelOf: (row) => variants[row]?.[1] ?? "",
    variantNumberOf: (row) => variants[row]?.[0] ?? "",
  });
  return rows.map((row) => {
    const name = names.get(row);
    return name === undefined ? [variants[row]?.[1], null] : [name.sku, name.plainSku];
  });
}

describe("the shop's items", () => {
  test("keep a SKU that is theirs alone, and get their number where it is empty or shared", async () => {
    expect(await namesOf(["1", "A"], ["2", "B"], ["3", "B"], ["4", ""])).toEqual([
      ["A", null],
      ["B#2", "B"],
      ["B#3", "B"],
      ["#4", ""],
    ]);
  });

  test("are told apart even where a label reads like a made-up SKU", async () => {
    expect(await namesOf(["1", "B#2"], ["2", "B"], ["3", "B"])).toEqual([
      ["B#2", null],
      ["B#2#2", "B"],
      ["B#3", "B"],
    ]);
    expect(await namesOf(["2", "B"], ["3", "B"], ["1", "B#2"], ["4", "B#2"])).toEqual([
      ["B#2", "B"],
      ["B#3", "B"],
      ["B#2#1", "B#2"],
      ["B#2#4", "B#2"],
    ]);
  });
});

describe("a new item of a running session", () => {
  test("gets its number where its SKU is taken, and keeps the SKU that is on its label", () => {
    expect(freeSku({ sku: "A", plainSku: null }, "9", new Set(["A"]))).toEqual({ sku: "A#9", plainSku: "A" });
    expect(freeSku({ sku: "A", plainSku: null }, "9", new Set())).toEqual({ sku: "A", plainSku: null });
    expect(freeSku({ sku: "B#9", plainSku: "B" }, "9", new Set())).toEqual({ sku: "B#9", plainSku: "B" });
  });
});
