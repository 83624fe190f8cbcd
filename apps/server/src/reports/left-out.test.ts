import { reportItem } from "@stocktake/contract/examples";
import { expect, it } from "vitest";
import { leftOutText } from "./left-out.ts";

it("a row that a deploy leaves alone, or of which it moves less, says why: what other sessions did comes first", () => {
  expect(leftOutText(reportItem({ variance: 3 }))).toBeNull();
  expect(leftOutText(reportItem({ skipReason: "COUNTED_LATER", movedByOthers: 2 }))).toBe(
    "Counted in a later session",
  );
  expect(leftOutText(reportItem({ skipReason: "COUNTED_AFTER_END" }))).toBe(
    "counted after the end, and its stock may have moved since",
  );
  const leftAlone = { reason: "On loan", by: "admin", at: "2026-03-01T10:00:00.000Z" };
  expect(leftOutText(reportItem({ skipReason: "LEFT_ALONE", leftAlone }))).toBe(
    "Left alone on purpose: On loan",
  );
  expect(leftOutText(reportItem({ skipReason: "BUNDLE", leftAlone }))).toBe(
    "Bundle, stocked as its components",
  );
  const ambiguous = { skipReason: "AMBIGUOUS_MOVEMENT" } as const;
  expect(leftOutText(reportItem(ambiguous))).toBe("Stock moved around the time it was counted");
  expect(leftOutText(reportItem({ ...ambiguous, movedByOthers: null }))).toMatch(
    /^another session moved its stock when/,
  );
  expect(leftOutText(reportItem({ variance: 3, movedByOthers: 3, wouldMove: 0 }))).toBe(
    "another session has moved it by +3 since, so nothing is left to move",
  );
  expect(leftOutText(reportItem({ variance: 3, movedByOthers: -2, wouldMove: 5 }))).toBe(
    "another session has moved it by -2 since",
  );
});

it("a row of a deployed report that others had moved still says so; one that it has moved itself does not", () => {
  const deployed = reportItem({ variance: 3, movedByOthers: 3, wouldMove: null, skipReason: null });
  expect(leftOutText({ ...deployed, deployed: 0 })).toBe(
    "another session has moved it by +3 since, and this report nothing",
  );
  expect(leftOutText({ ...deployed, movedByOthers: 2, deployed: 1 })).toBeNull();
  expect(leftOutText({ ...deployed, movedByOthers: 0, deployed: 0 })).toBeNull();
});
