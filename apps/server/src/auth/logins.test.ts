import type { CountingSession } from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../kernel/caller.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import {
  begin,
  join,
  makePermanentCounter,
  makeStore,
  type TestCounter,
  type TestStore,
} from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { createLogin, findCaller, findLoginEnd, loginsPerUser, permanentLoginDays } from "./login-queries.ts";
import { authRoutes } from "./routes.ts";

let server: TestServer;
let store: TestStore;
let session: CountingSession;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
  store = await makeStore(server);
  session = await begin(server, store);
});
afterAll(() => server.close());

function callerOf({ api }: TestCounter): Promise<Caller | null> {
  return findCaller(server.database.database, api.token ?? "");
}

function query(text: string, values: unknown[] = []) {
  return server.database.pool.query(text, values);
}

test("nothing that is not a login opens anything", async () => {
  for (const token of ["", "made-up", "\u0000", "x".repeat(10_000)]) {
    expect(await findCaller(server.database.database, token)).toBeNull();
  }
});

test("an invitation that is accepted on and on loses its oldest logins, not its newest", async () => {
  const counter = await join(server, session, { name: "Many devices" });
  const user = { id: counter.userId, isTemporary: true };
  const newest = await server.database.database.transaction().execute(async (transaction) => {
    await query(
      `insert into logins (token_hash, user_id, created_at)
       select sha256(number::text::bytea), $1, now() - interval '1 hour' from generate_series(1, 150) number`,
      [counter.userId],
    );
    return createLogin(transaction, user, null, null);
  });
  const { rows } = await query(
    `select count(*) filter (where replaced_at is null)::integer as open,
       count(replaced_at)::integer as told from logins where user_id = $1`,
    [user.id],
  );
  expect(rows).toEqual([{ open: loginsPerUser.temporary, told: loginsPerUser.temporary }]);
  expect(await findCaller(server.database.database, newest.token)).toMatchObject({ userId: user.id });
});

test("who signs in elsewhere ends the oldest login of theirs, is told so there, and no other way", async () => {
  const counter = await join(server, session, { name: "Two devices" });
  const { database } = server.database;
  const user = { id: counter.userId, isTemporary: true };
  const opened: string[] = [];
  while (opened.length < loginsPerUser.temporary) {
    const signIn = database.transaction();
    opened.push((await signIn.execute((transaction) => createLogin(transaction, user, null, null))).token);
  }
  const ends = (token: string) => findLoginEnd(database, token);
  expect([await callerOf(counter), await ends(counter.api.token ?? "")]).toEqual([
    null,
    "signed_in_elsewhere",
  ]);
  for (const token of opened) expect(await findCaller(database, token)).not.toBeNull();
  await query("update invitations set revoked_at = now() where id = $1", [counter.invitationId]);
  expect(await ends(counter.api.token ?? "")).toBe("invitation_revoked");
});

test("a login that has run out takes no room, and is told to have run out", async () => {
  const counter = await makePermanentCounter(server, "Long ago");
  const { database } = server.database;
  await query("update logins set expires_at = now() - interval '1 day' where user_id = $1", [counter.userId]);
  await query(
    `insert into logins (token_hash, user_id, created_at, expires_at)
     select sha256((number || 'long ago')::bytea), $1, now() + interval '1 second', now() + interval '1 day'
     from generate_series(2, $2::integer) number`,
    [counter.userId, loginsPerUser.permanent],
  );
  await database
    .transaction()
    .execute((transaction) =>
      createLogin(transaction, { id: counter.userId, isTemporary: false }, null, null),
    );
  expect(await findLoginEnd(database, counter.api.token ?? "")).toBe("expired");
  const { rows } = await query("select from logins where user_id = $1 and replaced_at is not null", [
    counter.userId,
  ]);
  expect(rows).toEqual([]);
});

describe("the login of a permanent counter", () => {
  let made = 0;
  let counter: TestCounter;

  beforeEach(async () => {
    made += 1;
    counter = await makePermanentCounter(server, `Grace ${made}`);
  });

  test("opens to the counter, who has no invitation", async () => {
    expect(await callerOf(counter)).toMatchObject({
      userId: counter.userId,
      username: counter.username,
      role: "counter",
      invitation: null,
    });
  });

  test("ends so many days after signing in", async () => {
    const { rows } = await query("select expires_at - created_at as lasting from logins where user_id = $1", [
      counter.userId,
    ]);
    expect(rows[0].lasting.days).toBe(permanentLoginDays);
    await query("update logins set expires_at = now() - interval '1 second' where user_id = $1", [
      counter.userId,
    ]);
    expect(await callerOf(counter)).toBeNull();
  });

  test.each(["is_active = false", "deleted_at = now()"])("ends at once with %s", async (change) => {
    await query(`update users set ${change} where id = $1`, [counter.userId]);
    expect(await callerOf(counter)).toBeNull();
  });
});

describe("the login of a temporary counter", () => {
  let counter: TestCounter;

  beforeEach(async () => {
    await query("update sessions set ended_at = null, status = 'active'");
    counter = await join(server, session, { locationId: store.locationId });
  });

  test("opens to the invitation's store, session and location", async () => {
    expect(await callerOf(counter)).toMatchObject({
      role: "counter",
      invitation: {
        id: counter.invitationId,
        sessionId: session._id,
        storeId: store.id,
        locationId: store.locationId,
      },
    });
  });

  test.each([
    ["13 days 23 hours", true],
    ["14 days 1 minute", false],
    ["-13 days", true],
    ["-1 year", false],
  ])("%s after the end of the session opens: %s", async (ago, opens) => {
    await query("update sessions set status = 'closed', ended_at = now() - $1::interval", [ago]);
    expect((await callerOf(counter)) !== null).toBe(opens);
  });

  test("ends at once with the invitation", async () => {
    await query("update invitations set revoked_at = now() where id = $1", [counter.invitationId]);
    expect(await callerOf(counter)).toBeNull();
  });
});
