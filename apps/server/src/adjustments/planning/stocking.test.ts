import { describe, expect, test } from "vitest";
import { comparedErrorMs, nodeErrorMs } from "../../kernel/clock.ts";
import type { ReportRow } from "../../reports/reports.ts";
import { during, endedAt, makeContext, makeRow } from "../../reports/testing/report-row.ts";
import type { LiveLevel } from "../../shopify/levels.ts";
import type { OwnMove } from "../queries.ts";
import { isFound, stockingOf } from "./stocking.ts";

/** Five of an item that Shopify did not stock there when the session ended. */
const found = makeRow({ startOnHand: 0, endOnHand: 0, counted: 5, stocked: false });

const iso = (at: Date, ms = 0) => new Date(at.getTime() + ms).toISOString();

function level(changes: Partial<LiveLevel> = {}): LiveLevel {
  const stock = { onHand: 0, available: 0, committed: 0, availableUpdatedAt: null, levelUpdatedAt: null };
  return { tracked: true, stocked: false, ...stock, ...changes };
}

/** `skewMs`: by how much our clock may be behind Shopify's. */
function stocking(
  live: LiveLevel | null | undefined,
  {
    row = found,
    ownMove = null,
    skewMs = 0,
    clockWasSet = false,
  }: { row?: ReportRow; ownMove?: OwnMove | null; skewMs?: number | null; clockWasSet?: boolean } = {},
) {
  const context = makeContext({ clockWasSet });
  const levels = new Map(live === undefined ? [] : [[row.inventoryItemId, live]]);
  const byOurClock = (at: number) => (skewMs === null ? null : { earliest: at, latest: at + skewMs });
  return stockingOf(row, context, { levels, unmovable: new Map(), shopTime: { byOurClock } }, ownMove);
}

describe("what was found", () => {
  test.each<[string, Partial<ReportRow>, boolean]>([
    ["counted and there", {}, true],
    ["not counted", { hasCount: false }, false],
    ["counted as none", { counted: 0 }, false],
    ["a single one", { counted: 1 }, true],
    ["not tracked", { tracked: false }, false],
    ["a bundle", { bundle: true }, false],
    ["gone", { gone: true }, false],
  ])("%s", (_name, change, expected) => {
    expect(isFound({ ...found, ...change })).toBe(expected);
  });
});

describe("how a found item is stocked", () => {
  test("is with nothing beyond the report, where there never was a level", () => {
    expect(stocking(level())).toEqual({ keptOnHand: 0, beyondReport: 0 });
  });

  test("is with what its inactive level holds, where that did not change since it was counted", () => {
    expect(stocking(level({ onHand: 3 }))).toEqual({ keptOnHand: 3, beyondReport: 3 });
  });

  test("is not at all where Shopify has no such item, does not track it or was not asked, or nobody found it", () => {
    expect(stocking(null)).toBeNull();
    expect(stocking(undefined)).toBeNull();
    expect(stocking(level({ tracked: false }))).toBeNull();
    expect(stocking(level(), { row: { ...found, counted: 0 } })).toBeNull();
  });

  // Counted in whole seconds by Shopify, and by a device that may be some seconds off.
  const countedFrom = during.getTime() - comparedErrorMs;
  test.each([
    ["a second before it was counted", countedFrom - 1_000, 0, true],
    ["within that second", countedFrom - 999, 0, false],
    ["since", countedFrom + 60_000, 0, false],
    ["before by a clock that may be behind", countedFrom - 1_500, 600, false],
    ["before by a clock that may be a little behind", countedFrom - 1_500, 500, true],
  ])("depends on whether it was changed: %s", (_name, at, skewMs, isStocked) => {
    const changed = level({ onHand: 3, levelUpdatedAt: new Date(at).toISOString() });
    expect(stocking(changed, { skewMs }) !== null).toBe(isStocked);
  });

  test("is not at all where nobody can tell when it was changed", () => {
    const before = level({ levelUpdatedAt: iso(during, -3_600_000) });
    expect(stocking(before)).not.toBeNull();
    expect(stocking(before, { clockWasSet: true })).toBeNull();
    expect(stocking(level({ levelUpdatedAt: iso(during, -3_600_000) }), { skewMs: null })).toBeNull();
  });

  test("is by the end, for a count by hand", () => {
    const row = { ...found, manual: true, firstCountedAt: null, lastCountedAt: null };
    expect(stocking(level({ levelUpdatedAt: iso(endedAt, -1_000) }), { row })).not.toBeNull();
    expect(stocking(level({ levelUpdatedAt: iso(endedAt, -999) }), { row })).toBeNull();
  });
});

describe("what is stocked by now", () => {
  const since = iso(endedAt, 60_000);

  const at = endedAt.getTime() + 60_000;
  const ownMove = { sent: at + 200, booked: at + 1_300 };

  test("is moved where it is empty and nothing has happened to it since it was counted, or it was our own", () => {
    const plain = { keptOnHand: null, beyondReport: 0 };
    expect(stocking(level({ stocked: true }))).toEqual(plain);
    expect(stocking(level({ stocked: true, levelUpdatedAt: since }))).toBeNull();
    expect(stocking(level({ stocked: true, levelUpdatedAt: since }), { ownMove })).toEqual(plain);
  });

  test.each([
    ["within the second of it", 1_000, 0, true],
    ["just when it was booked, as far as a node knows the time", 1_300 + nodeErrorMs, 0, true],
    ["since it was booked", 1_301 + nodeErrorMs, 0, false],
    ["in a second that had passed when it was sent", -801 - nodeErrorMs, 0, false],
    ["in a second that had perhaps not passed when it was sent", -800 - nodeErrorMs, 0, true],
    ["before it by a clock that may be behind", -1_300 - nodeErrorMs, 500, true],
    ["before it by a clock that may be a little behind", -1_300 - nodeErrorMs, 499, false],
    ["at a time that nobody can tell", 1_000, null, false],
  ])("is our own where it may be, by its time: %s", (_name, ms, skewMs, isStocked) => {
    const changed = level({ stocked: true, levelUpdatedAt: iso(new Date(at), ms) });
    expect(stocking(changed, { ownMove, skewMs }) !== null).toBe(isStocked);
  });

  test("is left alone where somebody put stock there", () => {
    expect(stocking(level({ stocked: true, onHand: 1 }))).toBeNull();
    expect(stocking(level({ stocked: true, onHand: 1 }), { ownMove })).toBeNull();
  });
});

test("what was stocked at the end and is not any more is stocked again with what its level holds", () => {
  const row = { ...found, stocked: true, endOnHand: 2 };
  expect(stocking(level({ onHand: 2, levelUpdatedAt: iso(endedAt, 60_000) }), { row })).toEqual({
    ...{ keptOnHand: 2, beyondReport: 0 },
  });
  expect(stocking(level({ stocked: true, onHand: 2 }), { row })).toBeNull();
});
