import { describe, expect, it } from "vitest";
import type { FileRecord } from "./lines.ts";
import { SecondCountsCheck } from "./second-counts.ts";

const area = { is: "area", id: "a1", code: "A1" };
const first = {
  is: "pass",
  areaId: "a1",
  pass: 1,
  ofPass: null,
  round: 1,
  onlySkus: null,
  endedAs: "closed",
};
const attempt = (pass: number, round: 2 | 3, changes: Record<string, unknown> = {}) => ({
  ...{ is: "pass", areaId: "a1", pass, ofPass: 1, round, onlySkus: null },
  ...{ endedAs: "closed", endedAt: `2026-11-22T10:0${round}:00.000Z` },
  ...changes,
});
const second = attempt(2, 2);
const third = attempt(3, 3);

const scan = (pass: number, quantity: number, changes: Record<string, unknown> = {}) => ({
  ...{ is: "scan", areaId: "a1", pass, sentPass: pass, sku: "TEE", quantity, reason: null, decidedBy: null },
  status: pass === 1 ? "counted" : "compared",
  ...changes,
});
const compared = (changes: Record<string, unknown>) => ({
  ...{ is: "comparison", areaId: "a1", ofPass: 1, sku: "TEE", first: 4, second: 4, third: null },
  ...{ settledAs: "equal", settledBy: null, reason: null },
  ...changes,
});

function faultsOf(records: readonly FileRecord[], log: readonly FileRecord[] = []): readonly string[] {
  const check = new SecondCountsCheck();
  check.area(area);
  for (const [index, record] of records.entries()) {
    if (record.is === "pass") check.pass(record);
    if (record.is === "comparison") check.comparison(index + 1, record);
    if (record.is === "scan") check.scan(record);
  }
  return check.faults(log).map(({ line, text }) => `${line} ${text}`);
}
const named = (fault: string) => `4 The counts of SKU TEE in area A1: ${fault}`;
const of = (comparison: FileRecord, ...scans: readonly FileRecord[]) => [
  ...[first, second, third],
  comparison,
  ...scans,
];

/** Three counts of a SKU, each by scans of its own. */
const threeCounts = [scan(1, 4), scan(2, 3), scan(3, 5)];
const open = { second: 3, third: 5, settledAs: null };

