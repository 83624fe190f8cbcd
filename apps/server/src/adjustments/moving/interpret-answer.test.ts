import { describe, expect, test } from "vitest";
import type { ChunkChange } from "../../database/tables.ts";
import type { AdjustError, AdjustErrorCode, AdjustOutcome } from "../../shopify/adjustments.ts";
import type { LiveLevel } from "../../shopify/levels.ts";
import { type Answer, classifyRows, type Evidence, interpretAnswer, noAnswer } from "./interpret-answer.ts";

const readAt = "2026-11-02T08:00:00Z";
const later = "2026-11-02T08:00:09Z";
const sending = { from: new Date("2026-11-02T08:00:05Z"), until: new Date("2026-11-02T08:00:38Z") };

function change(sku: string): ChunkChange {
  return {
    sku,
    inventoryItemId: `item-${sku}`,
    delta: -2,
    changeFromQuantity: 10,
    onHand: 12,
    committed: 2,
    availableUpdatedAt: readAt,
  };
}

const level = (available: number, more: Partial<LiveLevel> = {}): LiveLevel => ({
  tracked: true,
  stocked: true,
  available,
  onHand: available + 2,
  committed: 2,
  availableUpdatedAt: available === 10 ? readAt : later,
  levelUpdatedAt: null,
  ...more,
});

const still = level(10);
const moved = level(8);

const levels = (...found: LiveLevel[]) =>
  new Map(found.map((one, index): [string, LiveLevel] => [`item-${"ABC"[index]}`, one]));

const error = (code: AdjustErrorCode | null, changeIndex: number | null): AdjustError => ({
  code,
  message: "because",
  field: [],
  changeIndex,
});

function answerOf(outcome: AdjustOutcome): Answer {
  const result = interpretAnswer(outcome);
  if (result.kind !== "answered") throw new Error(`It was ${result.kind}.`);
  return result.answer;
}

function turnedAway(message: string): Answer {
  return answerOf({ kind: "notApplied", reason: "rejected", message, retryable: false, retryAfterMs: null });
}

const refused = (...errors: AdjustError[]): Answer =>
  answerOf({ kind: "userErrors", errors, groupId: null, changes: [] });
const applied = (...skus: string[]): Answer => {
  const changes = skus.map((sku) => ({ inventoryItemId: `item-${sku}`, delta: -2 }));
  return answerOf({ kind: "applied", groupId: "group", changes });
};

const stale = (index: number | null) => error("CHANGE_FROM_QUANTITY_STALE", index);

/** What becomes of the rows A, B and C. */
function outcomesOf(evidence: Partial<Evidence>) {
  return classifyRows({
    changes: [change("A"), change("B"), change("C")],
    answerLost: false,
    underWay: false,
    stoodStill: new Set(),
    window: sending,
    doubtful: new Set(),
    answer: applied("A", "B", "C"),
    beforeSend: null,
    now: levels(still, still, still),
    ...evidence,
  });
}

/** The states of the rows A, B and C. */
function states(evidence: Partial<Evidence>): string[] {
  return [...outcomesOf(evidence).values()].map(({ state, ...waiting }) => {
    if (!("stale" in waiting)) return state;
    return [state, waiting.doubtful ? "doubtful" : "", waiting.stale ? "stale" : ""]
      .filter(Boolean)
      .join(" ");
  });
}

