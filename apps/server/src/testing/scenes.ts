import { randomBytes } from "node:crypto";
import { type CountingSession, type SessionScope, startSession } from "@stocktake/contract";
import { createLogin } from "../auth/login-queries.ts";
import type { TestApi } from "./test-api.ts";
import type { TestServer } from "./test-server.ts";

export interface TestArea {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

/** A store with one location and areas in it. */
export interface TestStore {
  readonly id: string;
  readonly name: string;
  readonly shopifyLocationId: string;
  readonly locationId: string;
  readonly areas: readonly TestArea[];
}

export interface StoreOptions {
  readonly name?: string;
  /** The name of a location of the emulated shop; the first that no store has unless told. */
  readonly shopifyLocation?: string;
  readonly areaCodes?: readonly string[];
}

/** Ends the sessions and deletes the stores that earlier tests have left, so that the shop's locations are free again. */
export async function clearStores(server: TestServer): Promise<void> {
  await server.database.pool.query(`
    update sessions set status = 'closed', ended_at = now() where status <> 'closed';
    update stores set deleted_at = now()`);
}

/**
 * Puts a store with a location "Sales floor" and areas A1 and A2 (unless told) into the database. The
 * first store of a server is at High Street, the second at Harbour.
 */
export async function makeStore(server: TestServer, options: StoreOptions = {}): Promise<TestStore> {
  const { database } = server.database;
  const { areaCodes = ["A1", "A2"] } = options;
  const { id: shopifyLocationId, name: shopifyName } = await shopifyLocation(server, options.shopifyLocation);
  const name = options.name ?? shopifyName;
  const { id } = await database
    .insertInto("stores")
    .values({ name, shopifyLocationId })
    .returning("id")
    .executeTakeFirstOrThrow();
  const locationId = await makeLocation(server, id, "Sales floor");
  const areas = await makeAreas(server, { storeId: id, locationId, codes: areaCodes });
  return { id, name, shopifyLocationId, locationId, areas };
}

export async function makeLocation(server: TestServer, storeId: string, name: string): Promise<string> {
  const { id } = await server.database.database
    .insertInto("locations")
    .values({ storeId, name })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Areas named like "Area A1". Made before a session starts: a running one gives its areas passes of their own. */
export async function makeAreas(
  server: TestServer,
  place: { readonly storeId: string; readonly locationId: string; readonly codes: readonly string[] },
): Promise<TestArea[]> {
  const { storeId, locationId, codes } = place;
  if (codes.length === 0) return [];
  return server.database.database
    .insertInto("areas")
    .values(
      codes.map((code) => ({
        storeId,
        locationId,
        code,
        name: `Area ${code}`,
        closedBy: null,
      })),
    )
    .returning(["id", "code", "name"])
    .execute();
}

/** A location of the emulated shop: the one of that name, or the first active one that no store has. */
async function shopifyLocation(server: TestServer, name: string | undefined) {
  const { locations } = await server.shop.snapshot();
  const stores = await server.database.database
    .selectFrom("stores")
    .select("shopifyLocationId")
    .where("deletedAt", "is", null)
    .execute();
  const taken = new Set(stores.map((store) => store.shopifyLocationId));
  const location = locations.find((candidate) =>
    name === undefined ? candidate.isActive && !taken.has(candidate.id) : candidate.name === name,
  );
  if (location === undefined) throw new Error(`The emulated shop has no location ${name ?? "left"}.`);
  return location;
}

/** Starts a session the way the administrator does. */
export async function begin(
  server: TestServer,
  store: TestStore,
  scope: SessionScope = "full",
): Promise<CountingSession> {
  const answer = await server.admin.call(startSession, { body: { storeId: store.id, scope } });
  if (!("session" in answer)) throw new Error("The session was not started in time.");
  return answer.session;
}

export interface TestCounter {
  readonly userId: string;
  readonly username: string;
  readonly invitationId: string | null;
  readonly api: TestApi;
}

/** A temporary counter of a session, as an accepted invitation makes one. */
export async function join(
  server: TestServer,
  session: CountingSession,
  {
    name = "Ada",
    locationId = null,
    email = "counter@example.com",
    askedName = null,
  }: { name?: string; locationId?: string | null; email?: string; askedName?: string | null } = {},
): Promise<TestCounter> {
  const { database } = server.database;
  const { id: invitationId } = await database
    .insertInto("invitations")
    .values({
      sessionId: session._id,
      storeId: session.storeId._id,
      locationId,
      counterName: name,
      askedName,
      email,
      tokenHash: randomBytes(32),
      tokenEnding: "abcdefghijkl",
      sentAt: new Date(),
      usedAt: new Date(),
      revokedAt: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return signIn(server, name, invitationId);
}

/** A permanent counter account, signed in. */
export function makePermanentCounter(server: TestServer, name = "Grace"): Promise<TestCounter> {
  return signIn(server, name, null);
}

async function signIn(
  server: TestServer,
  username: string,
  invitationId: string | null,
): Promise<TestCounter> {
  return server.database.database.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto("users")
      .values({ username, role: "counter", passwordHash: null, invitationId })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { token } = await createLogin(transaction, { id, isTemporary: invitationId !== null }, null, null);
    return { userId: id, username, invitationId, api: server.as(token) };
  });
}
