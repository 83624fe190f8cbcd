import { expect, it } from "vitest";
import { comparison, timeText } from "./comparison.ts";

const first = `0123456789ab${"c".repeat(52)}`;
const second = `0123456789cd${"e".repeat(52)}`;
const at = "2026-11-23T23:33:12.345Z";
const entries = new Map([
  [first, { is: "entry", position: 1, at }],
  [second, { is: "entry", position: 2, at }],
]);
const log = { entries, firstFaulty: Number.POSITIVE_INFINITY };

it("finds a whole hash, and says up to which entry and time the log is as it was", () => {
  expect(comparison(` ${first.toUpperCase()} `, log)).toEqual({
    holds: true,
    text: "This is the hash of entry 1 of 2, of Nov 23, 2026, 23:33 UTC: up to there the log is as it was.",
  });
});

it("finds the beginning of a hash as the report shows it, and tells the whole one", () => {
  const text = `The hash of entry 1 of 2, of Nov 23, 2026, 23:33 UTC, begins so: up to there the log is as it was. The whole hash is ${first}.`;
  expect(comparison(first.slice(0, 12), log)).toEqual({ holds: true, text });
  expect(comparison(`${first.slice(0, 12)}…`, log)).toEqual({ holds: true, text });
});

it("wants enough of a hash to tell it from the others", () => {
  expect(comparison(first.slice(0, 7), log).text).toBe("Enter at least 8 characters of the hash.");
  expect(comparison(first.slice(0, 8), log)).toEqual({
    holds: false,
    text: "2 hashes of the log begin so: enter more of it.",
  });
  expect(comparison("", log).text).toBe("");
});

it("says of a hash that is not in the log that it is not", () => {
  const { holds, text } = comparison("f".repeat(64), log);
  expect(holds).toBe(false);
  expect(text).toMatch(/^This hash is not in the file's log/);
});

it("does not say of a hash that is at or after an entry that was changed that the log is as it was", () => {
  const changed = { entries, firstFaulty: 1 };
  expect(comparison(first, changed)).toMatchObject({ holds: true });
  const said = "the hash is there, but the log was changed there or before.";
  expect(comparison(second, changed)).toEqual({
    holds: false,
    text: `This is the hash of entry 2 of 2, of Nov 23, 2026, 23:33 UTC: ${said}`,
  });
  expect(comparison(second.slice(0, 12), changed)).toEqual({
    holds: false,
    text: `The hash of entry 2 of 2, of Nov 23, 2026, 23:33 UTC, begins so: ${said} The whole hash is ${second}.`,
  });
  expect(comparison(first, { entries, firstFaulty: 0 })).toMatchObject({ holds: false });
});

it("leaves what is no time as it is", () => {
  expect(timeText(undefined)).toBe("undefined");
  expect(timeText("2026-11-23T00:05:00.000Z")).toBe("Nov 23, 2026, 00:05 UTC");
});
