import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { tryForTurn } from "../database/turns.ts";
import { clearAway } from "../scanning/testing/scene.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, join, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { lockNames, lockNamesOfRunning } from "./name-queries.ts";
import { userRoutes } from "./routes.ts";

const password = "from-the-navy";
let server: TestServer;
let session: contract.CountingSession;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, userRoutes, sessionRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearAway(server);
  session = await begin(server, await makeStore(server));
});

const refused = {
  status: 409,
  code: "USERNAME_TAKEN",
  error: "This username is already in use in a running session. Choose another one.",
  details: [{ field: "username", message: "This username is already in use in a running session." }],
};

async function create(username: string): Promise<string> {
  return (await server.admin.call(contract.createCounter, { body: { username, password } })).counter._id;
}

function refusalOfNew(username: string) {
  return server.admin.refusal(contract.createCounter, { body: { username, password } });
}

function rename(id: string, username: string) {
  return { params: { id }, body: { username } };
}

async function closeSession(): Promise<void> {
  const closed = "update sessions set status = 'closed', ended_at = now() where id = $1";
  await server.database.pool.query(closed, [session._id]);
}

async function openArea(userId: string): Promise<void> {
  await server.database.pool.query(
    "insert into opened_devices (session_id, device_id, user_id, tells_queue) values ($1, 'device-1', $2, true)",
    [session._id, userId],
  );
}

describe("an account does not get the name of somebody who came to a running session", () => {
  test("when it is created, until the session has ended", async () => {
    await join(server, session, { name: "Anna" });
    expect(await refusalOfNew("aNNA")).toMatchObject(refused);
    await closeSession();
    await create("Anna");
  });

  test("when it is renamed; the name that it has stays", async () => {
    const id = await create("Anna");
    await join(server, session, { name: "Anna" });
    await join(server, session, { name: "Mia", email: "mia@example.com" });
    expect(await server.admin.refusal(contract.updateCounter, rename(id, "Mia"))).toMatchObject(refused);
    await server.admin.call(contract.updateCounter, rename(id, "ANNA"));
  });

  test("at once with them: of the two one has it", async () => {
    const { database } = server.database;
    const created = await database.transaction().execute(async (transaction) => {
      const names = await lockNames(transaction, session._id, { except: null });
      expect(names.has("anna")).toBe(false);
      const creating = refusalOfNew("Anna");
      const { id } = await transaction
        .insertInto("invitations")
        .values({
          ...{ sessionId: session._id, storeId: session.storeId._id, locationId: null, counterName: "Anna" },
          ...{ email: "", tokenHash: Buffer.alloc(32, 1), tokenEnding: "abcdefghijkl", sentAt: new Date() },
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await transaction
        .insertInto("users")
        .values({ username: "Anna", role: "counter", invitationId: id })
        .execute();
      await vi.waitFor(async () => {
        const { rows } = await server.database.pool.query(
          "select from pg_locks where locktype = 'advisory' and not granted",
        );
        expect(rows).toHaveLength(1);
      });
      return { creating };
    });
    expect(await created.creating).toMatchObject(refused);
  });
});

test("the names of however many running sessions are locked by one statement, and each is", async () => {
  const others = [await begin(server, await makeStore(server)), await begin(server, await makeStore(server))];
  const { database } = server.database;
  const sent = await database.transaction().execute(async (transaction) => {
    let statements = 0;
    const counting = transaction.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await lockNamesOfRunning(counting);
    for (const { _id: id } of [session, ...others]) {
      const isFree = database.transaction().execute((other) => tryForTurn(other, `names ${id}`));
      expect(await isFree).toBe(false);
    }
    return statements;
  });
  // The sessions are read, their names locked, and the names read.
  expect(sent).toBe(3);
});

describe("the name of a deleted account", () => {
  test("that counted in a running session is free again once that has ended", async () => {
    const id = await create("Grace");
    await openArea(id);
    await server.admin.call(contract.deleteCounter, { params: { id } });
    expect(await refusalOfNew("Grace")).toMatchObject(refused);
    await closeSession();
    await create("Grace");
  });

  test("that counted nowhere is free at once", async () => {
    const id = await create("Grace");
    await server.admin.call(contract.deleteCounter, { params: { id } });
    await create("Grace");
  });
});

describe("a running session whose areas an account is assigned, or which it came to", () => {
  /** What is published from now on; the creation of the session has been by now. */
  function follow() {
    const publish = vi.spyOn(server.context.events, "publish").mockClear();
    return () => publish.mock.calls.splice(0).map(([event]) => event);
  }

  const told = () => [{ type: "area", sessionId: session._id, storeId: session.storeId._id }];

  test.each(["assigned", "there"])("is told of each change of who that is: %s", async (how) => {
    const id = await create(`Grace ${how}`);
    const other = await begin(server, await makeStore(server, { shopifyLocation: "Spare 2" }));
    if (how === "there") await openArea(id);
    else {
      const assigned = `insert into area_assignments (session_id, area_id, user_id)
        select $1, id, $3 from areas where store_id = $2`;
      await server.database.pool.query(assigned, [session._id, session.storeId._id, id]);
    }
    const published = follow();
    const params = { id };
    const change = async (body: { username?: string; password?: string; isActive?: boolean }) => {
      await server.admin.call(contract.updateCounter, { params, body });
      return published();
    };
    expect(await change({ username: `Amazing ${how}` })).toEqual(told());
    expect(await change({ isActive: false })).toEqual(told());
    expect(await change({ isActive: true })).toEqual(told());
    expect(await change({ password: "to-the-navy", isActive: true })).toEqual([]);
    await server.admin.call(contract.deleteCounter, { params });
    expect(published()).toEqual(told());
    expect(other.status).toBe("active");
  });

  test("and has ended is told of nothing", async () => {
    const id = await create("Grace");
    await openArea(id);
    await closeSession();
    const published = follow();
    await server.admin.call(contract.updateCounter, { params: { id }, body: { isActive: false } });
    expect(published()).toEqual([]);
  });
});
