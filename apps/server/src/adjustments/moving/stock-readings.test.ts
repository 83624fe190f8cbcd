import { expect, test } from "vitest";
import type { ChunkChange } from "../../database/tables.ts";
import type { LiveLevel } from "../../shopify/levels.ts";
import { compareReading } from "./stock-readings.ts";

const at = "2026-11-02T08:00:00Z";
const later = "2026-11-02T08:00:09Z";

/** Two of ten available are taken; two more are held by orders. */
const change: ChunkChange = {
  ...{ sku: "A", inventoryItemId: "item-A", delta: -2, changeFromQuantity: 10, onHand: 12, committed: 2 },
  availableUpdatedAt: at,
};

const level: LiveLevel = {
  ...{ tracked: true, stocked: true, available: 10, onHand: 12, committed: 2 },
  ...{ availableUpdatedAt: at, levelUpdatedAt: null },
};
const moved = { available: 8, onHand: 10, availableUpdatedAt: later };

test.each<[string, Partial<LiveLevel>, string]>([
  ["nothing happened", {}, "unmoved"],
  ["the level is inactive", { stocked: false }, "unmoved"],
  ["it is as it was and yet was changed", { availableUpdatedAt: later }, "moved-and-back"],
  ["it moved by just the delta", moved, "moved-by-delta"],
  ["it is not tracked any more", { ...moved, tracked: false }, "other"],
  ["an order took it", { ...moved, onHand: 12, committed: 4 }, "other"],
  ["only what is available is another", { ...moved, available: 7 }, "other"],
  ["only on hand is another", { ...moved, onHand: 11 }, "other"],
  ["it moved by the delta and an order came and went", { ...moved, committed: 3 }, "other"],
  ["it moved the other way", { ...moved, available: 12, onHand: 14 }, "other"],
  ["it moved by less", { ...moved, available: 9, onHand: 11 }, "other"],
])("%s", (_name, found, comparison) => {
  expect(compareReading(change, new Map([["item-A", { ...level, ...found }]]))).toBe(comparison);
});

test("what is gone or was not read is anything", () => {
  expect(compareReading(change, new Map([["item-A", null]]))).toBe("other");
  expect(compareReading(change, new Map([["item-B", level]]))).toBe("other");
});

test.each<[string, Partial<LiveLevel>, string]>([
  ["neither on hand nor what orders hold", {}, "unmoved"],
  ["on hand", { onHand: 13 }, "moved-and-back"],
  ["what orders hold", { committed: 3 }, "moved-and-back"],
])("where the platform says no time, %s has changed", (_name, found, comparison) => {
  const timeless = { ...change, availableUpdatedAt: null };
  const levels = new Map([["item-A", { ...level, availableUpdatedAt: later, ...found }]]);
  expect(compareReading(timeless, levels)).toBe(comparison);
});
