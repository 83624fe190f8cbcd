import { randomBytes, randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { createLogin } from "../../../auth/login-queries.ts";
import { join, makePermanentCounter } from "../../../testing/scenes.ts";
import type { TestApi } from "../../../testing/test-api.ts";
import type { TestServer } from "../../../testing/test-server.ts";
import { counterPassword, nowhere, type Place, type Scene, setScene } from "../testing.ts";
import { putSearchList } from "../testing-searches.ts";

/** Everybody who may come by, each a column of docs/AUTHORISATION.md. */
export const kindsOfPerson = [
  "nobody",
  "revoked counter",
  "counter",
  "counter elsewhere",
  "former counter",
  "permanent counter",
  "administrator",
] as const;
export type KindOfPerson = (typeof kindsOfPerson)[number];

/** Whose ids a call names: the caller's own, another session's of the same store, another store's, nobody's. */
export const kindsOfId = ["own", "other session", "other store", "missing"] as const;
export type KindOfId = (typeof kindsOfId)[number];

export interface Person {
  readonly kind: KindOfPerson;
  readonly api: TestApi;
  readonly places: Readonly<Record<KindOfId, Place>>;
  /** Ids and names that no answer to this person may hold. */
  readonly hidden: readonly string[];
  /** The same person on another device, where a call may end the login. */
  onAnotherDevice(): Promise<TestApi>;
}

/** Opens a login of its own for a user. */
async function signInAgain(server: TestServer, id: string, isTemporary: boolean): Promise<TestApi> {
  const { token } = await server.database.database
    .transaction()
    .execute((transaction) => createLogin(transaction, { id, isTemporary }, null, null));
  return server.as(token);
}

/** The id of another login of a user. */
async function openLogin(server: TestServer, userId: string): Promise<string> {
  const { logins } = await (await signInAgain(server, userId, false)).call(contract.listLogins, {});
  return logins.find(({ isThisOne }) => isThisOne)?._id ?? "";
}

/** The place with a login and a passkey of the administrator. */
async function ofAdministrator(server: TestServer, place: Place, userId: string): Promise<Place> {
  const { id: passkeyId } = await server.database.database
    .insertInto("passkeys")
    .values({
      ...{ userId, name: "Key ring", credentialId: randomUUID(), publicKey: Buffer.alloc(0) },
      ...{ signCount: 0, transports: [], lastUsedAt: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { ...place, passkeyId, loginId: await openLogin(server, userId) };
}

/** The token of an invitation that nobody has accepted yet. */
async function invite(server: TestServer, { place }: Scene): Promise<string> {
  const { sessionId, storeId } = place;
  const body = { sessionId, storeId, email: "late@example.com", counterName: "Late" };
  await server.admin.call(contract.createInvitation, { body });
  const { mails } = await server.admin.call(contract.listOutboxMails, {});
  return mails[0]?.link.split("/").at(-1) ?? "";
}

/** The session's code, and somebody who waits to be admitted by it. */
async function openCode(server: TestServer, { place: { sessionId } }: Scene) {
  const { code } = await server.admin.call(contract.openSessionCode, { params: { sessionId } });
  const codeToken = code.link.split("/").at(-1) ?? "";
  const joinKey = randomBytes(32).toString("base64url");
  const body = { counterName: "Waiting", key: joinKey };
  await server.stranger.call(contract.askToJoin, { params: { token: codeToken }, body });
  const { requests } = await server.admin.call(contract.readSessionCode, { params: { sessionId } });
  return { sessionCodeId: code._id, codeToken, joinKey, joinRequestId: requests[0]?._id ?? "" };
}

/** A permanent counter who can sign in with the password of the samples, a deploy that was taken back, and what began the session. */
async function complete(server: TestServer, scene: Scene, accountId: string): Promise<Place> {
  const { database } = server.database;
  const { sessionId, storeId } = scene.place;
  const invitationToken = await invite(server, scene);
  const code = await openCode(server, scene);
  const { id: adjustmentId } = await database
    .insertInto("adjustments")
    .values({
      ...{
        sessionId,
        status: "applied",
        basis: "end",
        zeroUncounted: false,
        totalAdjustments: 0,
        note: null,
      },
      ...{ appliedBy: null, rollbackRequestedAt: null, rollbackRequestedBy: null, rolledBackAt: new Date() },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await database
    .insertInto("adjustmentRows")
    .values({
      ...{ adjustmentId, sku: "JK-1000", inventoryItemId: "1", direction: "deploy", chunk: 0, delta: 1 },
      ...{ state: "confirmed", unmovable: null, note: null, keptOnHand: null, activation: null },
      ...{ activationKey: null, activatedAt: null, settledBy: null, settledAt: null },
    })
    .execute();
  const { id: noticeId } = await database
    .insertInto("notices")
    .values({ kind: "guessing", facts: JSON.stringify({ login: "admin", wrongPasswords: 31, addresses: 4 }) })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { areaId } = scene.place;
  const sheet = { areaIds: [areaId], order: "title" as const };
  await server.admin.call(contract.printSheets, { params: { id: sessionId }, body: sheet });
  await putSearchList(server, scene.place, ["JK-1001", "JK-1002"]);
  const { id: operationId } = await database
    .selectFrom("operations")
    .select("id")
    .where("storeId", "=", storeId)
    .executeTakeFirstOrThrow();
  const { username } = await database
    .selectFrom("users")
    .select("username")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  return {
    ...scene.place,
    ...code,
    invitationToken,
    adjustmentId,
    noticeId,
    operationId,
    accountId,
    username,
  };
}

async function makeAccount(server: TestServer, username: string): Promise<string> {
  const body = { username, password: counterPassword };
  const { counter } = await server.admin.call(contract.createCounter, { body });
  return counter._id;
}

const end = (server: TestServer, { place: { sessionId } }: Scene) =>
  server.admin.call(contract.endSession, { body: { sessionId } });

/** What tells of a session, and of its store where that is another one. */
const ofSession = (place: Place) => [place.sessionId, place.invitationId, place.userId];
const ofStore = (place: Place) => [place.storeId, place.locationId, place.areaId, ...ofSession(place)];

/**
 * Three stores and everybody: one store that was counted before and is counted now, another that is counted, and one that
 * is not counted any more.
 */
export async function assemblePeople(server: TestServer): Promise<readonly Person[]> {
  const accountId = await makeAccount(server, "Edsger");
  const earlier = await setScene(server);
  const before = await complete(server, earlier, accountId);
  await end(server, earlier);
  const present = await setScene(server, earlier.store);
  const here = await complete(server, present, accountId);
  const foreign = await setScene(server);
  const elsewhere = await complete(server, foreign, accountId);
  const over = await setScene(server);
  const idle = await complete(server, over, accountId);
  await end(server, over);
  // Longer ago than scans are still taken.
  await server.database.pool.query(
    "update sessions set ended_at = now() - interval '15 days' where id = $1",
    [idle.sessionId],
  );

  const revoked = await join(server, present.session, { name: "Revoked" });
  await server.admin.call(contract.revokeInvitation, { params: { id: revoked.invitationId ?? "" } });
  const permanent = await makePermanentCounter(server);
  const { user: admin } = await server.admin.call(contract.whoAmI, {});

  const places = (own: Place, session: Place, store: Place) => ({
    own,
    "other session": session,
    "other store": store,
    missing: nowhere,
  });
  const counting = places(here, before, elsewhere);
  const administrators = places(
    await ofAdministrator(server, here, admin._id),
    await ofAdministrator(server, before, admin._id),
    await ofAdministrator(server, elsewhere, admin._id),
  );
  const { loginId: anothers } = administrators.own;
  const counters = places(
    { ...here, loginId: await openLogin(server, permanent.userId) },
    { ...before, loginId: anothers },
    { ...idle, loginId: anothers },
  );
  const temporary = (kind: KindOfPerson, { counter }: Scene) => ({
    kind,
    api: counter.api,
    onAnotherDevice: () => signInAgain(server, counter.userId, true),
  });
  return [
    {
      ...{ kind: "nobody", api: server.stranger, places: counting, hidden: [] },
      onAnotherDevice: async () => server.stranger,
    },
    {
      ...{ kind: "revoked counter", api: revoked.api, places: counting, hidden: [] },
      onAnotherDevice: async () => revoked.api,
    },
    {
      ...{ ...temporary("counter", present), places: counting },
      hidden: [...ofSession(before), ...ofStore(elsewhere), ...ofStore(idle)],
    },
    {
      ...{ ...temporary("counter elsewhere", foreign), places: places(elsewhere, elsewhere, here) },
      hidden: [...ofStore(before), ...ofStore(here), ...ofStore(idle)],
    },
    {
      ...{ ...temporary("former counter", earlier), places: places(before, here, elsewhere) },
      hidden: [...ofSession(here), ...ofStore(elsewhere), ...ofStore(idle)],
    },
    {
      ...{ kind: "permanent counter", api: permanent.api, places: counters },
      hidden: [...ofSession(before), ...ofStore(idle)],
      onAnotherDevice: () => signInAgain(server, permanent.userId, false),
    },
    {
      ...{ kind: "administrator", api: server.admin, places: administrators, hidden: [] },
      onAnotherDevice: () => signInAgain(server, admin._id, false),
    },
  ];
}