describe("figures that are what their scans say", () => {
  it("hold where two counts are equal, and where three differ", () => {
    expect(faultsOf(of(compared({}), scan(1, 3), scan(1, 1), scan(2, 4)))).toEqual([]);
    expect(faultsOf(of(compared(open), ...threeCounts))).toEqual([]);
    expect(
      faultsOf(of(compared({ second: 0, third: 4, settledAs: "first" }), scan(1, 4), scan(3, 4))),
    ).toEqual([]);
  });

  const replaced = scan(1, 4, { status: "voided", reason: "SUPERSEDED", decidedBy: "Ann" });
  const moved = (sentPass: number, quantity: number, changes: Record<string, unknown> = {}) =>
    scan(1, quantity, { sentPass, ...changes });

  it("hold where another count's scans count now in place of the first's", () => {
    const agreed = { second: 3, third: 3, settledAs: "second" };
    expect(faultsOf(of(compared(agreed), replaced, moved(2, 3), scan(3, 3)))).toEqual([]);
    const chosen = { second: 3, third: 5, settledAs: "third", settledBy: "Ann", reason: "Looked at" };
    const tag = { status: "voided", reason: "TAG_COUNTED" };
    expect(faultsOf(of(compared(chosen), replaced, scan(2, 3), moved(3, 4), moved(3, 1, tag)))).toEqual([]);
  });

  it("hold where another count's scans count and nothing is settled, and where they gave way to a third since", () => {
    const more = scan(1, 1, { sentPass: 1 });
    const changed = { ...first, endedAs: "closed", pass: 1 };
    const restored = { ...first, pass: 9, endedAs: "restored" };
    const of8 = (as: Record<string, unknown>, ...scans: readonly FileRecord[]) =>
      faultsOf([restored, changed, second, third, compared({ first: 8, ...as }), ...scans]);
    const agreed = { second: 7, third: 7 };
    for (const settled of [
      { settledAs: null },
      { settledAs: "first", settledBy: "Ann", reason: "Looked at" },
    ]) {
      expect(of8({ ...agreed, ...settled }, replaced, moved(2, 7), more, scan(3, 7))).toEqual([]);
    }
    const gaveWay = { status: "voided", reason: "SUPERSEDED" };
    const chosen = { second: 7, third: 9, settledAs: "third", settledBy: "Ann", reason: "Looked at" };
    expect(of8(chosen, replaced, moved(2, 7, gaveWay), moved(3, 9))).toEqual([]);
  });

  it("leave out what was undone of it, and of a count that its area has left behind leave open when", () => {
    const undone = moved(2, 2, { status: "voided", reason: "UNDONE" });
    const agreed = { second: 3, third: 3, settledAs: "second" };
    const scans = [replaced, moved(2, 1), undone, scan(3, 3)];
    expect(faultsOf(of(compared(agreed), ...scans))).toEqual([
      named("its second count is 3, its scans say 1"),
    ]);
    const reopened = [{ ...first, endedAs: "reopened" }, second, third];
    for (const units of [1, 2, 3]) {
      const chosen = { ...agreed, second: units, settledBy: "Ann", reason: "Looked at" };
      expect(faultsOf([...reopened, compared(chosen), ...scans])).toEqual([]);
    }
    expect(faultsOf([...reopened, compared({ ...agreed, second: 4, third: 4 }), ...scans])).toContain(
      named("its second count is 4, its scans say 1"),
    );
  });

  it("hold of a list of SKUs, whatever else was scanned and counted there", () => {
    const list = attempt(4, 2, { onlySkus: ["TEE"] });
    const cap = compared({ sku: "CAP", first: 0, second: 2, third: 2, settledAs: "second" });
    const scans = [scan(1, 4), scan(4, 4), scan(4, 9, { sku: "CAP" }), scan(2, 7)];
    const caps = [scan(1, 2, { sku: "CAP", sentPass: 2 }), scan(3, 2, { sku: "CAP" })];
    expect(faultsOf([first, second, third, list, compared({}), cap, ...scans, ...caps])).toEqual([]);
  });

  it("leave open what the first count was, once scans of it were decided on or its area was begun anew", () => {
    const accepted = [scan(1, 4), scan(1, 1, { decidedBy: "Ann" }), scan(2, 4)];
    const at = "2026-11-22T11:00:00.000Z";
    const entry = { is: "entry", action: "exception.accepted", at, before: null, after: { sku: "TEE" } };
    const fault = named("its first count is 4, its scans say 5");
    expect(faultsOf(of(compared({}), ...accepted), [entry])).toEqual([]);
    expect(faultsOf(of(compared({}), ...accepted), [{ ...entry, after: { sku: "CAP" } }])).toEqual([fault]);
    expect(
      faultsOf(of(compared({}), ...accepted), [{ ...entry, at: second.endedAt.replace("2:", "1:") }]),
    ).toEqual([fault]);
    const reopened = { ...first, endedAs: "reopened" };
    expect(faultsOf([reopened, second, third, compared({}), scan(2, 4)])).toEqual([]);
    const restored = { ...first, pass: 5, endedAs: "restored" };
    expect(faultsOf([first, second, restored, compared({}), scan(2, 4)])).toEqual([]);
  });

  it("count what was accepted for the first count's, whatever pass its device had named", () => {
    const late = scan(1, 1, { sentPass: 2, decidedBy: "Ann" });
    expect(
      faultsOf(of(compared({ second: 4, first: 5, ...{ third: 4, settledAs: "second" } }), late)),
    ).toContain(named("its second count is 4, its scans say 0"));
    const gaveWay = scan(1, 1, { sentPass: 2, status: "voided", reason: "SUPERSEDED", accepted: true });
    const agreed = { first: 5, second: 3, third: 3, settledAs: "second" };
    const others = [replaced, moved(2, 3, { accepted: false }), scan(3, 3)];
    expect(faultsOf(of(compared(agreed), gaveWay, ...others))).toEqual([]);
  });
});

describe("names", () => {
  it("a figure that was changed, whichever count it is of", () => {
    expect(faultsOf(of(compared({ ...open, first: 9 }), ...threeCounts))).toEqual([
      named("its first count is 9, its scans say 4"),
    ]);
    expect(faultsOf(of(compared({ ...open, second: 9 }), ...threeCounts))).toEqual([
      named("its second count is 9, its scans say 3"),
    ]);
    expect(faultsOf(of(compared({ ...open, third: 9 }), ...threeCounts))).toEqual([
      named("its third count is 9, its scans say 5"),
    ]);
  });

  it("a count that was never made", () => {
    expect(
      faultsOf([first, attempt(2, 2, { endedAs: "cancelled" }), third, compared({}), scan(1, 4)]),
    ).toEqual([named("no second count of its area was closed")]);
    expect(faultsOf([first, second, first, compared(open), ...threeCounts])).toEqual([
      named("its third count is 5, its scans say none was made"),
    ]);
  });

  it("what is settled as a count that no other agrees with, unless somebody has chosen it with a reason", () => {
    const settled = { ...open, settledAs: "first" };
    const fault = "it is settled as its first count, and no two counts agree on that";
    expect(faultsOf(of(compared(settled), ...threeCounts))).toEqual([named(fault)]);
    const chosen = { ...settled, settledBy: "Ann" };
    expect(faultsOf(of(compared(chosen), ...threeCounts))).toEqual([
      named("it is settled as its first count by somebody, without a reason"),
    ]);
    expect(faultsOf(of(compared({ ...chosen, reason: "Looked at" }), ...threeCounts))).toEqual([]);
    expect(faultsOf(of(compared({ ...open, settledAs: "equal" }), ...threeCounts))).toEqual([
      named("it is settled as equal, and no two counts agree on that"),
    ]);
  });
});
