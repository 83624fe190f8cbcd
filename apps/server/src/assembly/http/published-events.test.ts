import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { whileBeyondTolerance } from "../../testing/beyond-tolerance.ts";
import { createHeldClock } from "../../testing/held-clock.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { putOpenedDevice } from "../../testing/opened-device.ts";
import { join, makeStore, type TestStore } from "../../testing/scenes.ts";
import type { Given, TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { harbour, highStreet } from "../../testing/test-shop.ts";
import { countSecond } from "./testing-second-counts.ts";

/**
 * Settling needs a SKU that nobody can tell the outcome of: adjustments/planning/moved-by-hand.test.ts listens there. Cancelling
 * needs a deploy that waits: adjustments/cancelling.test.ts does. Accounts are told of where they count: users/names-in-sessions.test.ts.
 */
const madeElsewhere: readonly contract.CallDefinition[] = [
  ...[contract.settleRow, contract.cancelAdjustment, contract.updateCounter, contract.deleteCounter],
];

const published: contract.LiveEvent[] = [];
const made = new Set<contract.CallDefinition>();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    environment: { workClock: createHeldClock(), clock: createHurryingClock() },
  });
  const { events } = server.context;
  const publish = events.publish.bind(events);
  vi.spyOn(events, "publish").mockImplementation((event) => {
    published.push(event);
    publish(event);
  });
});
afterAll(() => server.close());

/** Makes a call; resolves once every type of event that the contract names for it has been published. */
async function make<const Definition extends contract.CallDefinition>(
  definition: Definition,
  given: Given<Definition>,
  api: TestApi = server.admin,
): Promise<contract.CallAnswer<Definition>> {
  const since = published.length;
  const answer = await api.call(definition, given);
  const named: readonly string[] = definition.events ?? [];
  await vi.waitFor(() => {
    const types = published.slice(since).map(({ type }) => type);
    expect(types, `${definition.method} ${definition.path}`).toEqual(expect.arrayContaining([...named]));
  });
  made.add(definition);
  return answer;
}

async function setUpAndTakeDown(): Promise<void> {
  const { locations } = await server.shop.snapshot();
  const free = locations.find(({ name }) => name === "Spare 1");
  const { store } = await make(contract.createStore, {
    body: { name: "Fjord", shopifyLocationId: free?.id ?? "" },
  });
  const params = { id: store._id };
  await make(contract.updateStore, { params, body: { name: "Fjell" } });
  const { location } = await make(contract.createLocation, { body: { name: "Floor", storeId: store._id } });
  const ofLocation = { params: { id: location._id } };
  await make(contract.updateLocation, { ...ofLocation, body: { name: "Sales Floor" } });
  const { areas } = await make(contract.createAreas, {
    ...ofLocation,
    body: { areas: [{ code: "A1" }, { code: "A2" }] },
  });
  await make(contract.mergeAreas, {
    body: { areaId: areas[1]?._id ?? "", intoAreaId: areas[0]?._id ?? "" },
  });
  const other = await makeStore(server, { shopifyLocation: "Spare 2" });
  await make(contract.copyAreas, { params, body: { fromStoreId: other.id } });
  await make(contract.updateArea, { params: { id: areas[0]?._id ?? "" }, body: { name: "Window" } });
  await make(contract.deleteArea, { params: { id: areas[0]?._id ?? "" } });
  await make(contract.deleteLocation, ofLocation);
  await make(contract.deleteStore, { params });
}

async function startSession(store: TestStore): Promise<string> {
  const answer = await make(contract.startSession, { body: { storeId: store.id, scope: "partial" } });
  if (!("session" in answer)) throw new Error("The session was not started in time.");
  return answer.session._id;
}

/** Plans sessions: one is deleted, one changed and started. */
async function startPlanned(store: TestStore): Promise<string> {
  const planned = { scope: "partial" as const, areaIds: null, people: null };
  const plan = async () =>
    (await make(contract.createPlan, { body: { storeId: store.id, ...planned } })).plan;
  await make(contract.deletePlan, { params: { id: (await plan())._id } });
  const params = { id: (await plan())._id };
  await make(contract.updatePlan, { params, body: { ...planned, note: "Racks first" } });
  const answer = await make(contract.startPlan, { params });
  if (!("session" in answer)) throw new Error("The session was not started in time.");
  return answer.session._id;
}

