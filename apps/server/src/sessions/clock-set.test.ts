import { afterAll, beforeAll, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { markClockSet, markClockSetBack } from "./clock-set.ts";
import { sessionRoutes } from "./routes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
});
afterAll(() => server.close());

const startedSession = async () => (await begin(server, await makeStore(server)))._id;

async function isMarked(sessionId: string): Promise<boolean> {
  const { clockSetAt } = await server.database.database
    .selectFrom("sessions")
    .select("clockSetAt")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return clockSetAt !== null;
}

const areMarked = (...sessionIds: readonly string[]) => Promise.all(sessionIds.map(isMarked));

function set(sessionId: string, change: string): Promise<unknown> {
  return server.database.pool.query(`update sessions set ${change} where id = $1`, [sessionId]);
}

test("a clock that was set back while no server ran is seen by times that are still to come", async () => {
  const [asEver, readLater, over] = [await startedSession(), await startedSession(), await startedSession()];
  await set(readLater, "stock_read_at = now() + interval '1 hour'");
  await set(over, "stock_read_at = now() + interval '1 hour', status = 'closed'");
  await markClockSetBack(server.database.database);
  expect(await areMarked(asEver, readLater, over)).toEqual([false, true, false]);
});

test("every session that counts or is being ended is marked, and none that is over", async () => {
  const [counting, ending, over] = [await startedSession(), await startedSession(), await startedSession()];
  await set(ending, "status = 'ending'");
  await set(over, "status = 'closed'");
  await markClockSet(server.database.database);
  expect(await areMarked(counting, ending, over)).toEqual([true, true, false]);
});
