import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import * as z from "zod/mini";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../../testing/scenes.ts";
import type { Answered, TestApi } from "../../testing/test-api.ts";
import { adminPassword, type TestServer } from "../../testing/test-server.ts";
import { accountForms } from "./testing-account.ts";
import { coverageSamples } from "./testing-coverage.ts";
import { joiningForms } from "./testing-joining.ts";
import { paperSamples } from "./testing-paper.ts";
import { type AnyGiven, nameOf, nowhere, type Place, type Sample, sample } from "./testing-place.ts";
import { searchSamples } from "./testing-searches.ts";
import { secondCountSamples } from "./testing-second-counts.ts";

export { fingerprint } from "./testing-fingerprint.ts";
export { type AnyGiven, nameOf, nowhere, type Place, type Sample } from "./testing-place.ts";

const nothing = () => ({});
const ofSession = ({ sessionId }: Place) => ({ params: { id: sessionId } });
const ofReport = ({ sessionId }: Place) => ({ params: { sessionId } });
const ofAdjustment = ({ adjustmentId }: Place) => ({ params: { adjustmentId } });
const ofAccount = ({ accountId }: Place) => ({ params: { id: accountId } });
const scanOf = (place: Place) => ({
  sessionId: place.sessionId,
  storeId: place.storeId,
  locationId: place.locationId,
  areaCode: place.areaCode,
  input: "JK-1000",
  inputType: "sku" as const,
  deviceId: place.deviceId,
  seq: 2,
  method: "scan" as const,
  scannedAt: "2026-01-02T03:04:05.678Z",
  pass: place.pass,
  opId: randomUUID(),
});
const inArea = ({ sessionId, areaCode, locationId }: Place) => ({ sessionId, areaCode, locationId });

/** Of the account that `username` of a place names, where there is one. */
export const counterPassword = "counting by name";

const planned = {
  ...{ name: "Spring count", note: null, scope: "full" as const, areaIds: null },
  people: [{ counterName: "Ada", email: "ada@example.com" }],
};

