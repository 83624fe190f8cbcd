import { describe, expect, test } from "vitest";
import { comparedErrorMs } from "../kernel/clock.ts";
import { movedSince } from "./moved-by-others.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { during, endedAt, makeContext, makeRow } from "./testing/report-row.ts";

/** A movement by another session: from and until when, and by how much; null where that is unclear. */
type Move = readonly [from: number, to: number, delta: number | null];

const counted = makeRow();
const [first, last] = [during.getTime() - comparedErrorMs, during.getTime() + comparedErrorMs];
const end = endedAt.getTime();

function moveOf(item: string, [from, to, delta]: Move) {
  return { item, adjustmentId: "adjustment-1", direction: "deploy" as const, from, to, delta };
}

function moved(basis: "end" | "count", moves: readonly Move[], row: ReportRow = counted, ended = true) {
  const item = row.inventoryItemId;
  const movedByOthers = new Map([[item, moves.map((move) => moveOf(item, move))]]);
  return movedSince(row, makeContext({ basis, closedAt: ended ? endedAt : null, movedByOthers }));
}

test("nobody else has moved what is not among it", () => {
  expect(moved("end", [])).toBe(0);
  expect(movedSince(counted, makeContext())).toBe(0);
});

describe("by the end", () => {
  test.each<[string, Move, number | null]>([
    ["before it is in the variance", [end - 2, end - 1, 3], 0],
    ["until just then is in it too", [end - 1, end, 3], 0],
    ["across it may be or not", [end - 1, end + 1, 3], null],
    ["at that moment may be or not", [end, end, 3], null],
    ["from then on may be or not", [end, end + 1, 3], null],
    ["after it is not", [end + 1, end + 1, 3], 3],
    ["after it, if at all, may be or not", [end + 1, end + 1, null], null],
    ["before it, if at all, is in it", [end - 2, end - 1, null], 0],
  ])("what was moved %s", (_when, move, expected) => {
    expect(moved("end", [move])).toBe(expected);
  });

  test("what was moved by several is theirs together, and nobody's where one is unclear", () => {
    const [one, other]: Move[] = [
      [end + 1, end + 2, 3],
      [end + 5, end + 6, -5],
    ];
    if (one === undefined || other === undefined) throw new Error("There are two.");
    expect(moved("end", [one, other])).toBe(-2);
    expect(moved("end", [[end + 1, end + 2, null], one, other])).toBeNull();
  });

  test("nothing is known to be moved since an end that has not come", () => {
    expect(moved("end", [[end + 1, end + 2, 3]], counted, false)).toBe(0);
  });

  test("a count by hand is about the end, by either comparison", () => {
    expect(moved("count", [[last + 60_000, last + 60_001, 3]], makeRow({ manual: true }))).toBe(0);
  });
});

describe("by the time of counting", () => {
  const [before, after] = [first - 1_000, last + 1_000];
  const readings = [
    { at: before, onHand: 10 },
    { at: after, onHand: 10 },
  ];
  const row = makeRow({ readings });

  test.each<[string, Move, number | null]>([
    ["before the reading before it is in the variance", [before - 2, before - 1, 3], 0],
    ["from before that reading until it was counted is in it", [before - 1, first, 3], 0],
    ["until it was being counted may be or not", [before - 1, first + 1, 3], null],
    ["since that reading may be or not", [before, before, 3], null],
    ["before the reading after it may be or not", [after - 1, after + 1, 3], null],
    ["from that reading on is not", [after, after, 3], 3],
  ])("what was moved %s", (_when, move, expected) => {
    expect(moved("count", [move], row)).toBe(expected);
  });

  test("what was moved before the last of the readings around it may be or not", () => {
    const between = [before, during.getTime(), after].map((at) => ({ at, onHand: 10 }));
    const move: Move = [after - 1, after - 1, 3];
    expect(moved("count", [move], makeRow({ readings: between }))).toBeNull();
  });

  test("what was moved while it was read and counted may be in it or not", () => {
    const exact = makeRow({
      readings: readings.map((reading, at) => ({ ...reading, at: [first, last][at] ?? 0 })),
    });
    expect(moved("count", [[last, last, 3]], exact)).toBeNull();
    expect(moved("count", [[last + 1, last + 1, 3]], exact)).toBe(3);
  });
});
