import { expect, test } from "vitest";
import { attack, paceOf, type Strangers } from "./guess-pace.ts";

const quiet: Strangers = {
  lately: 0,
  today: 0,
  own: 0,
  ownSecondsAgo: 0,
  newcomersFreeInMs: 0,
  othersFreeInMs: 0,
};
const attacked = { ...quiet, lately: attack.lately };

test("an account that nobody attacks has no pace", () => {
  const busy = {
    ...quiet,
    lately: attack.lately - 1,
    today: attack.today - 1,
    own: 9,
    othersFreeInMs: 9_000,
  };
  expect(paceOf(busy)).toEqual({ newcomer: false, waitMs: 0, refusedForSeconds: 0 });
});

test.each([{ lately: attack.lately }, { today: attack.today }])("with %j it is attacked", (counts) => {
  expect(paceOf({ ...quiet, ...counts, newcomersFreeInMs: 400 }).waitMs).toBe(400);
});

test("a line that is longer than a person waits is refused", () => {
  expect(paceOf({ ...attacked, newcomersFreeInMs: 8_000 }).waitMs).toBe(8_000);
  expect(paceOf({ ...attacked, newcomersFreeInMs: 8_001 }).refusedForSeconds).toBe(9);
});

test("newcomers do not wait behind those who have guessed before", () => {
  const lines = { newcomersFreeInMs: 500, othersFreeInMs: 60_000 };
  expect(paceOf({ ...attacked, ...lines })).toEqual({ newcomer: true, waitMs: 500, refusedForSeconds: 0 });
  expect(paceOf({ ...attacked, ...lines, own: 1 }).refusedForSeconds).toBe(60);
});

test.each([
  [2, 0],
  [3, 10],
  [4, 40],
  [5, 160],
  [9, 40_960],
  [50, 86_400],
])("after %d tries an address pauses for %d seconds, and then may try again", (own, seconds) => {
  expect(paceOf({ ...attacked, own }).refusedForSeconds).toBe(seconds);
  expect(paceOf({ ...attacked, own, ownSecondsAgo: seconds }).refusedForSeconds).toBe(0);
});
