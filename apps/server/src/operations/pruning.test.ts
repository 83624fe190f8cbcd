import { endSession } from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, join, makePermanentCounter, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { prune } from "./pruning.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
});
afterAll(() => server.close());

async function loginsOf(userId: string): Promise<number> {
  const { rows } = await server.database.pool.query(
    "select count(*) as logins from logins where user_id = $1",
    [userId],
  );
  return rows[0].logins;
}

test("pruning removes what has opened nothing for 60 days, and nothing else", async () => {
  const { pool, database } = server.database;
  const session = await begin(server, await makeStore(server));
  const [counter, revoked] = [await join(server, session), await join(server, session, { name: "Revoked" })];
  const [lasting, expired] = [
    await makePermanentCounter(server, "One"),
    await makePermanentCounter(server, "Two"),
  ];
  await pool.query("update logins set expires_at = now() - interval '61 days' where user_id = $1", [
    expired.userId,
  ]);
  await pool.query("update invitations set revoked_at = now() - interval '61 days' where id = $1", [
    revoked.invitationId,
  ]);
  await pool.query(
    `insert into failed_logins (kind, address, failed_at)
     values ('admin', 'old', now() - interval '2 days'), ('admin', 'new', now())`,
  );
  await pool.query(
    `insert into device_operations (session_id, op_id, kind, request, status, answer, user_id)
     values ($1, gen_random_uuid(), 'undo', '{}', 200, '{}', $2)`,
    [session._id, counter.userId],
  );
  const keptOperations = async () => (await pool.query("select from device_operations")).rowCount;

  await prune(database);
  expect(await Promise.all([counter, lasting].map(({ userId }) => loginsOf(userId)))).toEqual([1, 1]);
  expect(await Promise.all([revoked, expired].map(({ userId }) => loginsOf(userId)))).toEqual([0, 0]);
  expect((await pool.query("select address from failed_logins")).rows).toEqual([{ address: "new" }]);
  expect(await keptOperations()).toBe(1);

  await server.admin.call(endSession, { body: { sessionId: session._id } });
  await prune(database);
  expect(await loginsOf(counter.userId)).toBe(1);
  await pool.query("update sessions set ended_at = now() - interval '75 days' where id = $1", [session._id]);
  await prune(database);
  expect(await loginsOf(counter.userId)).toBe(0);
  expect(await keptOperations()).toBe(0);
});
