import { expect, it } from "vitest";
import { reportItem } from "../examples.ts";
import { leftAloneText, otherSessionsText } from "./left-out.ts";

it("a row says what other sessions did with what a deploy would move of it, and nothing where they did nothing", () => {
  expect(otherSessionsText(reportItem({ variance: 3 }))).toBeNull();
  expect(otherSessionsText(reportItem({ variance: 3, movedByOthers: 3, wouldMove: 0 }))).toBe(
    "another session has moved it by +3 since, so nothing is left to move",
  );
  expect(otherSessionsText(reportItem({ variance: 3, movedByOthers: -2000, wouldMove: 5 }))).toBe(
    "another session has moved it by -2,000 since",
  );
  const ambiguous = reportItem({ skipReason: "AMBIGUOUS_MOVEMENT", movedByOthers: null });
  expect(otherSessionsText(ambiguous)).toMatch(/^another session moved its stock when/);
});

it("a row that was left alone on purpose says so with its reason", () => {
  const leftAlone = { reason: "On loan", by: "admin", at: "2026-03-01T10:00:00.000Z" };
  expect(leftAloneText(reportItem({ leftAlone }))).toBe("Left alone on purpose: On loan");
  expect(leftAloneText(reportItem({}))).toBeNull();
});
