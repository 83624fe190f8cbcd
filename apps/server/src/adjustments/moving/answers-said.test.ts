import { describe, expect, test } from "vitest";
import type { ChunkChange } from "../../database/tables.ts";
import type { AdjustError, AdjustOutcome } from "../../shopify/adjustments.ts";
import type { LiveLevel } from "../../shopify/levels.ts";
import {
  type Answer,
  answerInsteadOfResending,
  classifyRows,
  type Evidence,
  interpretAnswer,
  noAnswer,
  type SendResult,
} from "./interpret-answer.ts";

const change: ChunkChange = {
  ...{ sku: "A", inventoryItemId: "item-A", delta: -2, changeFromQuantity: 10, onHand: 12, committed: 2 },
  availableUpdatedAt: null,
};
const still: LiveLevel = {
  ...{ tracked: true, stocked: true, available: 10, onHand: 12, committed: 2 },
  ...{ availableUpdatedAt: null, levelUpdatedAt: null },
};
const moved = { ...still, available: 8, onHand: 10, availableUpdatedAt: "2026-11-02T08:00:09Z" };
const window = { from: new Date("2026-11-02T08:00:05Z"), until: new Date("2026-11-02T08:00:38Z") };
const read = (level: LiveLevel) => new Map([["item-A", level]]);

const error = (more: Partial<AdjustError>): AdjustError => ({
  ...{ code: null, message: "because", field: [], changeIndex: null },
  ...more,
});

const certain: Answer = { ...noAnswer(null), certain: true };

function outcomeOf(evidence: Partial<Evidence>) {
  const given = { changes: [change], answerLost: false, stoodStill: new Set<string>(), answer: certain };
  return classifyRows({
    ...{ ...given, window, underWay: false, doubtful: new Set<string>(), beforeSend: null, now: read(still) },
    ...evidence,
  }).get("A");
}

describe("what is said of a row", () => {
  test("that Shopify recorded", () => {
    const recorded = (delta: number) => ({ ...certain, recorded: [{ inventoryItemId: "item-A", delta }] });
    expect(outcomeOf({ answer: recorded(-2) })).toEqual({ state: "confirmed" });
    const note = "Shopify recorded -3 instead of -2.";
    expect(outcomeOf({ answer: recorded(-3) })).toEqual({ state: "unclear", note });
  });

  test("that Shopify refuses, itself or with all others", () => {
    const errors = [error({ code: "INVALID_INVENTORY_ITEM", changeIndex: 0 })];
    const note = "Refused by Shopify: because";
    expect(outcomeOf({ answer: { ...certain, errors } })).toEqual({
      ...{ state: "not_moved", note, unmovable: "DELETED" },
    });
    const unnamed = [error({ changeIndex: 0 })];
    expect(outcomeOf({ answer: { ...certain, errors: unnamed } })).toMatchObject({ unmovable: null });
    const whole = { ...certain, refusal: "Not today." };
    expect(outcomeOf({ answer: whole })).toEqual({ state: "not_moved", note: "Not today.", unmovable: null });
  });

  test("whose answer was lost", () => {
    const confirmed = {
      ...{ state: "confirmed", byReading: true },
      note: "Confirmed by reading: Shopify's answer was lost, and its stock had moved by just this much.",
    };
    const unclear = {
      state: "unclear",
      note: "Shopify's response was lost and the stock has moved for other reasons too. Check in Shopify whether it was applied.",
    };
    const answer = noAnswer(null);
    expect(outcomeOf({ answer, now: read(moved) })).toEqual(confirmed);
    expect(outcomeOf({ answer, now: read({ ...still, available: 3 }) })).toEqual(unclear);
    expect(outcomeOf({ answer })).toEqual({ state: "waiting", doubtful: true, stale: false });
    expect(outcomeOf({ answer: noAnswer("Too late.") })).toEqual({
      ...{ state: "not_moved", note: "Too late.", unmovable: null },
    });
    const backAgain = { beforeSend: read({ ...still, available: 9 }), now: read(still) };
    expect(outcomeOf({ answerLost: true, ...backAgain })).toEqual(unclear);
    const refusal = { ...certain, refusal: "Not today." };
    expect(outcomeOf({ answerLost: true, answer: refusal })).toEqual({
      ...{ state: "unclear" },
      note: "One answer was lost: look in Shopify whether it was applied. Not today.",
    });
  });

  test("that looks applied although the group does not name it", () => {
    const answer = { ...certain, groupId: "group" };
    expect(outcomeOf({ answer, now: read(moved) })).toEqual({
      state: "unclear",
      note: "Shopify did not confirm the change, but its stock has moved by exactly that much. Check in Shopify.",
    });
    expect(outcomeOf({ answer })).toEqual({ state: "waiting", doubtful: false, stale: false });
  });
});

