import { describe, expect, it } from "vitest";
import { comparedErrorMs } from "../kernel/clock.ts";
import { countingTimeOf, readingsOf, reportContextOf } from "./counting-time.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { during, endedAt, makeContext, makeRow, startedAt } from "./testing/report-row.ts";
import { isIncluded, openDoubtOf, uncertainReasonOf, uncertainReasonsOf } from "./uncertain.ts";
import { readingsAround } from "./variance.ts";

const minute = 60_000;
const context = makeContext();
const at = (minutes: number) => during.getTime() + minutes * minute;
const reasonOf = (change: Partial<ReportRow>) => uncertainReasonOf(makeRow(change), context);

describe("why a row is uncertain", () => {
  it("is what was found at the end, a count after it first; never of a count by hand or of none", () => {
    const found = new Set(["MOVED_DURING_END", "COUNTED_AFTER_END"] as const);
    expect(reasonOf({ found })).toBe("COUNTED_AFTER_END");
    expect(reasonOf({ found: new Set(["MOVED_DURING_END"]) })).toBe("MOVED_DURING_END");
    const undone = new Set(["UNDONE_AFTER_END", "MOVED_DURING_END"] as const);
    expect(reasonOf({ found: undone })).toBe("UNDONE_AFTER_END");
    expect(reasonOf({ found: undone, manual: true })).toBeNull();
    expect(reasonOf({ found, manual: true })).toBeNull();
    expect(reasonOf({ found, hasCount: false })).toBeNull();
    expect(reasonOf({})).toBeNull();
  });

  it("is that the counts of an area differ, also where the first had none; not of a count by hand", () => {
    const differ = new Set(["COUNTED_AFTER_END", "COUNTS_DIFFER"] as const);
    expect(reasonOf({ found: differ })).toBe("COUNTS_DIFFER");
    expect(reasonOf({ found: differ, hasCount: false })).toBe("COUNTS_DIFFER");
    expect(reasonOf({ found: differ, manual: true })).toBeNull();
  });

  it("is stock that moved since a backup: of a count made before the restore, or of any that was read before it", () => {
    const found = new Set(["MOVED_SINCE_BACKUP", "MOVED_DURING_END"] as const);
    const restoredAt = (minutes: number) => ({ found, movedBefore: new Date(at(minutes)) });
    expect(reasonOf(restoredAt(1))).toBe("MOVED_SINCE_BACKUP");
    expect(reasonOf(restoredAt(-1))).toBe("MOVED_DURING_END");
    const justThen = new Date(at(0) - comparedErrorMs);
    expect(reasonOf({ found, movedBefore: justThen })).toBe("MOVED_SINCE_BACKUP");
    expect(reasonOf({ ...restoredAt(-1), unknownTimes: 1 })).toBe("MOVED_SINCE_BACKUP");
    expect(reasonOf({ ...restoredAt(1), manual: true })).toBeNull();
    expect(reasonOf({ found, movedBefore: null, manual: true })).toBe("MOVED_SINCE_BACKUP");
    expect(reasonOf({ found, movedBefore: null, hasCount: false })).toBe("MOVED_SINCE_BACKUP");
    const uncounted = { hasCount: false, firstCountedAt: null, lastCountedAt: null };
    expect(reasonOf({ ...restoredAt(1), ...uncounted })).toBeNull();
  });

  it("is a time that can't be, where the stock moved at all", () => {
    expect(reasonOf({ unknownTimes: 1 })).toBe("COUNTED_AT_UNKNOWN_TIME");
    const still = { unknownTimes: 1, startOnHand: 7 };
    expect(reasonOf(still)).toBeNull();
    expect(reasonOf({ ...still, readings: [{ at: at(0), onHand: 7, touched: true }] })).toBe(
      "COUNTED_AT_UNKNOWN_TIME",
    );
    expect(reasonOf({ ...still, readings: [{ at: at(0), onHand: 6 }] })).toBe("COUNTED_AT_UNKNOWN_TIME");
    expect(reasonOf({ ...still, readings: [{ at: at(0), onHand: 7, touched: false }] })).toBeNull();
  });

  it("is a clock that was set while the session counted, where the stock moved at all", () => {
    const withReading = (change: Partial<ReportRow>, set = true) =>
      uncertainReasonOf(makeRow(change), makeContext({ clockWasSet: set }));
    expect(withReading({})).toBe("CLOCK_WAS_SET");
    expect(withReading({}, false)).toBeNull();
    expect(withReading({ startOnHand: 7 })).toBeNull();
    expect(withReading({ startOnHand: 7, readings: [{ at: at(0), onHand: 7, touched: true }] })).toBe(
      "CLOCK_WAS_SET",
    );
    expect(withReading({ manual: true })).toBeNull();
    expect(withReading({ hasCount: false, firstCountedAt: null, lastCountedAt: null })).toBeNull();
  });

  it("is a change somewhere in more than five minutes without a reading", () => {
    const across = (minutes: number, touched = true) =>
      reasonOf({
        readings: [
          { at: at(-1), onHand: 10 },
          { at: at(minutes - 1), onHand: 7, touched },
        ],
      });
    expect(across(5)).toBeNull();
    expect(across(5.1)).toBe("COUNTED_ACROSS_GAP");
    expect(across(5.1, false)).toBeNull();
  });

  it("is a change after which as much is on hand as before: what went may have come back", () => {
    const changed = (onHand: number, touched = true) =>
      reasonOf({
        readings: [
          { at: at(-1), onHand: 10 },
          { at: at(1), onHand, touched },
        ],
      });
    expect(changed(10)).toBe("COUNTED_ACROSS_GAP");
    expect(changed(10, false)).toBeNull();
    expect(changed(9)).toBeNull();
  });

  it("is none of what changed while others were counted", () => {
    const early = [
      { at: at(-90), onHand: 10 },
      { at: at(-60), onHand: 10, touched: true },
      { at: at(-1), onHand: 7 },
      { at: at(1), onHand: 7 },
    ];
    expect(reasonOf({ readings: early })).toBeNull();
    expect(reasonOf({ readings: early, firstCountedAt: null, lastCountedAt: null })).toBeNull();
  });
});