async function invite(store: TestStore, sessionId: string): Promise<void> {
  const person = { sessionId, storeId: store.id, counterName: "Ada" };
  const { invitation } = await make(contract.createInvitation, {
    body: { ...person, email: "ada@example.com" },
  });
  const { mails } = await server.admin.call(contract.listOutboxMails, {});
  const token = mails[0]?.link.split("/").at(-1) ?? "";
  await make(contract.acceptInvitation, { params: { token } }, server.stranger);
  await make(contract.revokeInvitation, { params: { id: invitation._id } });
}

/** Two people who ask by a code: one is declined and then admitted, the other with everybody. */
async function admitByCode(sessionId: string): Promise<void> {
  const { code } = await make(contract.openSessionCode, { params: { sessionId } });
  const ask = async () => {
    const body = { counterName: "Tom", key: randomBytes(32).toString("base64url") };
    const params = { token: code.link.split("/").at(-1) ?? "" };
    await make(contract.askToJoin, { params, body }, server.stranger);
    // A phone that was silent for long, and is back in the list by asking again.
    await server.database.pool.query("update join_requests set heard_at = now() - interval '1 hour'");
    await make(contract.readJoinRequest, { params: { key: body.key } }, server.stranger);
    const { requests } = await server.admin.call(contract.readSessionCode, { params: { sessionId } });
    return { params: { id: requests[0]?._id ?? "" } };
  };
  const person = await ask();
  await make(contract.declinePerson, person);
  await make(contract.admitPerson, person);
  await make(contract.admitAll, { params: { id: code._id }, body: { admitting: true } });
  await make(contract.revokeSessionCode, { params: { id: code._id } });
}

async function count(store: TestStore, session: contract.CountingSession): Promise<void> {
  const { api } = await join(server, session);
  const [area] = store.areas;
  if (area === undefined) throw new Error("The store has no area.");
  const inArea = { sessionId: session._id, locationId: store.locationId, areaCode: area.code };
  const scan = (seq: number, input: string) => ({
    ...{ ...inArea, storeId: store.id, input, inputType: "sku" as const, deviceId: "device-1", seq },
  });
  await make(contract.postScan, { body: scan(1, "JK-1000") }, api);
  await make(contract.undoScan, { body: { ...inArea, deviceId: "device-1" } }, api);
  await make(contract.resetArea, { body: inArea }, api);
  await make(contract.postScanBatch, { body: { scans: [scan(2, "JK-1000")] } }, api);
  await make(contract.finishArea, { body: { ...inArea, deviceId: "device-1", declaredTotal: 1 } }, api);
  await make(contract.reopenArea, { body: { areaId: area.id, eraseScans: true } });
  const { passes } = await server.admin.call(contract.sessionPasses, { params: { id: session._id } });
  const ended = passes.find(({ areaId, endedAs }) => areaId === area.id && endedAs === "reopened");
  await make(contract.restorePass, { body: { areaId: area.id, pass: ended?.pass ?? 0 } });
  await countTwice(store, session);
  const unknown = await api.call(contract.postScan, { body: scan(3, "NO-SUCH") });
  await make(contract.resolveScan, { params: { id: unknown.scan._id }, body: { action: "dismiss" } });
  const params = { id: session._id };
  const rows = [{ row: 2, area: store.areas[2]?.code ?? "", code: "JK-1000", quantity: "3" }];
  await make(contract.checkCountRows, { params, body: { file: "counts.csv", rows } });
  await make(contract.storeCountRows, { params, body: { file: "counts.csv", rows } });
  await searchFor(session._id, api);
  await countOnSheets(session._id, store.areas[2]?.id ?? "");
  const scanIds = [unknown.scan._id];
  await make(contract.takeBackDecisions, { params, body: { scanIds } });
  await make(contract.decideExceptions, { params, body: { action: "dismiss", scanIds } });
}

