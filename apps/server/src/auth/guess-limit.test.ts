import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { createHurryingClock } from "../testing/hurrying-clock.ts";
import { adminPassword, startTestServer, type TestServer } from "../testing/test-server.ts";
import { createGuessLimit, type GuessLimit } from "./guess-limit.ts";
import { wrongGuesses } from "./guess-queries.ts";
import { authRoutes } from "./routes.ts";

let server: TestServer;
let bare: TestDatabase;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes], config: { trustProxy: true } });
  bare = await createTestDatabase();
});
afterAll(() => Promise.all([server.close(), bare.drop()]));
beforeEach(async () => {
  for (const { pool } of [server.database, bare]) await pool.query("delete from failed_logins");
});

function guess(password: string, address: string) {
  const headers = { "x-forwarded-for": address };
  return server.stranger.send(contract.adminLogin, { body: { password } }, headers);
}

function newLimit(): GuessLimit {
  return createGuessLimit(bare.database, createHurryingClock());
}

function strangersGuess(ip: string, account = "somebody") {
  return { kind: "counter", account, ip, mark: null } as const;
}

async function guessWrong(times: number, address: string): Promise<void> {
  for (let time = 0; time < times; time += 1) expect((await guess("wrong", address)).status).toBe(401);
}

test("after ten wrong passwords the address is told to wait, even with the right one", async () => {
  await guessWrong(wrongGuesses, "203.0.113.1");
  const { status, body, headers } = await guess(adminPassword, "203.0.113.1");
  expect(status).toBe(429);
  expect(body).toMatchObject({ code: "RATE_LIMITED", error: expect.stringContaining("15 minutes") });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(14 * 60);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(15 * 60);
});

test("another address and another kind of login are not held up", async () => {
  await guessWrong(wrongGuesses, "203.0.113.2");
  expect((await guess(adminPassword, "203.0.113.3")).status).toBe(200);
  const headers = { "x-forwarded-for": "203.0.113.2" };
  const body = { username: "Grace", password: "from-the-navy" };
  expect((await server.stranger.send(contract.counterLogin, { body }, headers)).status).toBe(401);
});

test("a right password clears what its address had wrong", async () => {
  await guessWrong(wrongGuesses - 1, "203.0.113.4");
  expect((await guess(adminPassword, "203.0.113.4")).status).toBe(200);
  await guessWrong(wrongGuesses, "203.0.113.4");
});

test("wrong passwords count for fifteen minutes", async () => {
  await guessWrong(wrongGuesses, "203.0.113.5");
  await server.database.pool.query(
    "update failed_logins set failed_at = failed_at - interval '15 minutes' where address = '203.0.113.5'",
  );
  expect((await guess(adminPassword, "203.0.113.5")).status).toBe(200);
});

test("of many wrong guesses at the same time no more than ten are checked", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => guess("wrong", "203.0.113.6")));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(wrongGuesses);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - wrongGuesses);
});

test("of many wrong guesses on several nodes no more than ten are checked", async () => {
  const nodes = [1, 2, 3].map(newLimit);
  let checks = 0;
  const check = async () => {
    checks += 1;
    return null;
  };
  await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => nodes[index % 3]?.attempt(strangersGuess("203.0.113.7"), check)),
  );
  expect(checks).toBe(wrongGuesses);
});

test("many who sign in rightly from one address at the same time all get in", async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => guess(adminPassword, "203.0.113.8")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test("a password that could not be checked does not count as wrong", async () => {
  const limit = newLimit();
  const broken = () => Promise.reject(new Error("no memory"));
  for (let time = 0; time <= wrongGuesses; time += 1) {
    await expect(limit.attempt(strangersGuess("203.0.113.9"), broken)).rejects.toThrow("no memory");
  }
  await expect(limit.attempt(strangersGuess("203.0.113.9"), async () => "in")).resolves.toBe("in");
});

test("guesses that no longer count are forgotten", async () => {
  const limit = newLimit();
  await limit.attempt(strangersGuess("203.0.113.10"), async () => null);
  await bare.pool.query("update failed_logins set failed_at = failed_at - interval '25 hours'");
  await limit.attempt(strangersGuess("203.0.113.11"), async () => null);
  const { rows } = await bare.pool.query("select address from failed_logins");
  expect(rows).toEqual([{ address: "203.0.113.11" }]);
});

test("the addresses of one network with IPv6 are counted as one", async () => {
  for (let host = 1; host <= wrongGuesses; host += 1) await guessWrong(1, `2001:db8:7:1::${host}`);
  expect((await guess(adminPassword, "2001:db8:7:1:ffff::1")).status).toBe(429);
  expect((await guess(adminPassword, "2001:db8:7:2::1")).status).toBe(200);
});
