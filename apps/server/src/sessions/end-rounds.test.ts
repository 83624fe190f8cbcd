import { afterAll, beforeAll, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import type { OperationJob } from "../operations/operations.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { readEnd } from "./end-reading.ts";
import { sessionRoutes } from "./routes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
});
afterAll(() => server.close());

/** Reads the end of a new session while each of the first rounds takes this long; how many rounds it took. */
async function readWithRoundsOf(...roundsMs: readonly number[]) {
  const session = await begin(server, await makeStore(server));
  const row = await server.database.database
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", session._id)
    .executeTakeFirstOrThrow();
  const { context } = server;
  let now = context.clock.now();
  let rounds = 0;
  const clock = { ...context.clock, now: () => now, steady: () => now };
  const platform: typeof context.platform = {
    ...context.platform,
    changedLevels: (...asked) => {
      now += roundsMs[rounds] ?? 0;
      rounds += 1;
      return context.platform.changedLevels(...asked);
    },
  };
  const job: OperationJob = {
    id: "job",
    kind: "end",
    ...{ storeId: null, sessionId: session._id, adjustmentId: null, input: {} },
    ...{ startedBy: null, signal: new AbortController().signal },
    ...{ report: async () => undefined, complete: async () => undefined, holdLease: async () => undefined },
    ...{ leftIn: null, pause: async () => undefined, cancelled: new AbortController().signal },
    isCancelled: async () => false,
    ...{ takeOvers: 0, checkLease: () => undefined },
  };
  await readEnd({ ...context, clock, platform }, row, job);
  return rounds;
}

test("an end reads again what changed until a round took less than three seconds", async () => {
  expect(await readWithRoundsOf(100)).toBe(1);
  expect(await readWithRoundsOf(60_000, 4_000, 2_999)).toBe(3);
});

test("an end whose rounds never get short ends after five", async () => {
  const always = Array.from({ length: 20 }, () => 10_000);
  expect(await readWithRoundsOf(...always)).toBe(5);
});

test("an end whose rounds take minutes begins none after five minutes", async () => {
  expect(await readWithRoundsOf(200_000, 200_000, 200_000)).toBe(2);
});
