import { expect, test } from "@playwright/test";
import { proveKills } from "./kill/kill-proof.ts";

/*
 * A slice of `npm run proof:kill`, without a browser: under load both are killed, then the server alone, then
 * PostgreSQL alone.
 */

test("all that was answered is there once, although server and PostgreSQL are killed again and again", async () => {
  const { wrong, rounds, scans, moves } = await proveKills({ rounds: 3, seed: 7 });
  expect(wrong).toEqual([]);
  expect(rounds).toHaveLength(3);
  expect(scans).toBeGreaterThan(0);
  expect(moves).toBeGreaterThan(0);
});