/** A proper form of every call of the contract; a call that is missing here fails the tests that walk them all. */
export const samples: readonly Sample[] = [
  sample(contract.listLocations, ({ storeId }) => ({ query: { storeId } })),
  sample(contract.createLocation, ({ storeId }) => ({ body: { name: `Room ${randomUUID()}`, storeId } })),
  sample(contract.updateLocation, ({ locationId }) => ({
    params: { id: locationId },
    body: { name: `Room ${randomUUID()}` },
  })),
  sample(contract.deleteLocation, ({ locationId }) => ({ params: { id: locationId } })),
  sample(contract.createAreas, ({ locationId }) => ({
    params: { id: locationId },
    body: { areas: [{ code: randomUUID().slice(0, 32), name: "Shelf" }] },
  })),
  sample(contract.listAreas, nothing),
  sample(contract.listAreasOfLocation, ({ locationId }) => ({ params: { locationId } })),
  sample(contract.updateArea, ({ areaId }) => ({ params: { id: areaId }, body: { name: "Window" } })),
  sample(contract.mergeAreas, ({ areaId }) => ({ body: { areaId, intoAreaId: areaId } })),
  sample(contract.previewCopy, ({ storeId }) => ({
    params: { id: storeId },
    query: { fromStoreId: storeId },
  })),
  sample(contract.copyAreas, ({ storeId }) => ({ params: { id: storeId }, body: { fromStoreId: storeId } })),
  sample(contract.deleteArea, ({ areaId }) => ({ params: { id: areaId } })),
  sample(contract.reopenArea, ({ areaId }) => ({ body: { areaId, eraseScans: true as const } })),
  sample(contract.restorePass, ({ areaId, pass }) => ({ body: { areaId, pass } })),
  ...secondCountSamples,
  ...searchSamples,
  ...coverageSamples,
  sample(contract.listAudit, ({ sessionId }) => ({ query: { sessionId, limit: "20" } })),
  sample(contract.exportAudit, ({ sessionId }) => ({ query: { sessionId } })),
  sample(contract.adminLogin, () => ({ body: { password: adminPassword } })),
  sample(contract.counterLogin, ({ username }) => ({ body: { username, password: counterPassword } })),
  sample(contract.logout, nothing),
  sample(contract.whoAmI, nothing),
  ...accountForms.map(([call, given]) => ({ name: nameOf(call), call, given })),
  sample(contract.changeAdminPassword, () => ({
    body: { currentPassword: adminPassword, newPassword: adminPassword },
  })),
  sample(contract.listCounters, nothing),
  sample(contract.createCounter, () => ({
    body: { username: `Counter ${randomUUID()}`, password: "counting" },
  })),
  sample(contract.updateCounter, (place) => ({
    ...ofAccount(place),
    body: { username: `Counter ${randomUUID()}`, password: "counting", isActive: true },
  })),
  sample(contract.deleteCounter, ofAccount),
  sample(contract.productMap, ({ storeId }) => ({ query: { storeId } })),
  ...joiningForms.map(([call, given]) => ({ name: nameOf(call), call, given })),
  sample(contract.listOutboxMails, nothing),
  sample(contract.listNotices, nothing),
  sample(contract.dismissNotice, ({ noticeId }) => ({ params: { id: noticeId } })),
  sample(contract.listOperations, nothing),
  sample(contract.readOperation, ({ operationId }) => ({ params: { id: operationId } })),
  sample(contract.varianceReport, (place) => ({ ...ofReport(place), query: { view: "all" as const } })),
  sample(contract.exportReport, (place) => ({ ...ofReport(place), query: { view: "all" as const } })),
  sample(contract.exportScans, ofReport),
  sample(contract.writeAuditorsFile, ofReport),
  sample(contract.adjustCount, (place) => ({
    ...ofReport(place),
    body: { sku: "JK-1000", newCount: 3, reason: "Found behind the shelf" },
  })),
  sample(contract.includeFigures, (place) => ({
    ...ofReport(place),
    body: { skus: ["JK-1000"], included: true },
  })),
  sample(contract.explainRow, (place) => ({ ...ofReport(place), query: { sku: "JK-1000" } })),
  sample(contract.listCountAdjustments, (place) => ({ ...ofReport(place), query: { sku: "JK-1000" } })),
  sample(contract.setBasis, (place) => ({ ...ofReport(place), body: { basis: "end" as const } })),
  sample(contract.listAdjustments, ofReport),
  sample(contract.listAdjustmentRows, (place) => ({ ...ofReport(place), query: { view: "open" as const } })),
  sample(contract.listMoveEvents, ofReport),
  sample(contract.resumeAdjustment, ofAdjustment),
  sample(contract.leaveRows, ofAdjustment),
  sample(contract.cancelAdjustment, ofAdjustment),
  sample(contract.previewDeploy, ofReport),
  sample(contract.previewRollback, ofReport),
  sample(contract.previewRelease, ofSession),
  sample(contract.releaseSession, (place) => ({ ...ofSession(place), body: { zeroUncounted: false } })),
  sample(contract.settleRow, (place) => ({
    ...ofAdjustment(place),
    body: { sku: "JK-1000", applied: true },
  })),
  sample(contract.deployReport, (place) => ({ ...ofReport(place), body: { zeroUncounted: false } })),
  sample(contract.rollbackReport, ofReport),
  sample(contract.listPacks, nothing),
  sample(contract.savePacks, () => ({
    body: { packs: [{ code: "PACK-OF-12", sku: "JK-1000", units: 12 }] },
  })),
  sample(contract.postScan, (place) => ({ body: scanOf(place) })),
  sample(contract.postScanBatch, (place) => ({ body: { scans: [scanOf(place)], pending: 0 } })),
  sample(contract.deviceMaxSequence, ({ sessionId, deviceId }) => ({ query: { sessionId, deviceId } })),
  sample(contract.reportQueue, ({ sessionId, deviceId }) => ({
    body: { sessionId, deviceId, pending: 0, pendingOrder: 1 },
  })),
  sample(contract.undoScan, (place) => ({
    body: { ...inArea(place), deviceId: place.deviceId, seq: 1, pass: place.pass, opId: randomUUID() },
  })),
  sample(contract.resetArea, (place) => ({
    body: { ...inArea(place), pass: place.pass, opId: randomUUID() },
  })),
  sample(contract.finishArea, (place) => ({
    body: {
      ...inArea(place),
      deviceId: place.deviceId,
      declaredTotal: 1,
      pass: place.pass,
      opId: randomUUID(),
    },
  })),
  sample(contract.areaScans, ({ sessionId, areaCode, locationId }) => ({
    params: { sessionId, areaCode },
    query: { locationId },
  })),
  sample(contract.sessionExceptions, ofSession),
  sample(contract.resolveScan, ({ scanId, areaId }) => ({
    params: { id: scanId },
    body: { action: "accept" as const, sku: "JK-1000", areaId },
  })),
  sample(contract.exceptionGroups, ofSession),
  sample(contract.decideExceptions, (place) => ({
    ...ofSession(place),
    body: {
      action: "accept" as const,
      scanIds: [place.scanId],
      sku: "JK-1000",
      areaId: place.areaId,
      reason: "A test label",
    },
  })),
  sample(contract.takeBackDecisions, (place) => ({ ...ofSession(place), body: { scanIds: [place.scanId] } })),
  sample(contract.decidedExceptions, ofSession),
  sample(contract.listSessions, nothing),
  sample(contract.startSession, ({ storeId }) => ({ body: { storeId, scope: "full" as const } })),
  sample(contract.listPlans, nothing),
  sample(contract.createPlan, ({ storeId }) => ({ body: { storeId, ...planned } })),
  sample(contract.updatePlan, ({ planId }) => ({ params: { id: planId }, body: planned })),
  sample(contract.deletePlan, ({ planId }) => ({ params: { id: planId } })),
  sample(contract.startPlan, ({ planId }) => ({ params: { id: planId } })),
  sample(contract.updateSession, (place) => ({ ...ofSession(place), body: { name: "Spring count" } })),
  sample(contract.endSession, ({ sessionId }) => ({ body: { sessionId } })),
  sample(contract.scanActivity, nothing),
  sample(contract.readAssignments, ofSession),
  sample(contract.assignAreas, (place) => ({
    ...ofSession(place),
    body: { enforced: true, people: [{ personId: place.invitationId, areaIds: [place.areaId] }] },
  })),
  sample(contract.sessionProgress, ofSession),
  sample(contract.differencesSoFar, ofSession),
  sample(contract.sessionPasses, ofSession),
  sample(contract.listStores, nothing),
  sample(contract.createStore, ({ shopifyLocationId }) => ({
    body: { name: "Fjord", shopifyLocationId },
  })),
  sample(contract.updateStore, ({ storeId }) => ({
    params: { id: storeId },
    body: { name: "Fjord", isActive: true },
  })),
  sample(contract.deleteStore, ({ storeId }) => ({ params: { id: storeId } })),
  sample(contract.listShopifyLocations, nothing),
  ...paperSamples,
  sample(contract.connections, nothing),
  sample(contract.diagnosis, nothing),
  sample(contract.health, nothing),
  sample(contract.ready, nothing),
  sample(contract.events, nothing),
  sample(contract.shopifyWebhook, nothing),
];