describe("an answer that arrived, with none lost before", () => {
  test("confirms what Shopify recorded, whatever the stock is by now", () => {
    expect(states({ now: new Map() })).toEqual(["confirmed", "confirmed", "confirmed"]);
  });

  test("leaves a recorded delta of another size to a person", () => {
    const answer = { ...applied("A", "B"), recorded: [{ inventoryItemId: "item-A", delta: -4 }] };
    expect(states({ answer })[0]).toBe("unclear");
  });

  test("sends again what it does not name as applied", () => {
    expect(states({ answer: applied("A") })).toEqual(["confirmed", "waiting", "waiting"]);
    expect(states({ answer: refused(stale(1)) })).toEqual(["waiting", "waiting stale", "waiting"]);
    expect(states({ answer: refused(stale(null)) })).toEqual(["waiting", "waiting", "waiting"]);
    const burnt = refused(error("IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED", null));
    expect(states({ answer: burnt })).toEqual(["waiting", "waiting", "waiting"]);
    const burntRow = refused(error("IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED", 1));
    expect(states({ answer: burntRow })).toEqual(["waiting", "waiting", "waiting"]);
  });

  test("never sends again what looks applied although the group does not name it", () => {
    const answer = answerOf({ kind: "userErrors", errors: [stale(1)], groupId: "group", changes: [] });
    const now = levels(moved, level(9), still);
    expect(states({ answer, now })).toEqual(["unclear", "waiting stale", "waiting"]);
  });

  test("treats what looks applied as a sale where Shopify made no group", () => {
    const now = levels(moved, level(9), still);
    expect(states({ answer: refused(stale(1)), now })).toEqual(["waiting", "waiting stale", "waiting"]);
  });

  test("keeps a refused row back and sends the others", () => {
    const answer = refused(error("INVALID_QUANTITY_TOO_LOW", 1));
    expect(states({ answer })).toEqual(["waiting", "not_moved", "waiting"]);
  });

  test("knows which refusals no later try can change", () => {
    const reasonOf = (code: AdjustErrorCode) => outcomesOf({ answer: refused(error(code, 0)) }).get("A");
    expect(reasonOf("INVALID_INVENTORY_ITEM")).toMatchObject({ state: "not_moved", unmovable: "DELETED" });
    expect(reasonOf("NON_MUTABLE_INVENTORY_ITEM")).toMatchObject({ state: "not_moved", unmovable: "BUNDLE" });
    expect(reasonOf("INVALID_QUANTITY_TOO_LOW")).toMatchObject({ state: "not_moved", unmovable: null });
  });

  test("keeps every row back when the whole request is refused", () => {
    const mismatch = refused(error("IDEMPOTENCY_KEY_PARAMETER_MISMATCH", null));
    for (const answer of [turnedAway("because"), mismatch, refused(error(null, null))]) {
      expect(states({ answer })).toEqual(["not_moved", "not_moved", "not_moved"]);
    }
  });
});

