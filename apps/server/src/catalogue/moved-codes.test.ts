import { describe, expect, test } from "vitest";
import { movedAmong } from "./moved-codes.ts";

type Item = Parameters<typeof movedAmong>[0][number];

/** An item that has kept its codes. */
function item(sku: string, barcode: string | null, changes: Partial<Item> = {}): Item {
  return {
    ...{ sku, barcode, label: sku, endBarcode: barcode, endLabel: sku, endOnHand: 1, isNew: false },
    ...changes,
  };
}

const gone = { endBarcode: null, endLabel: null, endOnHand: 0 };
const moved = (...items: Item[]) => movedAmong(items).map(({ sku, toSku }) => `${sku} > ${toSku}`);

describe("a code belongs to another item", () => {
  test("that gets it when its item is deleted, or loses it", () => {
    expect(moved(item("A", "X", gone), item("B", "Y", { endBarcode: "X" }))).toEqual(["A > B"]);
    expect(moved(item("A", "X", { endBarcode: null }), item("B", null, { endBarcode: "X" }))).toEqual([
      "A > B",
    ]);
    expect(moved(item("A", "X", gone), item("NEW", "X", { isNew: true }))).toEqual(["A > NEW"]);
    expect(moved(item("A", null, gone), item("B", null, { endLabel: "A" }))).toEqual(["A > B"]);
  });

  test("and the other's to it, where two that were swapped are put right", () => {
    const swapped = [item("A", "X", { endBarcode: "Y" }), item("B", "Y", { endBarcode: "X" })];
    expect(moved(...swapped).toSorted()).toEqual(["A > B", "B > A"]);
  });

  test("that shares it since, unless that has no stock", () => {
    expect(moved(item("A", "X"), item("B", "Y", { endBarcode: "X" }))).toEqual(["A > B"]);
    expect(moved(item("A", "X"), item("NEW", "X", { isNew: true }))).toEqual(["A > NEW"]);
    expect(moved(item("A", "X"), item("NEW", "X", { isNew: true, endOnHand: 0 }))).toEqual([]);
  });

  test("that had it too, where one of the two loses it", () => {
    expect(moved(item("A", "X", gone), item("B", "X"))).toEqual(["A > B"]);
    expect(moved(item("NEW", "X", { isNew: true, ...gone }), item("LATER", "X", { isNew: true }))).toEqual([
      "NEW > LATER",
    ]);
  });

  test("that has it as its barcode where the other had it as its SKU, and the other way round", () => {
    const ean = "4000000000013";
    expect(moved(item(ean, null, gone), item("B", "Y", { endBarcode: ean }))).toEqual([`${ean} > B`]);
    expect(moved(item("A", ean, gone), item("B", "Y", { endLabel: ean }))).toEqual(["A > B"]);
    expect(moved(item(ean, ean, { endBarcode: null }))).toEqual([]);
  });

  test("whatever form of a GTIN either has", () => {
    const other = item("B", null, { endBarcode: "0040000000013" });
    expect(moved(item("A", "040000000013", gone), other)).toEqual(["A > B"]);
    expect(moved(item("A", "040000000013", { endBarcode: "0040000000013" }))).toEqual([]);
    // No GTINs, and so different texts.
    expect(moved(item("A", "0123", gone), item("B", null, { endBarcode: "123" }))).toEqual([]);
  });
});

describe("a code belongs to nobody else", () => {
  test("that several had and have, or that several had and another gets", () => {
    expect(moved(item("A", "X"), item("B", "X"))).toEqual([]);
    expect(moved(item("A", "X"), item("B", "X"), item("NEW", "X", { isNew: true }))).toEqual([]);
    expect(moved(item("N", "X", { isNew: true }), item("M", "X", { isNew: true }))).toEqual([]);
  });

  test("that nobody has any more", () => {
    expect(moved(item("A", "X", gone), item("B", "Y", { endBarcode: "Z" }))).toEqual([]);
  });

  test("that is none", () => {
    expect(
      moved(item("#1", "", { ...gone, label: "" }), item("#2", "", { label: "", endLabel: "" })),
    ).toEqual([]);
    expect(moved(item("A", " ", gone), item("B", "Y", { endBarcode: " " }))).toEqual([]);
  });

  test("that more than ten share", () => {
    const sharing = Array.from({ length: 10 }, (_item, index) => item(`B${index}`, "none"));
    expect(moved(item("A", "none", gone), ...sharing)).toEqual([]);
    expect(moved(item("A", "none", gone), ...sharing.slice(1))).toHaveLength(9);
  });
});
