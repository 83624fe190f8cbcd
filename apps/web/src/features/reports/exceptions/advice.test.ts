import { expect, it } from "vitest";
import { adviceOn, adviceOnAll, figuresAfter, figuresKept, reasonsShown } from "./advice.ts";
import { group, lateGroup } from "./testing/waiting-scans.ts";

const nothingKnown = () => undefined;

it("late scans come with advice by why they are late; a code without a product only needs one", () => {
  expect(adviceOn(group())).toEqual([]);
  expect(adviceOn(lateGroup({ reasons: ["AREA_CLOSED"] }))[0]).toMatch(
    /^Accept if the phone was in this area/,
  );
  expect(adviceOn(lateGroup({ reasons: ["PASS_OVER"] }))[0]).toMatch(/^The area was counted again from zero/);
});

it("what came late for a count that was restored is in no count: to accept it is right, unless it was scanned again", () => {
  const over = (countsSince: "restored" | "other_restored" | "counted_again" | "not_begun") =>
    adviceOn(lateGroup({ reasons: ["PASS_OVER"], countsSince: [countsSince] }));
  expect(over("restored")).toEqual([
    expect.stringMatching(/restored, without this scan\. Accept it, as it is in no count\./),
  ]);
  expect(over("other_restored")).toEqual([
    expect.stringMatching(/Look whether it is in the count that stands now/),
  ]);
  expect(over("counted_again")).toEqual([expect.stringMatching(/as it is in the new count/)]);
  expect(over("not_begun")).toEqual([
    expect.stringMatching(/restored from a backup .*Another count of the area stands\. Accepted, both count/),
  ]);
});

it("why scans wait says what the advice says: of a count that the server does not have, not that it was restarted", () => {
  const shown = (...countsSince: ("counted_again" | "restored" | "other_restored" | "not_begun")[]) =>
    reasonsShown(lateGroup({ reasons: ["PASS_OVER"], countsSince }));
  const restarted = "From a count that was restarted";
  const notBegun = "From a count that the server has not begun, or has lost";
  expect(shown("not_begun")).toEqual([notBegun]);
  expect(shown("counted_again", "restored")).toEqual([restarted]);
  expect(shown("counted_again", "not_begun")).toEqual([restarted, notBegun]);
  expect(reasonsShown(lateGroup({ reasons: ["AREA_CLOSED", "PASS_OVER"] }))).toEqual([
    "Received after the area was closed",
    restarted,
  ]);
});

it("what came after the session's end says what it was late for before it: another count, or a closed area", () => {
  const after = (
    lateFor: ("PASS_OVER" | "AREA_CLOSED" | "SESSION_CLOSED")[],
    countsSince?: "counted_again"[],
  ) => adviceOn(lateGroup({ reasons: ["SESSION_CLOSED"], lateFor, countsSince }));
  const since = expect.stringMatching(/^The area was counted again from zero/);
  const sentLate = expect.stringMatching(/^Made before the session ended/);
  expect(after(["PASS_OVER"], ["counted_again"])).toEqual([since]);
  expect(after(["AREA_CLOSED"])).toEqual([expect.stringMatching(/^Accept if the phone was in this area/)]);
  expect(after(["SESSION_CLOSED"])).toEqual([sentLate]);
  expect(after(["PASS_OVER", "SESSION_CLOSED"], ["counted_again"])).toEqual([since, sentLate]);
});

it("what was counted after the end says what was sold or moved since, in the place of what is said of scans sent late", () => {
  const [only, ...others] = adviceOn(lateGroup({ afterEnd: true }));
  expect(only).toMatch(/^Counted after the end, .* sold or moved out in between shows as missing/);
  expect(others).toEqual([]);
  expect(adviceOn(lateGroup())[0]).toMatch(/^Made before the session ended and sent after it/);
  expect(adviceOnAll([lateGroup(), lateGroup()])).toHaveLength(1);
});

it("what is of a second count can't be accepted, and the advice says that alone; of some of the scans beside what is said of the others", () => {
  const notBegun = { reasons: ["PASS_OVER" as const], countsSince: ["not_begun" as const] };
  expect(adviceOn(lateGroup({ ...notBegun, scans: 2, ofSecondCounts: 2 }))).toEqual([
    expect.stringMatching(/^A count has the item already: .* can't be accepted\. Dismiss it\.$/),
  ]);
  expect(adviceOn(lateGroup({ ...notBegun, scans: 3, ofSecondCounts: 1 }))).toEqual([
    expect.stringMatching(/^A count has the items of 1 of these scans already: .* Dismiss it\.$/),
    expect.stringMatching(/Accepted, both count/),
  ]);
});

it("S42: of a tag that was read in two areas the advice names the area where it counts, or says that it counts nowhere now", () => {
  const read = group({
    reasons: ["TAG_ELSEWHERE"],
    tagCountedIn: { _id: "area-1", code: "A1", name: "Front" },
  });
  expect(adviceOn(read)).toEqual([expect.stringMatching(/counts in area A1.* Dismiss this read/)]);
  expect(adviceOn({ ...read, tagCountedIn: null })[0]).toMatch(
    /counts nowhere any more.* Accept this read if/,
  );
});

it("S33: what was to take the place of units that count already says so, and what accepting it comes to", () => {
  const times48 = lateGroup({ reasons: ["AREA_CLOSED"], units: 48, replacedUnits: 1 });
  expect(adviceOn(times48)).toEqual([
    expect.stringMatching(/^1 unit of it is counted already: .* If you accept it, both count\./),
    expect.stringMatching(/^Accept if the phone was in this area/),
  ]);
  expect(figuresAfter([times48], () => ({ counted: 1, variance: -47, manual: false }))).toEqual([
    "Accepting changes the count of LIN-M from 1 to 49, and its variance from -47 to +1.",
  ]);
});

it("accepting says what becomes of the count and its variance, dismissing what stays", () => {
  const row = () => ({ counted: 4, variance: -3, manual: false });
  expect(figuresAfter([lateGroup({ units: 2 })], row)).toEqual([
    "Accepting changes the count of LIN-M from 4 to 6, and its variance from -3 to -1.",
  ]);
  expect(figuresKept([lateGroup()], row)).toEqual(["The count of LIN-M stays 4, and its variance -3."]);
});

it("what is not known is not said: no row, several SKUs, a count set by hand", () => {
  expect(figuresAfter([lateGroup()], nothingKnown)).toEqual(["Accepting adds 1 unit to the count of LIN-M."]);
  expect(figuresKept([lateGroup()], nothingKnown)).toEqual([]);
  expect(figuresAfter([lateGroup(), lateGroup({ sku: "HAT-1" })], nothingKnown)).toEqual([
    "Accepting adds 2 units to the counts.",
  ]);
  const byHand = () => ({ counted: 5, variance: 0, manual: true });
  expect(figuresAfter([lateGroup()], byHand)).toEqual([
    "The count of LIN-M was set by hand and stays 5, whatever you accept.",
  ]);
});