/** A list of one product, of which somebody says that it is not there, and the administrator that it is. */
async function searchFor(id: string, api: TestApi): Promise<void> {
  const sku = "BELT-1";
  await make(contract.createSearches, { params: { id }, body: { skus: [sku] } });
  const said = { sku, answer: "not_there" as const, deviceId: "device-1" };
  await make(contract.answerSearch, { params: { id, number: "1" }, body: said }, api);
  await make(contract.decideSearch, { params: { id }, body: { sku, answer: "found" } });
  await make(contract.withdrawSearch, { params: { id, number: "1" } });
}

/** One sheet is keyed, another is lost. */
async function countOnSheets(id: string, areaId: string): Promise<void> {
  const body = { areaIds: [areaId], order: "title" as const };
  for (const _ of [1, 2]) await make(contract.printSheets, { params: { id }, body });
  const entries = { others: [{ code: "JK-1000", quantity: 1 }] };
  await make(contract.returnSheet, { params: { id, number: "1" }, body: entries });
  await make(contract.voidSheet, { params: { id, number: "2" }, body: { reason: "Coffee" } });
}

/** The other area is closed as empty, counted twice more, and what differs is settled. */
async function countTwice(store: TestStore, session: contract.CountingSession): Promise<void> {
  const [, area] = store.areas;
  if (area === undefined) throw new Error("The store has no second area.");
  const inArea = { sessionId: session._id, locationId: store.locationId, areaCode: area.code };
  const { api } = await join(server, session, { name: "Eve", email: "eve@example.com" });
  const jacket = { input: "JK-1001", inputType: "sku", deviceId: "device-2", seq: 1 } as const;
  await api.call(contract.postScan, { body: { ...inArea, storeId: store.id, ...jacket } });
  await api.call(contract.finishArea, { body: { ...inArea, deviceId: "device-2", declaredTotal: 1 } });
  const body = { areaId: area.id };
  const ofSession = { params: { id: session._id } };
  const tolerance = null;
  await make(contract.setSessionTolerance, { ...ofSession, body: { tolerance } });
  await make(contract.setStoreTolerance, { params: { id: store.id }, body: { tolerance } });
  await make(contract.drawSample, { ...ofSession, body: { areas: 1 } });
  await make(contract.voidSample, { ...ofSession, body: { number: 1, reason: "Nobody is left" } });
  await make(contract.askSecondCounts, { ...ofSession, body: { skus: ["JK-1001"] } });
  await server.admin.call(contract.cancelSecondCount, { body });
  await make(contract.askSecondCount, { body });
  const finish = (given: contract.CallInput<typeof contract.finishArea>["body"], by: TestApi) =>
    make(contract.finishArea, { body: given }, by);
  await countSecond({ server, store, session, area }, { "JK-1001": 1, "JK-1002": 1 }, finish);
  await make(contract.cancelSecondCount, { body });
  const params = { id: session._id };
  const { differences } = await server.admin.call(contract.countDifferences, { params });
  for (const { ofPass, sku } of differences) {
    const settled = { areaId: area.id, ofPass, sku, choice: "first", reason: "Nothing is there" } as const;
    await make(contract.settleDifference, { params, body: settled });
  }
}

/** Leaves stock alone, which only a count of the whole store has to account for. */
async function leaveAlone(id: string): Promise<void> {
  const ofScope = "update sessions set scope = $2 where id = $1";
  await server.database.pool.query(ofScope, [id, "full"]);
  const body = { every: {}, leftAlone: true, reason: "On loan" };
  await make(contract.leaveStockAlone, { params: { id }, body });
  await server.database.pool.query(ofScope, [id, "partial"]);
}

