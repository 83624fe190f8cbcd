import { describe, expect, test } from "vitest";
import type { ChunkChange } from "../../database/tables.ts";
import type { AdjustErrorCode } from "../../shopify/adjustments.ts";
import type { LiveLevel } from "../../shopify/levels.ts";
import { classifyRows, type Evidence, interpretAnswer, noAnswer } from "./interpret-answer.ts";

const skus = ["A", "B", "C"];
const readAt = "2026-11-02T08:00:00Z";
const movedAt = "2026-11-02T08:00:09Z";
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
      const availableUpdatedAt = units === 10 ? readAt : movedAt;
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
  ...{ changes, answerLost: true, underWay: false, stoodStill: new Set(), doubtful: new Set() },
  window: { from: new Date("2026-11-02T08:00:05Z"), until: new Date("2026-11-02T08:00:38Z") },
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

describe("rows that look applied and that no answer names, however many they are,", () => {
  const secondsAfter = (seconds: number) => new Date(Date.parse(movedAt) + 1000 * seconds);

  test.each<[string, Evidence["window"]]>([
    ["moved before it was sent", { from: secondsAfter(1), until: secondsAfter(40) }],
    ["moved after it had been under way", { from: secondsAfter(-40), until: secondsAfter(-0.001) }],
    ["were sent at a time that nobody knows", null],
  ])("are for a person where they %s", (_name, window) => {
    expect(states({ window })).toEqual(["unclear", "unclear", "unclear"]);
  });

  test("are confirmed to the second in which Shopify's times are cut off", () => {
    for (const window of [
      { from: secondsAfter(0.999), until: secondsAfter(40) },
      { from: secondsAfter(-40), until: secondsAfter(0) },
    ]) {
      expect(states({ window })).toEqual(["confirmed", "confirmed", "confirmed"]);
    }
  });

  describe("and which Shopify has said that it was working on", () => {
    const window = { from: secondsAfter(-600), until: secondsAfter(-560) };
    const underWay = true;

    test("are confirmed whenever they moved, where they are many", () => {
      expect(states({ underWay, window })).toEqual(["confirmed", "confirmed", "confirmed"]);
    });

    test("are for a person where they are few", () => {
      const given = { underWay, window, changes: changes.slice(0, 2) };
      expect(states(given)).toEqual(["unclear", "unclear"]);
    });

    test("are for a person where more did not move", () => {
      const skusOfSeven = [...skus, "D", "E", "F", "G"];
      const [first] = changes;
      if (first === undefined) throw new Error("There are three.");
      const seven = skusOfSeven.map((sku) => ({ ...first, sku, inventoryItemId: `item-${sku}` }));
      const still = levels(10).get("item-A") ?? null;
      const now = new Map([...seven.map((row) => [row.inventoryItemId, still] as const), ...levels(8, 8, 8)]);
      const [one, two, three, ...others] = states({ underWay, window, changes: seven, now });
      expect([one, two, three]).toEqual(["unclear", "unclear", "unclear"]);
      expect(new Set(others)).toEqual(new Set(["waiting"]));
    });
  });

  test("are for a person where Shopify says no time", () => {
    const now = levels(8, 8, 8);
    const [first, level] = [...now][0] ?? [];
    if (first === undefined || level === undefined) throw new Error("There are three.");
    now.set(first, { ...level, availableUpdatedAt: null });
    expect(states({ now })).toEqual(["unclear", "confirmed", "confirmed"]);
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