describe("what replaces an answer that was lost", () => {
  const sentAt = new Date("2026-11-02T08:00:00Z");
  const hour = 60 * 60 * 1000;
  const insteadAfter = (
    ms: number,
    level: LiveLevel,
    given: Partial<{ sentAt: null; underWay: true }> = {},
  ) => {
    const chunk = { changes: [change], sentAt, underWay: false, ...given };
    return answerInsteadOfResending(chunk, read(level), sentAt.getTime() + ms);
  };

  test("is nothing while the key is trusted and no row has moved: it goes again", () => {
    expect(insteadAfter(23 * hour - 1, still)).toBeNull();
  });

  test("is what was read where a row has moved, or may have", () => {
    expect(insteadAfter(hour, moved)).toEqual(noAnswer(null));
    expect(insteadAfter(hour, { ...still, available: 9 })).toEqual(noAnswer(null));
    const changes = [{ ...change, sku: "B", inventoryItemId: "item-B" }, change];
    const levels = new Map([
      ["item-A", moved],
      ["item-B", still],
    ]);
    const instead = answerInsteadOfResending({ changes, sentAt, underWay: true }, levels, sentAt.getTime());
    expect(instead).toEqual(noAnswer(null));
  });

  test("is that nothing is sent any more once the key may be forgotten, or nobody knows when it was sent", () => {
    const over = noAnswer(
      "Shopify did not respond for 23 hours and its stock was not moved. It will not be sent again.",
    );
    expect(insteadAfter(23 * hour, still)).toEqual(over);
    expect(insteadAfter(0, still, { sentAt: null })).toEqual(over);
  });

  test("is no word that nothing comes any more where Shopify said that it is working on it", () => {
    expect(insteadAfter(23 * hour - 1, still, { underWay: true })).toBeNull();
    const answer = insteadAfter(23 * hour, still, { underWay: true });
    expect(answer).toMatchObject({ certain: false, mayStillCome: true });
    expect(outcomeOf({ answer: answer ?? certain })).toEqual({
      state: "unclear",
      note: "One answer was lost: look in Shopify whether it was applied. Shopify said that it was working on this change and reported no result within 23 hours. It will not be sent again.",
    });
    expect(outcomeOf({ answer: answer ?? certain, now: read(moved) })).toMatchObject({ state: "confirmed" });
  });
});

test("no answer confirms nothing and refuses nothing", () => {
  const nothing = { certain: false, groupId: null, recorded: [], errors: [], mayStillCome: false };
  expect(noAnswer("Too late.")).toEqual({ ...nothing, refusal: "Too late." });
});

describe("what came of a send", () => {
  test.each<[AdjustOutcome, SendResult]>([
    [
      { kind: "unknown", reason: "timeout", message: "slow" },
      { kind: "lost", reason: "timeout", message: "slow", underWay: false },
    ],
    [
      { kind: "notApplied", reason: "throttled", message: "wait", retryable: true, retryAfterMs: 9 },
      { kind: "not-run", reason: "throttled", message: "wait", retryAfterMs: 9 },
    ],
    [
      {
        kind: "notApplied",
        reason: "rejected",
        message: "no",
        retryable: false,
        retryAfterMs: null,
      },
      { kind: "answered", answer: { ...certain, refusal: "Refused by Shopify: no" } },
    ],
    [{ kind: "noop" }, { kind: "answered", answer: noAnswer(null) }],
    [
      { kind: "applied", groupId: "group", changes: [{ inventoryItemId: "item-A", delta: -2 }] },
      {
        kind: "answered",
        answer: {
          ...{ ...certain, groupId: "group" },
          recorded: [{ inventoryItemId: "item-A", delta: -2 }],
        },
      },
    ],
  ])("%j", (outcome, result) => {
    expect(interpretAnswer(outcome)).toEqual(result);
  });

  test.each([
    ["a row's", [error({ code: "INVALID_QUANTITY_TOO_LOW", changeIndex: 0 })], null],
    ["a stale row's", [error({ code: "CHANGE_FROM_QUANTITY_STALE" })], null],
    ["a burnt key's", [error({ code: "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED" })], null],
    ["one for all after a row's", [error({ changeIndex: 0 }), error({})], "Refused by Shopify: because"],
  ])("%s error", (_name, errors, refusal) => {
    const changes = [{ inventoryItemId: "item-A", delta: -2 }];
    expect(interpretAnswer({ kind: "userErrors", errors, groupId: "group", changes })).toEqual({
      ...{ kind: "answered" },
      answer: { ...certain, groupId: "group", recorded: changes, errors, refusal },
    });
  });
});
