import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wrongGuesses } from "../../auth/guess-queries.ts";
import { adminPassword, startTestServer, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: true } });
});
afterAll(() => server.close());

/** As a proxy passes it on that adds the visitor's address to what the visitor claims to have come through. */
function guess(password: string, claimed: string, address: string) {
  const headers = { "x-forwarded-for": `${claimed}, ${address}` };
  return server.stranger.send(contract.adminLogin, { body: { password } }, headers);
}

test("a visitor's own X-Forwarded-For gives nobody more guesses behind a proxy", async () => {
  for (let time = 0; time < wrongGuesses; time += 1) {
    expect((await guess("wrong", `198.51.100.${time}`, "203.0.113.7")).status).toBe(401);
  }
  expect((await guess(adminPassword, "198.51.100.200", "203.0.113.7")).status).toBe(429);
});

test("nor does it use up the guesses of the address that it claims", async () => {
  for (let time = 0; time < wrongGuesses; time += 1) await guess("wrong", "203.0.113.9", "203.0.113.8");
  expect((await guess(adminPassword, "198.51.100.1", "203.0.113.9")).status).toBe(200);
});
