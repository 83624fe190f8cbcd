import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHeldClock } from "../../testing/held-clock.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { begin, join, makeStore, type TestStore } from "../../testing/scenes.ts";
import type { Given, TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { harbour, highStreet } from "../../testing/test-shop.ts";

/**
 * Settling needs a SKU that nobody can tell the outcome of: adjustments/moving/settle-rows.test.ts makes one. Cancelling needs
 * a deploy that waits: adjustments/moving/cancel-move.test.ts has one.
 */
const madeElsewhere: readonly contract.CallDefinition[] = [contract.settleRow, contract.cancelAdjustment];

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
  }, 10_000);
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
  const { areas } = await make(contract.createAreas, { ...ofLocation, body: { areas: [{ code: "A1" }] } });
  await make(contract.deleteArea, { params: { id: areas[0]?._id ?? "" } });
  await make(contract.deleteLocation, ofLocation);
  await make(contract.deleteStore, { params });
}

async function startSession(store: TestStore): Promise<string> {
  const answer = await make(contract.startSession, { body: { storeId: store.id, scope: "partial" } });
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
  const unknown = await api.call(contract.postScan, { body: scan(3, "NO-SUCH") });
  await make(contract.resolveScan, { params: { id: unknown.scan._id }, body: { action: "dismiss" } });
}

/** Ends the session, in which a SKU was counted whose figure turns out to be uncertain. */
async function endUncertain(sessionId: string): Promise<void> {
  await make(contract.endSession, { body: { sessionId } });
  const figure = { sessionId, sku: "JK-1000", reason: "COUNTED_AFTER_END" } as const;
  await server.database.database.insertInto("uncertainFigures").values(figure).execute();
  const body = { skus: [figure.sku], included: true };
  await make(contract.includeFigures, { params: { sessionId }, body });
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
  await make(contract.deployReport, { params, body: {} });
  await server.shop.clearFaults();
  const { adjustments } = await server.admin.call(contract.listAdjustments, { params });
  return adjustments[0]?._id ?? "";
}

test("every call that changes something publishes the events that the contract names for it", async () => {
  await setUpAndTakeDown();
  const first = await makeStore(server, { shopifyLocation: highStreet });
  const sessionId = await startSession(first);
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
  const other = await begin(server, await makeStore(server, { shopifyLocation: harbour }), "partial");
  await server.admin.call(contract.endSession, { body: { sessionId: other._id } });
  await make(contract.leaveRows, { params: { adjustmentId: await deployPartly(other._id) } });
  const publishing = contract.allCalls.filter(({ events = [] }) => events.length > 0);
  const missing = publishing.filter((call) => !made.has(call) && !madeElsewhere.includes(call));
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
