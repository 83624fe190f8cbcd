import { describe, expect, test } from "vitest";
import type { ChunkChange } from "../../database/tables.ts";
import type { AdjustErrorCode } from "../../shopify/adjustments.ts";
import type { LiveLevel } from "../../shopify/levels.ts";
import { classifyRows, type Evidence, interpretAnswer, noAnswer } from "./interpret-answer.ts";

const skus = ["A", "B", "C"];
const readAt = "2026-11-02T08:00:00Z";
const changes = skus.map(
  (sku): ChunkChange => ({
    ...{ sku, inventoryItemId: `item-${sku}`, delta: -2, changeFromQuantity: 10, onHand: 10, committed: 0 },
    availableUpdatedAt: readAt,
  }),
);

/** The level of every row, at so many available. */
function levels(...available: number[]): Map<string, LiveLevel> {
  return new Map(
    available.map((units, index) => {
      const availableUpdatedAt = units === 10 ? readAt : "2026-11-02T08:00:09Z";
      const stock = {
        available: units,
        onHand: units,
        committed: 0,
        availableUpdatedAt,
        levelUpdatedAt: null,
      };
      return [`item-${skus[index]}`, { tracked: true, stocked: true, ...stock }];
    }),
  );
}

const evidence: Evidence = {
  ...{ changes, answerLost: true, stoodStill: new Set(), doubtful: new Set() },
  ...{ answer: noAnswer(null), beforeSend: null, now: levels(8, 8, 8) },
};

const states = (more: Partial<Evidence>) =>
  [...classifyRows({ ...evidence, ...more }).values()].map(({ state }) => state);

/** What Shopify says of one row, after which every other goes again. */
function refusal(code: AdjustErrorCode) {
  const errors = [{ code, message: "because", field: [], changeIndex: 1 }];
  const result = interpretAnswer({ kind: "userErrors", errors, groupId: null, changes: [] });
  if (result.kind !== "answered") throw new Error(`It was ${result.kind}.`);
  return result.answer;
}

describe("rows that look applied", () => {
  test("are classified by how they are now, where no answer is certain, whatever they were before the last send", () => {
    expect(states({ beforeSend: levels(10, 10, 10) })).toEqual(["confirmed", "confirmed", "confirmed"]);
  });

  test("are classified by how they were before the last send, where its answer is certain", () => {
    const answer = refusal("CHANGE_FROM_QUANTITY_STALE");
    const [before, now] = [levels(8, 8, 8), levels(7, 6, 5)];
    expect(states({ answer, beforeSend: before, now })).toEqual(["confirmed", "confirmed", "confirmed"]);
  });

  test("of an earlier attempt are never confirmed where nothing was read before a certain answer", () => {
    const answer = refusal("CHANGE_FROM_QUANTITY_STALE");
    const doubtful = new Set(skus);
    expect(states({ answer, doubtful, answerLost: false })).toEqual(["unclear", "unclear", "unclear"]);
  });
});

describe("a row that Shopify will never move", () => {
  test.each([
    ["NON_MUTABLE_INVENTORY_ITEM", "BUNDLE"],
    ["INVALID_INVENTORY_ITEM", "DELETED"],
    ["INVALID_QUANTITY_TOO_LOW", null],
  ] as const)("by %s is marked %s", (code, unmovable) => {
    const outcomes = classifyRows({
      ...evidence,
      answerLost: false,
      answer: refusal(code),
      now: levels(10, 10, 10),
    });
    expect(outcomes.get("B")).toEqual({
      state: "not_moved",
      note: expect.stringContaining("because"),
      unmovable,
    });
  });
});