/** The proper form of a call at a place. */
export function givenTo(call: contract.CallDefinition, place: Place): AnyGiven {
  const found = samples.find((entry) => entry.call === call);
  if (found === undefined) throw new Error(`There is no sample of ${nameOf(call)}.`);
  return found.given(place);
}

/** Makes the call as it is given, proper or not. */
export function make(
  api: TestApi,
  call: contract.CallDefinition,
  { params, query, body }: AnyGiven = {},
): Promise<Answered> {
  return api.request(call.method, contract.callAddress(call, params, query), { body });
}

/**
 * The refusal, after a check that it is one of the closed set under its own status, and shows nothing of the inside.
 * Throws for what is no refusal.
 */
export function refusalOf({ status, body }: Answered): contract.ErrorBody {
  const error = z.parse(z.strictObject(contract.ErrorBody.shape), body);
  if (contract.errorStatuses[error.code] !== status) throw new Error(`${error.code} came under ${status}.`);
  const inside =
    /node_modules|\/src\/|\.[jt]s:\d|\bselect \S+ from |insert into|violates|constraint|FST_|Zod/i;
  const shown = inside.exec(JSON.stringify(body))?.[0];
  if (shown !== undefined) throw new Error(`A response shows ${shown}.`);
  return error;
}

/** A store that is being counted by a temporary counter, who has scanned one jacket. */
export interface Scene {
  readonly store: TestStore;
  readonly session: contract.CountingSession;
  readonly counter: TestCounter;
  readonly place: Place;
}

/** In a store of its own unless told. */
export async function setScene(server: TestServer, given?: TestStore): Promise<Scene> {
  const store = given ?? (await makeStore(server));
  const session = await begin(server, store);
  const counter = await join(server, session);
  await server.database.pool.query("update invitations set sent_at = now() where sent_at is null");
  const { plan } = await server.admin.call(contract.createPlan, { body: { storeId: store.id, ...planned } });
  const { areas } = await counter.api.call(contract.listAreas, {});
  const [area] = areas;
  if (area === undefined || counter.invitationId === null) throw new Error("The scene is incomplete.");
  const place = {
    ...nowhere,
    storeId: store.id,
    shopifyLocationId: store.shopifyLocationId,
    locationId: store.locationId,
    areaId: area._id,
    areaCode: area.code,
    pass: area.pass,
    sessionId: session._id,
    planId: plan._id,
    invitationId: counter.invitationId,
    scanId: "0",
    deviceId: `device-${randomUUID()}`,
    userId: counter.userId,
    accountId: counter.userId,
  };
  const { scan } = await counter.api.call(contract.postScan, { body: { ...scanOf(place), seq: 1 } });
  return { store, session, counter, place: { ...place, scanId: scan._id } };
}
