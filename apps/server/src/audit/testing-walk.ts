import { createHmac, randomBytes, randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { nameOf } from "../assembly/http/testing.ts";
import type { Given, TestApi } from "../testing/test-api.ts";
import { adminPassword, type TestServer, tokenOf, webhookSecret } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { mergeAndCopy } from "./testing-areas.ts";
import { coverUp } from "./testing-coverage.ts";
import { countOnPaper } from "./testing-paper.ts";
import { searchFor } from "./testing-searches.ts";
import { countTwice } from "./testing-second-count.ts";
import { guardAccount } from "./testing-second-factor.ts";
import { settleUp } from "./testing-settling.ts";

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

export interface Floor {
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
  await walk.act(contract.updateArea, { params: { id: areas[1]?._id ?? "" }, body: { name: "Window" } });
  await mergeAndCopy(walk, storeId, areas[1]?._id ?? "");
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

/** Plans sessions: one is deleted, one changed and started, twice, and ended. */
async function planSessions(walk: AuditWalk, storeId: string): Promise<string> {
  const people = [{ counterName: "Zed", email: "zed@example.com" }];
  const planned = { scope: "full" as const, areaIds: null, people };
  const { plan } = await walk.act(contract.createPlan, { body: { storeId, ...planned } });
  await walk.act(contract.deletePlan, { params: { id: plan._id } });
  const { plan: other } = await walk.act(contract.createPlan, {
    body: { storeId, ...planned, people: null },
  });
  const params = { id: other._id };
  for (const note of ["Racks first", "Racks first"])
    await walk.act(contract.updatePlan, { params, body: { ...planned, note } });
  await walk.act(contract.startPlan, { params });
  const started = await walk.act(contract.startPlan, { params });
  if (!("session" in started)) throw new Error("The session was not started in time.");
  const { mails } = await walk.server.admin.call(contract.listOutboxMails, {});
  walk.tokens.push(...mails.map(({ link }) => link.split("/").at(-1) ?? ""));
  await walk.act(contract.endSession, { body: { sessionId: started.session._id } });
  await coverUp(walk, started.session._id);
  return started.session._id;
}

/** Starts a session and brings a counter in; returns the session and the counter's login. */
async function invite(walk: AuditWalk, storeId: string): Promise<{ sessionId: string; counter: TestApi }> {
  const { server } = walk;
  const started = await walk.act(contract.startSession, { body: { storeId } });
  if (!("session" in started)) throw new Error("The session was not started in time.");
  const sessionId = started.session._id;
  for (const _ of [1, 2])
    await walk.act(contract.updateSession, { params: { id: sessionId }, body: { name: "Spring count" } });
  const pack = { code: "PACK-OF-12", sku: "JK-1000", units: 12 };
  await walk.act(contract.savePacks, { body: { packs: [pack] } });
  await walk.act(contract.savePacks, { body: { packs: [pack] } });
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

/** Assigns areas, twice the same. */
async function assign(walk: AuditWalk, sessionId: string, areaIds: readonly string[]): Promise<void> {
  const params = { id: sessionId };
  const { people } = await walk.server.admin.call(contract.readAssignments, { params });
  const body = {
    enforced: true,
    people: people.slice(0, 1).map(({ _id }) => ({ personId: _id, areaIds: areaIds.slice(0, 1) })),
  };
  for (const _ of [1, 2]) await walk.act(contract.assignAreas, { params, body });
  await walk.server.admin.call(contract.assignAreas, { params, body: { enforced: false } });
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
  // Of one person alone, after whom nobody is left to wait for.
  const ownTotal = { ...area, deviceId, declaredTotal: 0, own: true, opId: randomUUID() };
  await walk.act(contract.finishArea, { body: ownTotal }, counter);
  await walk.act(contract.finishArea, { body: ownTotal }, counter);
  await walk.act(contract.restorePass, { body: { areaId: areaIds[0] ?? "", pass: 2 } });
  await walk.act(contract.resetArea, { body: { ...area, opId: randomUUID() } }, counter);
  await counter.call(contract.postScan, { body: { ...scan, input: "JK-1001", seq: 9 } });
  await walk.act(contract.finishArea, { body: { ...area, deviceId, declaredTotal: 1 } }, counter);
  await countTwice(walk, floor, sessionId);
  await searchFor(walk, sessionId);
  await walk.act(contract.reopenArea, { body: { areaId: areaIds[0] ?? "", eraseScans: true } });
  // A sale, and a device that can't tell when it scanned: nobody can tell what the count is to be compared with.
  await walk.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  const unknown = { ...scan, input: "NO-SUCH-CODE", timeUnknown: true };
  for (const [seq, decision] of [
    [3, { action: "accept", sku: "JK-1000" }],
    [4, { action: "dismiss" }],
  ] as const) {
    const sent = await walk.act(contract.postScan, { body: { ...unknown, seq } }, counter);
    await walk.act(contract.resolveScan, { params: { id: sent.scan._id }, body: decision });
    await decideAgain(walk, sessionId, { ...decision, scanIds: [sent.scan._id] });
  }
  await walk.act(contract.logout, {}, counter);
}

/** Takes a decision back and makes it again, each twice. */
async function decideAgain(
  walk: AuditWalk,
  id: string,
  body: contract.CallInput<typeof contract.decideExceptions>["body"],
): Promise<void> {
  const [params, again] = [{ id }, { scanIds: body.scanIds }];
  for (const _ of [1, 2]) await walk.act(contract.takeBackDecisions, { params, body: again });
  for (const _ of [1, 2]) await walk.act(contract.decideExceptions, { params, body });
}

/** The sessions that were started: one outright, and one that was planned. */
interface Walked {
  readonly sessionId: string;
  readonly plannedSessionId: string;
  readonly followUpId: string;
}

/** A session of one product of another that has ended. */
async function followUp(walk: AuditWalk, id: string): Promise<string> {
  const started = await walk.act(contract.startFollowUp, { params: { id }, body: { skus: ["JK-1001"] } });
  if (!("session" in started)) throw new Error("The session was not started in time.");
  const { _id: sessionId } = started.session;
  await walk.server.admin.call(contract.endSession, { body: { sessionId } });
  return sessionId;
}

/** Makes every call that changes anything at least once, in a life of a store from its beginning to its end. */
export async function walkThroughEverything(walk: AuditWalk): Promise<Walked> {
  const floor = await setUp(walk);
  await changeAccounts(walk);
  const { sessionId, counter } = await invite(walk, floor.storeId);
  await assign(walk, sessionId, floor.areaIds);
  await askByCode(walk, sessionId);
  await count(walk, floor, sessionId, counter);
  await countOnPaper(walk, sessionId, floor.areaIds[1] ?? "");
  await settleUp(walk, sessionId);
  await walk.hint("inventory_levels/update");
  const followUpId = await followUp(walk, sessionId);
  const plannedSessionId = await planSessions(walk, floor.storeId);
  await walk.act(contract.deleteStore, { params: { id: floor.storeId } });
  return { sessionId, plannedSessionId, followUpId };
}