describe("a lost answer, followed by one that names nothing as applied", () => {
  const answer = refused(stale(null));
  const lost = (before: Map<string, LiveLevel>, now: Map<string, LiveLevel>) =>
    states({ answerLost: true, answer, beforeSend: before, now });

  test("confirms rows that had moved by just their delta before the last send, sold since or not", () => {
    expect(lost(levels(moved, moved, moved), levels(moved, level(7), moved))).toEqual([
      "confirmed",
      "confirmed",
      "confirmed",
    ]);
  });

  test("sends rows again that never moved", () => {
    const unmoved = levels(still, still, still);
    expect(lost(unmoved, unmoved)).toEqual(["waiting doubtful", "waiting doubtful", "waiting doubtful"]);
  });

  test("leaves a row to a person that moved between the reading and the answer", () => {
    expect(lost(levels(still, still, still), levels(moved, level(9), still))).toEqual([
      "unclear",
      "unclear",
      "waiting doubtful",
    ]);
  });

  test("leaves a row to a person that moved otherwise, or away and back", () => {
    const back = level(10, { availableUpdatedAt: later });
    expect(lost(levels(level(7), back, moved), levels(level(7), back, moved))).toEqual([
      "unclear",
      "unclear",
      "confirmed",
    ]);
  });

  test("leaves a row to a person that an order took, not an adjustment", () => {
    const ordered = level(8, { onHand: 12, committed: 4 });
    expect(lost(levels(ordered, moved, moved), levels(ordered, moved, moved))[0]).toBe("unclear");
  });

  test("leaves a row to a person that is gone", () => {
    const gone = level(0, { stocked: false });
    expect(lost(levels(gone, moved, moved), levels(gone, moved, moved))[0]).toBe("unclear");
  });

  test("does not believe one moved row among rows that did not move", () => {
    const one = levels(moved, still, still);
    expect(lost(one, one)).toEqual(["unclear", "waiting doubtful", "waiting doubtful"]);
    const asMany = levels(moved, still, level(7));
    expect(lost(asMany, asMany)).toEqual(["unclear", "waiting doubtful", "unclear"]);
  });

  test("does not believe it either where the last send applied the others", () => {
    const outcomes = states({
      answerLost: true,
      answer: applied("B", "C"),
      beforeSend: levels(moved, still, still),
      now: levels(moved),
    });
    expect(outcomes).toEqual(["unclear", "confirmed", "confirmed"]);
  });

  test("does not believe a row that had not moved after the loss, unless many moved with it", () => {
    const stoodStill = new Set(["A", "B", "C"]);
    const one = levels(moved, level(7), level(7));
    const lostThen = { answerLost: true, stoodStill, answer };
    expect(states({ ...lostThen, beforeSend: one, now: one })[0]).toBe("unclear");
    expect(states({ ...lostThen, stoodStill: new Set(), beforeSend: one, now: one })[0]).toBe("confirmed");
    const all = levels(moved, moved, moved);
    expect(states({ ...lostThen, beforeSend: all, now: all })).toEqual([
      "confirmed",
      "confirmed",
      "confirmed",
    ]);
  });

  test("leaves rows to a person where Shopify then refuses the whole request: the lost one may still arrive", () => {
    const unmoved = levels(still, still, still);
    const mismatch = refused(error("IDEMPOTENCY_KEY_PARAMETER_MISMATCH", null));
    for (const refusal of [turnedAway("because"), mismatch]) {
      const evidence = { answerLost: true, answer: refusal, beforeSend: unmoved, now: unmoved };
      expect(states(evidence)).toEqual(["unclear", "unclear", "unclear"]);
    }
    expect(states({ doubtful: new Set(["A"]), answer: turnedAway("because") })).toEqual([
      "unclear",
      "not_moved",
      "not_moved",
    ]);
  });

  test("keeps rows back that did not move and are refused themselves, as the lost send would be", () => {
    const unmoved = levels(still, still, still);
    const tooLow = refused(error("INVALID_QUANTITY_TOO_LOW", 0));
    expect(states({ answerLost: true, answer: tooLow, beforeSend: unmoved, now: unmoved })).toEqual([
      "not_moved",
      "waiting doubtful",
      "waiting doubtful",
    ]);
  });
});

describe("a new attempt of a row whose last one may still arrive", () => {
  test("is decided by reading, whatever the answer", () => {
    const doubtful = new Set(["A", "B"]);
    expect(states({ doubtful, answer: refused(stale(null)), now: levels(still, moved, still) })).toEqual([
      "waiting doubtful",
      "unclear",
      "waiting",
    ]);
  });
});

describe("no answer that could be interpreted", () => {
  test("lets readings decide: an answer that names neither a group nor an error confirms nothing", () => {
    const now = levels(moved, moved, level(9));
    expect(states({ answer: answerOf({ kind: "noop" }), now })).toEqual([
      "confirmed",
      "confirmed",
      "unclear",
    ]);
  });

  test("keeps rows back for good once they are not to be sent any more", () => {
    const now = levels(moved, moved, still);
    expect(states({ answer: noAnswer("too late"), now })).toEqual(["confirmed", "confirmed", "not_moved"]);
  });
});

describe("errors after which the same bytes go again", () => {
  test.each(["IDEMPOTENCY_CONCURRENT_REQUEST", "SERVICE_UNAVAILABLE", "ADJUST_QUANTITIES_FAILED"] as const)(
    "%s",
    (code) => {
      const errors = [error(code, null)];
      expect(interpretAnswer({ kind: "userErrors", errors, groupId: null, changes: [] })).toEqual({
        kind: "lost",
        reason: "server-error",
        message: "because",
        underWay: code === "IDEMPOTENCY_CONCURRENT_REQUEST",
      });
      const grouped = interpretAnswer({ kind: "userErrors", errors, groupId: "group", changes: [] });
      expect(grouped.kind).toBe("answered");
    },
  );

  test("no other", () => {
    const refusal = interpretAnswer({ kind: "userErrors", errors: [stale(0)], groupId: null, changes: [] });
    expect(refusal.kind).toBe("answered");
    expect(interpretAnswer({ kind: "noop" }).kind).toBe("answered");
  });
});
