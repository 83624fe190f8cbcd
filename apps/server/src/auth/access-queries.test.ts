import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import type { Caller } from "../kernel/caller.ts";
import { canAccessSession, canAccessStore, canSendScansTo, canSendToRunning } from "./access-queries.ts";

type Status = "active" | "ending" | "closed";

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

/** Every kind of session, each in a store of its own. */
const kinds: Readonly<Record<string, { readonly status: Status; readonly endedAt: Date | null }>> = {
  active: { status: "active", endedAt: null },
  ending: { status: "ending", endedAt: null },
  "just over": { status: "closed", endedAt: daysAgo(13.99) },
  over: { status: "closed", endedAt: daysAgo(14.01) },
  "over by a clock that was ahead": { status: "closed", endedAt: daysAgo(-13.99) },
  "over by a clock that was a month ahead": { status: "closed", endedAt: daysAgo(-30) },
  "invited to": { status: "closed", endedAt: daysAgo(400) },
};

let db: TestDatabase;
let invitedTo: { readonly sessionId: string; readonly storeId: string };

beforeAll(async () => {
  db = await createTestDatabase();
  for (const [name, { status, endedAt }] of Object.entries(kinds)) {
    const { id: storeId } = await db.database
      .insertInto("stores")
      .values({ name, shopifyLocationId: randomUUID() })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { id: sessionId } = await db.database
      .insertInto("sessions")
      .values({
        ...{ storeId, status, scope: "full", shopDomain: "shop", currency: "USD", items: 0 },
        ...{ shopifyLocationId: "gid://1", startSnapshotAt: daysAgo(500), endSnapshotAt: endedAt, endedAt },
        ...{ startedBy: null, endedBy: null },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    invitedTo = { sessionId, storeId };
  }
});
afterAll(() => db.drop());

function callers(): Readonly<Record<string, Caller>> {
  const signedIn = { userId: randomUUID(), username: "Ada", loginHash: Buffer.alloc(32) };
  const invitation = { id: randomUUID(), ...invitedTo, locationId: null };
  return {
    administrator: { ...signedIn, role: "admin" },
    "permanent counter": { ...signedIn, role: "counter", invitation: null },
    "temporary counter": { ...signedIn, role: "counter", invitation },
  };
}

/** The kinds of session whose store, and which themselves, the caller reaches; and to which the caller may send scans. */
async function reached(caller: Caller) {
  const { rows } = await sql<{ name: string; store: boolean; session: boolean; scans: boolean }>`
    select stores.name, ${canAccessStore(caller, sql.ref("stores.id"))} as store,
      ${canAccessSession(caller, "sessions")} as session, ${canSendScansTo(caller, "sessions")} as scans
    from sessions join stores on stores.id = sessions.store_id`.execute(db.database);
  const those = (is: (row: (typeof rows)[number]) => boolean) =>
    rows
      .filter(is)
      .map(({ name }) => name)
      .sort();
  return {
    stores: those(({ store }) => store),
    sessions: those(({ session }) => session),
    scans: those(({ scans }) => scans),
  };
}

const all = Object.keys(kinds).sort();
const running = ["active", "ending"];
const own = ["invited to"];

test.each([
  ["administrator", { stores: all, sessions: all, scans: all }],
  [
    "permanent counter",
    {
      stores: running,
      sessions: running,
      scans: ["active", "ending", "just over", "over by a clock that was ahead"],
    },
  ],
  ["temporary counter", { stores: own, sessions: own, scans: own }],
])("%s", async (name, expected) => {
  const caller = callers()[name];
  if (caller === undefined) throw new Error("There is no such caller.");
  expect(await reached(caller)).toEqual(expected);
});

test("to a session that runs scans may be sent by whom the database says so of", async () => {
  for (const caller of Object.values(callers())) {
    const { rows } = await sql<{ id: string; scans: boolean }>`
      select id, ${canSendScansTo(caller, "sessions")} as scans from sessions where status <> 'closed'`.execute(
      db.database,
    );
    const said = rows.map(({ id }) => canSendToRunning(caller, id));
    expect(said).toEqual(rows.map(({ scans }) => scans));
  }
});
