import { expect, test } from "@playwright/test";
import { proveKills } from "./kill/kill-proof.ts";

/*
 * A slice of `npm run proof:kill`, without a browser: under load both are killed, the server alone, and PostgreSQL alone.
 */

test("all that was answered is there once, although server and PostgreSQL are killed again and again", async () => {
  const { wrong, rounds, scans, moves, signIns, endedLogins } = await proveKills({ rounds: 3, seed: 8 });
  expect(wrong).toEqual([]);
  const victims = rounds.map(({ victim }) => victim);
  expect(victims).toEqual(["both", "server", "postgres"]);
  expect(scans).toBeGreaterThan(0);
  expect(moves).toBeGreaterThan(0);
  expect(Math.min(signIns, endedLogins)).toBeGreaterThan(0);
});