describe("by the comparison when counted, a row is uncertain", () => {
  const hours = 60;
  const whenCounted = makeContext({ basis: "count", countedDuring: { first: at(-hours), last: at(hours) } });
  const level = (minutes: number, onHand: number) => ({ at: at(minutes), onHand });
  const changed = (minutes: number, onHand: number) => ({ ...level(minutes, onHand), touched: true });
  const rowWith = (...readings: ReportRow["readings"]) =>
    makeRow({
      startOnHand: readings[0]?.onHand ?? 7,
      endOnHand: readings.at(-1)?.onHand ?? 7,
      readings,
    });
  const reasonWith = (...readings: ReportRow["readings"]) =>
    uncertainReasonOf(rowWith(...readings), whenCounted);
  const elsewhere = "MOVED_BEFORE_COUNT_ENDED";

  it("where stock moved after its count and others were still counted: it may have lain there", () => {
    expect(reasonWith(level(20, 7), changed(21, 6))).toBe(elsewhere);
    expect(reasonWith(level(20, 7), changed(21, 8))).toBe(elsewhere);
    expect(reasonWith(level(20, 7), changed(21, 7))).toBe(elsewhere);
    expect(reasonWith(level(hours, 7), changed(hours + 1, 6))).toBeNull();
  });

  it("where stock came before its count and others had been counted: it may lie there", () => {
    expect(reasonWith(level(-21, 6), changed(-20, 7))).toBe(elsewhere);
    expect(reasonWith(level(-21, 8), changed(-20, 7))).toBeNull();
    expect(reasonWith(level(-hours - 2, 6), changed(-hours, 7))).toBeNull();
  });

  it("and not where its own time of counting is a range already, nor by the other comparison", () => {
    expect(reasonWith(level(-1, 7), changed(1, 6), level(20, 6), changed(21, 5))).toBeNull();
    expect(uncertainReasonOf(rowWith(level(20, 7), changed(21, 6)), context)).toBeNull();
  });
});

describe("an administrator's decision to deploy an uncertain row", () => {
  const found = new Set(["MOVED_DURING_END"] as const);
  const decided = (...inclusions: [string, number][]) => makeRow({ found, inclusions: new Map(inclusions) });

  it("holds for just that count and just that reason", () => {
    const right = decided(["MOVED_DURING_END", 9]);
    expect([isIncluded(right, context), openDoubtOf(right, context)]).toEqual([true, null]);
    for (const row of [decided(), decided(["MOVED_DURING_END", 8]), decided(["OTHER", 9])])
      expect([isIncluded(row, context), openDoubtOf(row, context)]).toEqual([false, "MOVED_DURING_END"]);
    expect(isIncluded(makeRow({ inclusions: new Map([["MOVED_DURING_END", 9]]) }), context)).toBe(false);
  });

  it("leaves another reason open, which is named then", () => {
    const row = {
      ...decided(["UNDONE_AFTER_END", 9]),
      found: new Set(["UNDONE_AFTER_END", ...found] as const),
    };
    expect(uncertainReasonsOf(row, context)).toEqual(["UNDONE_AFTER_END", "MOVED_DURING_END"]);
    expect([isIncluded(row, context), openDoubtOf(row, context)]).toEqual([false, "MOVED_DURING_END"]);
    expect(uncertainReasonOf(row, context)).toBe("MOVED_DURING_END");
    const both = { ...row, inclusions: new Map([...row.inclusions, ["MOVED_DURING_END", 9]]) };
    expect([isIncluded(both, context), uncertainReasonOf(both, context)]).toEqual([true, "UNDONE_AFTER_END"]);
  });
});

