import { expect, test } from "@playwright/test";
import { proveKills } from "./kill/kill-proof.ts";

/*
 * A slice of `npm run proof:kill`, without a browser: the server and its PostgreSQL are killed five times under load.
 */

test("all that was answered is there once, although server and PostgreSQL are killed again and again", async () => {
  const { wrong, rounds, scans, moves } = await proveKills({ rounds: 5, seed: 12 });
  expect(wrong).toEqual([]);
  expect(rounds).toHaveLength(5);
  expect(scans).toBeGreaterThan(0);
  expect(moves).toBeGreaterThan(0);
});