/** Ends the session, in which a SKU was counted whose figure turns out to be uncertain. */
async function endUncertain(sessionId: string): Promise<void> {
  await make(contract.endSession, { body: { sessionId } });
  await leaveAlone(sessionId);
  const figure = { sessionId, sku: "JK-1000", reason: "COUNTED_AFTER_END" } as const;
  await server.database.database.insertInto("uncertainFigures").values(figure).execute();
  const body = { skus: [figure.sku], included: true };
  await make(contract.includeFigures, { params: { sessionId }, body });
}

/** Says of an ended session in which nobody has counted that this was so on purpose, of a device too, and issues its certificate. */
async function coverUp(id: string): Promise<void> {
  const { areas } = await server.admin.call(contract.listCoveredAreas, { params: { id } });
  const areaIds = areas.map(({ area }) => area._id);
  const isVoid = { areaIds, as: "void" as const, stated: true, reason: "The count was put off" };
  await make(contract.stateAreas, { params: { id }, body: isVoid });
  const deviceId = await putOpenedDevice(server, id);
  const isAccountedFor = { deviceIds: [deviceId], stated: true, reason: "Looked at: nothing to send" };
  await make(contract.stateDevices, { params: { id }, body: isAccountedFor });
  await whileBeyondTolerance(server, { sessionId: id, areaId: areaIds[0] ?? "" }, async () => {
    const body = { stated: true, reason: "No time" };
    await make(contract.stateBeyondTolerance, { params: { id }, body });
  });
  const report = { sessionId: id, deviceId, pending: 0, pendingOrder: 1 };
  await make(contract.reportQueue, { body: report });
  await make(contract.issueCertificate, { params: { id } });
}

/** Deploys the ended session so that one SKU is left, as its stock moves each time. */
async function deployPartly(sessionId: string): Promise<string> {
  const params = { sessionId };
  await make(contract.setBasis, { params, body: { basis: "end" } });
  for (const sku of ["JK-1000", "JK-1001"])
    await make(contract.adjustCount, { params, body: { sku, newCount: 40 } });
  await server.shop.addFaults({
    faults: [{ effect: { kind: "stale", skus: ["JK-1000"] }, times: "always" }],
  });
  await make(contract.writeAuditorsFile, { params });
  await make(contract.deployReport, { params, body: {} });
  await server.shop.clearFaults();
  const { adjustments } = await server.admin.call(contract.listAdjustments, { params });
  return adjustments[0]?._id ?? "";
}

test("every call that changes something publishes the events that the contract names for it", async () => {
  await setUpAndTakeDown();
  const areaCodes = ["A1", "A2", "A3"];
  const first = await makeStore(server, { shopifyLocation: highStreet, areaCodes });
  const sessionId = await startSession(first);
  await make(contract.updateSession, { params: { id: sessionId }, body: { name: "Spring count" } });
  await make(contract.assignAreas, { params: { id: sessionId }, body: { enforced: true } });
  const packs = [{ code: "PACK-OF-12", sku: "JK-1000", units: 12 }];
  await make(contract.savePacks, { body: { packs } });
  await invite(first, sessionId);
  await admitByCode(sessionId);
  const { sessions } = await server.admin.call(contract.listSessions, {});
  for (const session of sessions) await count(first, session);
  await endUncertain(sessionId);
  await make(contract.resumeAdjustment, { params: { adjustmentId: await deployPartly(sessionId) } });
  await make(contract.rollbackReport, { params: { sessionId } });
  await server.database.database
    .updateTable("sessions")
    .set({ restored: true, backupMadeAt: new Date() })
    .where("id", "=", sessionId)
    .execute();
  await make(contract.releaseSession, { params: { id: sessionId }, body: {} });
  const otherId = await startPlanned(await makeStore(server, { shopifyLocation: harbour }));
  await server.admin.call(contract.endSession, { body: { sessionId: otherId } });
  await coverUp(otherId);
  await make(contract.leaveRows, { params: { adjustmentId: await deployPartly(otherId) } });
  await make(contract.startFollowUp, { params: { id: sessionId }, body: { skus: ["JK-1001"] } });
  const publishing = contract.allCalls.filter(({ events = [] }) => events.length > 0);
  const missing = publishing.filter((call) => !made.has(call) && !madeElsewhere.includes(call));
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