describe("when a row was counted", () => {
  const [first, last] = [new Date(at(-5)), new Date(at(5))];
  const timeOf = (change: Partial<ReportRow>) =>
    countingTimeOf(makeRow({ firstCountedAt: first, lastCountedAt: last, ...change }), context);

  it("is from its first scan to its last, give or take what clocks are out, and at any moment of the session where one has no time that can be", () => {
    expect(timeOf({})).toEqual({ first: at(-5) - comparedErrorMs, last: at(5) + comparedErrorMs });
    const whole = {
      first: startedAt.getTime() - comparedErrorMs,
      last: endedAt.getTime() + comparedErrorMs,
    };
    expect(timeOf({ unknownTimes: 1 })).toEqual(whole);
    expect(timeOf({ unknownTimes: 1, firstCountedAt: null, lastCountedAt: null })).toEqual(whole);
    const late = new Date(endedAt.getTime() + minute);
    expect(timeOf({ unknownTimes: 1, lastCountedAt: late })).toEqual({
      ...whole,
      last: late.getTime() + comparedErrorMs,
    });
  });

  it("may be beside any reading of the session where the clock was set, whatever their times are", () => {
    const [early, late] = [startedAt.getTime() - minute, endedAt.getTime() + minute];
    const row = makeRow({
      readings: [
        { at: early, onHand: 8 },
        { at: late, onHand: 9 },
      ],
    });
    const set = makeContext({ clockWasSet: true });
    const time = countingTimeOf(row, set);
    expect(time).toEqual({ first: early - comparedErrorMs, last: late + comparedErrorMs });
    const around = time && readingsAround(time, readingsOf(row, set));
    expect(around?.map(({ onHand }) => onHand)).toEqual([10, 8, 9, 7]);
    const uncounted = { hasCount: false, firstCountedAt: null, lastCountedAt: null };
    expect(countingTimeOf(makeRow(uncounted), set)).toBeNull();
  });

  it("is not known of a count by hand, nor where nobody scanned it", () => {
    expect(timeOf({ manual: true })).toBeNull();
    expect(timeOf({ firstCountedAt: null, lastCountedAt: null })).toBeNull();
  });
});

describe("what was on hand through a session", () => {
  it("is read at its start, while it ran and at its end, which no reading comes after", () => {
    const reading = { at: at(0), onHand: 8 };
    const [begin, end] = [startedAt.getTime(), endedAt.getTime()];
    expect(readingsOf(makeRow({ readings: [reading] }), context)).toEqual([
      { at: begin, onHand: 10 },
      reading,
      { at: end, onHand: 7 },
    ]);
    const after = { at: end + minute, onHand: 8 };
    expect(readingsOf(makeRow({ readings: [after] }), context).at(-1)).toEqual({
      at: end + minute,
      onHand: 7,
    });
  });

  it("is told around a count by the last reading at or before it and the first one at or after it", () => {
    const readings = [0, 100, 200, 300].map((time) => ({ at: time, onHand: time }));
    const around = (begin: number, end: number) =>
      readingsAround({ first: begin, last: end }, readings).map((reading) => reading.at);
    expect(around(100, 200)).toEqual([100, 200]);
    expect(around(101, 199)).toEqual([100, 200]);
    expect(around(99, 201)).toEqual([0, 100, 200, 300]);
    expect(around(200, 200)).toEqual([200]);
    expect(around(-5, -1)).toEqual([0]);
    expect(around(301, 400)).toEqual([300]);
  });
});

describe("what the rules need of a session", () => {
  const session = {
    ...{ id: "s1", basis: "count" as const, areaCount: 2, openAreas: [] },
    ...{ startSnapshotAt: startedAt, endSnapshotAt: endedAt, endedAt: during },
    clockSetAt: null,
  };

  it("is when its snapshots were made; before there are any, when it ended or began", () => {
    expect(makeContext({ basis: "count", closedAt: during })).toMatchObject(reportContextOf(session));
    expect(reportContextOf({ ...session, endSnapshotAt: null })).toMatchObject({ endedAt: during });
    const running = { ...session, endSnapshotAt: null, endedAt: null };
    expect(reportContextOf(running)).toMatchObject({ endedAt: startedAt });
  });

  it("is whether the clock was set while it counted", () => {
    expect(reportContextOf({ ...session, clockSetAt: during })).toMatchObject({ clockWasSet: true });
  });

  it("is whether it had areas, and all were closed", () => {
    const area = { id: "a1", code: "A1", name: "Front", status: "in_progress" } as const;
    const closed = (areaCount: number, open: number) => {
      const openAreas = Array.from({ length: open }, () => area);
      return reportContextOf({ ...session, areaCount, openAreas }).everyAreaClosed;
    };
    expect([closed(2, 0), closed(1, 0), closed(0, 0), closed(2, 1)]).toEqual([true, true, false, false]);
  });
});
