import { createHmac, randomBytes, randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { nameOf } from "../assembly/http/testing.ts";
import type { Given, TestApi } from "../testing/test-api.ts";
import { adminPassword, type TestServer, tokenOf, webhookSecret } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { guardAccount } from "./testing-second-factor.ts";

/** A call that was made, and the actions that the audit log took from it. */
export type Recorded = readonly [call: string, actions: readonly string[]];

/** What must never be in the log. */
export const secrets = { counterPassword: "from-the-navy", newCounterPassword: "to-the-army" } as const;

/** Makes calls one after the other and notes what each left in the audit log. */
export class AuditWalk {
  readonly server: TestServer;
  readonly recorded: Recorded[] = [];
  /** The tokens of the invitations' links. */
  readonly tokens: string[] = [];
  /** The secret of the authenticator app, and the recovery codes. */
  readonly codes: string[] = [];
  private seen = 0;

  constructor(server: TestServer) {
    this.server = server;
  }

  async act<const Definition extends contract.CallDefinition>(
    call: Definition,
    given: Given<Definition>,
    api: TestApi = this.server.admin,
  ): Promise<contract.CallAnswer<Definition>> {
    return this.record(call, () => api.call(call, given));
  }

  /** Shopify's own call, which it signs. */
  async hint(topic: string): Promise<void> {
    const signature = createHmac("sha256", webhookSecret).update("{}").digest("base64");
    const headers = { "x-shopify-topic": topic, "x-shopify-hmac-sha256": signature };
    const call = contract.shopifyWebhook;
    const { status } = await this.record(call, () =>
      this.server.stranger.request(call.method, call.path, { body: {}, headers }),
    );
    if (status !== 200) throw new Error(`The hint was answered ${status}.`);
  }

  private async record<Answer>(call: contract.CallDefinition, make: () => Promise<Answer>): Promise<Answer> {
    await this.newActions();
    const answer = await make();
    this.recorded.push([nameOf(call), await this.newActions()]);
    return answer;
  }

  private async newActions(): Promise<string[]> {
    const rows = await this.server.database.database
      .selectFrom("auditEntries")
      .select(["id", "action"])
      .where("id", ">", this.seen)
      .orderBy("id")
      .execute();
    this.seen = rows.at(-1)?.id ?? this.seen;
    return rows.map(({ action }) => action);
  }
}

interface Floor {
  readonly storeId: string;
  readonly locationId: string;
  readonly areaIds: readonly string[];
}

/** Sets a store up and changes it, its locations and areas. */
async function setUp(walk: AuditWalk): Promise<Floor> {
  const { locations } = await walk.server.admin.call(contract.listShopifyLocations, {});
  const shopifyLocationId = locations.find(({ name }) => name === highStreet)?.id ?? "";
  const { store } = await walk.act(contract.createStore, { body: { name: "Harbour", shopifyLocationId } });
  const storeId = store._id;
  await walk.act(contract.updateStore, { params: { id: storeId }, body: { name: "High Street" } });
  await walk.act(contract.updateStore, { params: { id: storeId }, body: { name: "High Street" } });
  const { location } = await walk.act(contract.createLocation, { body: { name: "Floor", storeId } });
  const locationId = location._id;
  await walk.act(contract.updateLocation, { params: { id: locationId }, body: { name: "Sales floor" } });
  const codes = ["A1", "A2", "A3"].map((code) => ({ code }));
  const { areas } = await walk.act(contract.createAreas, {
    params: { id: locationId },
    body: { areas: codes },
  });
  await walk.act(contract.deleteArea, { params: { id: areas[2]?._id ?? "" } });
  const spare = await walk.act(contract.createLocation, { body: { name: "Cellar", storeId } });
  await walk.act(contract.deleteLocation, { params: { id: spare.location._id } });
  return { storeId, locationId, areaIds: areas.map(({ _id }) => _id) };
}

async function changeAccounts(walk: AuditWalk): Promise<void> {
  const { counterPassword, newCounterPassword } = secrets;
  const body = { username: "Grace", password: counterPassword };
  const { counter } = await walk.act(contract.createCounter, { body });
  const params = { id: counter._id };
  await walk.act(contract.updateCounter, { params, body: { password: newCounterPassword } });
  await walk.act(contract.updateCounter, { params, body: {} });
  const { stranger } = walk.server;
  const login = { username: "Grace", password: newCounterPassword };
  await walk.act(contract.counterLogin, { body: login }, stranger);
  await walk.act(contract.deleteCounter, { params });
  await walk.act(contract.adminLogin, { body: { password: adminPassword } }, stranger);
  await endLogins(walk);
  const passwords = { currentPassword: adminPassword, newPassword: adminPassword };
  await walk.act(contract.changeAdminPassword, { body: passwords });
  const { id } = await walk.server.database.database
    .insertInto("notices")
    .values({ kind: "guessing", facts: JSON.stringify({ login: "admin", wrongPasswords: 31, addresses: 4 }) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await walk.act(contract.dismissNotice, { params: { id } });
  await guardAccount(walk);
}

async function endLogins(walk: AuditWalk): Promise<void> {
  const { logins } = await walk.server.admin.call(contract.listLogins, {});
  await walk.act(contract.endOwnLogin, { params: { id: logins.at(-1)?._id ?? "" } });
  await walk.server.stranger.call(contract.adminLogin, { body: { password: adminPassword } });
  await walk.act(contract.endOtherLogins, {});
  await walk.act(contract.endOtherLogins, {});
}

/** Starts a session and brings a counter in; returns the session and the counter's login. */
async function invite(walk: AuditWalk, storeId: string): Promise<{ sessionId: string; counter: TestApi }> {
  const { server } = walk;
  const started = await walk.act(contract.startSession, { body: { storeId } });
  if (!("session" in started)) throw new Error("The session was not started in time.");
  const sessionId = started.session._id;
  const body = { sessionId, storeId, email: "ada@example.com", counterName: "Ada" };
  const { invitation } = await walk.act(contract.createInvitation, { body });
  await walk.act(contract.revokeInvitation, { params: { id: invitation._id } });
  await walk.act(contract.createInvitation, { body });
  const { mails } = await server.admin.call(contract.listOutboxMails, {});
  walk.tokens.push(...mails.map(({ link }) => link.split("/").at(-1) ?? ""));
  const params = { token: walk.tokens[0] ?? "" };
  await walk.act(contract.acceptInvitation, { params }, server.stranger);
  await walk.act(contract.acceptInvitation, { params }, server.stranger);
  const joined = await server.stranger.send(contract.acceptInvitation, { params });
  return { sessionId, counter: server.as(tokenOf(joined.headers)) };
}

/** Lets people ask by a session code: one is declined and then admitted, one admitted with everybody, one by the server. */
async function askByCode(walk: AuditWalk, sessionId: string): Promise<void> {
  const { admin, stranger } = walk.server;
  const { code } = await walk.act(contract.openSessionCode, { params: { sessionId } });
  await walk.act(contract.openSessionCode, { params: { sessionId } });
  const token = code.link.split("/").at(-1) ?? "";
  walk.tokens.push(token);
  const ask = (counterName: string) => {
    const key = randomBytes(32).toString("base64url");
    walk.tokens.push(key);
    return walk.act(contract.askToJoin, { params: { token }, body: { counterName, key } }, stranger);
  };
  await ask("Tom");
  const { requests } = await admin.call(contract.readSessionCode, { params: { sessionId } });
  const params = { id: requests[0]?._id ?? "" };
  await walk.act(contract.declinePerson, { params });
  await walk.act(contract.declinePerson, { params });
  await walk.act(contract.admitPerson, { params });
  await walk.act(contract.admitPerson, { params });
  await ask("Zoe");
  const ofCode = { params: { id: code._id } };
  await walk.act(contract.admitAll, { ...ofCode, body: { admitting: true } });
  await ask("Kim");
  await walk.act(contract.admitAll, { ...ofCode, body: { admitting: false } });
  await walk.act(contract.revokeSessionCode, ofCode);
}

async function count(walk: AuditWalk, floor: Floor, sessionId: string, counter: TestApi): Promise<void> {
  const { storeId, locationId, areaIds } = floor;
  const deviceId = "device-1";
  const area = { sessionId, areaCode: "A1", locationId };
  const scan = { ...area, storeId, inputType: "sku", deviceId, method: "scan" } as const;
  await walk.act(contract.postScan, { body: { ...scan, input: "JK-1000", seq: 1 } }, counter);
  const again = { ...scan, input: "JK-1001", seq: 2 };
  await walk.act(contract.postScanBatch, { body: { scans: [again], pending: 0 } }, counter);
  await walk.act(contract.undoScan, { body: { ...area, deviceId, seq: 2 } }, counter);
  const mismatch = { ...area, deviceId, declaredTotal: 9, opId: randomUUID() };
  await walk.act(contract.finishArea, { body: mismatch }, counter);
  await walk.act(contract.finishArea, { body: mismatch }, counter);
  await walk.act(contract.finishArea, { body: { ...mismatch, opId: randomUUID() } }, counter);
  await walk.act(contract.restorePass, { body: { areaId: areaIds[0] ?? "", pass: 2 } });
  await walk.act(contract.resetArea, { body: { ...area, opId: randomUUID() } }, counter);
  await walk.act(contract.finishArea, { body: { ...area, deviceId, declaredTotal: 0 } }, counter);
  await walk.act(contract.reopenArea, { body: { areaId: areaIds[0] ?? "", eraseScans: true } });
  // A sale, and a device that doesn't know when it scanned: nobody can tell what the count is to be compared with.
  await walk.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  const unknown = { ...scan, input: "NO-SUCH-CODE", timeUnknown: true };
  for (const [seq, decision] of [
    [3, { action: "accept", sku: "JK-1000" }],
    [4, { action: "dismiss" }],
  ] as const) {
    const sent = await walk.act(contract.postScan, { body: { ...unknown, seq } }, counter);
    await walk.act(contract.resolveScan, { params: { id: sent.scan._id }, body: decision });
  }
  await walk.act(contract.logout, {}, counter);
}

/** Ends the session, changes the report, deploys, settles what is left open, and rolls back. */
async function settleUp(walk: AuditWalk, sessionId: string): Promise<void> {
  const params = { sessionId };
  await walk.act(contract.endSession, { body: { sessionId } });
  for (const included of [true, true, false]) {
    await walk.act(contract.includeFigures, { params, body: { skus: ["JK-1000"], included } });
  }
  for (const [sku, newCount] of [
    ["JK-1000", 5],
    ["JK-1001", 10],
    ["JK-1002", 3],
  ] as const) {
    await walk.act(contract.adjustCount, { params, body: { sku, newCount, reason: "recount" } });
  }
  await walk.act(contract.setBasis, { params, body: { basis: "count" } });
  await walk.act(contract.setBasis, { params, body: { basis: "end" } });
  await walk.act(contract.setBasis, { params, body: { basis: "end" } });
  await sql`update sessions set restored = true, backup_made_at = now() where id = ${sessionId}`.execute(
    walk.server.database.database,
  );
  for (let times = 0; times < 2; times += 1) {
    await walk.act(contract.releaseSession, { params: { id: sessionId }, body: {} });
  }
  const { admin } = walk.server;
  await cancelInHand(walk, sessionId, () => admin.call(contract.deployReport, { params, body: {} }));
  await cancelInHand(walk, sessionId, () => admin.call(contract.rollbackReport, { params }));
  await walk.act(contract.deployReport, { params, body: {} });
  const { adjustments } = await walk.server.admin.call(contract.listAdjustments, { params });
  const adjustmentId = adjustments[0]?._id ?? "";
  await undoMove(walk, adjustmentId, "JK-1000", "unclear");
  await walk.act(contract.settleRow, { params: { adjustmentId }, body: { sku: "JK-1000", applied: true } });
  await undoMove(walk, adjustmentId, "JK-1001", "not_moved");
  await walk.act(contract.resumeAdjustment, { params: { adjustmentId } });
  await undoMove(walk, adjustmentId, "JK-1002", "not_moved");
  await walk.act(contract.leaveRows, { params: { adjustmentId } });
  await walk.server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
  await walk.act(contract.rollbackReport, { params });
  await walk.server.shop.changeVariant({ item: "JK-1000", change: { tracked: true } });
  await walk.act(contract.resumeAdjustment, { params: { adjustmentId } });
}

/** Cancels a move whose one call Shopify is already working on: it ends as if nobody had. */
async function cancelInHand(walk: AuditWalk, sessionId: string, move: () => Promise<unknown>): Promise<void> {
  const { admin, shop } = walk.server;
  const params = { sessionId };
  await shop.addFaults({
    faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "hang", when: "before" } }],
  });
  const moved = move();
  await shop.untilHanging();
  const { adjustments } = await admin.call(contract.listAdjustments, { params });
  await walk.act(contract.cancelAdjustment, { params: { adjustmentId: adjustments[0]?._id ?? "" } });
  await shop.releaseHanging();
  await moved;
}

/** Leaves a SKU of an applied deploy as if it had not been moved, or its outcome were unclear. */
async function undoMove(
  { server }: AuditWalk,
  adjustmentId: string,
  sku: string,
  state: "unclear" | "not_moved",
): Promise<void> {
  const { database } = server.database;
  await sql`delete from stock_ledger where adjustment_id = ${adjustmentId} and sku = ${sku}`.execute(
    database,
  );
  await sql`update adjustment_rows set state = ${state} where adjustment_id = ${adjustmentId} and sku = ${sku}`.execute(
    database,
  );
  await sql`update adjustments set status = 'partial' where id = ${adjustmentId}`.execute(database);
}

/** Makes every call that changes anything at least once, in a life of a store from its beginning to its end. */
export async function walkThroughEverything(walk: AuditWalk): Promise<{ readonly sessionId: string }> {
  const floor = await setUp(walk);
  await changeAccounts(walk);
  const { sessionId, counter } = await invite(walk, floor.storeId);
  await askByCode(walk, sessionId);
  await count(walk, floor, sessionId, counter);
  await settleUp(walk, sessionId);
  await walk.hint("inventory_levels/update");
  await walk.act(contract.deleteStore, { params: { id: floor.storeId } });
  return { sessionId };
}
