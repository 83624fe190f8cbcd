import {
  decideExceptions,
  endSession,
  finishArea,
  resetArea,
  resolveScan,
  sessionExceptions,
  undoScan,
} from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import { reopenFirstArea, restoreFirstArea } from "../testing/endings.ts";
import { codes, countInEachTest, countsOf, firstArea, scan } from "../testing/scene.ts";
import {
  askAgain,
  choose,
  countShelf,
  differencesOf,
  finishAs,
  firstAreaOf,
  joinAs,
  scanShelf,
  secondCountsOf,
  unitsByStatus,
} from "../testing/second-counts.ts";

const scene = countInEachTest();
const first = { jacketS: 8, jacketM: 5 } as const;

/** The first area counted by Ada and asked for again, and Ben, who may take it. */
async function askedAgain() {
  const ada = await joinAs(scene, "Ada");
  await countShelf(scene, ada, first);
  const ben = await joinAs(scene, "Ben");
  const { pass } = await askAgain(scene);
  return { ada, ben, pass };
}

async function exceptions() {
  const { scans } = await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } });
  return scans;
}

test("a total that does not match voids the second count alone, and it is counted again from zero by whoever did", async () => {
  const { ben, pass } = await askedAgain();
  expect(await countShelf(scene, ben, first, 12)).toEqual({ matched: false, serverTotal: 13 });
  expect(await finishAs(scene, ben, 12, pass)).toEqual({ matched: false, serverTotal: 13 });
  expect(await firstAreaOf(scene, ben.api)).toMatchObject({
    status: "in_progress",
    pass: pass + 1,
    recountNeeded: true,
  });
  expect(await unitsByStatus(scene)).toEqual({ counted: 13, "voided COUNT_MISMATCHED": 13 });
  expect(await countShelf(scene, ben, first)).toEqual({ matched: true, serverTotal: 13 });
  expect(await secondCountsOf(scene)).toMatchObject([
    { endedAs: "mismatched" },
    { endedAs: "closed", units: 13 },
  ]);
  expect(await finishAs(scene, ben, 13, pass + 1)).toEqual({ matched: true, serverTotal: 13 });
});

test("a reset and an undo of a second count leave the first alone, and the reset area is what its counter sees", async () => {
  const { ben, pass } = await askedAgain();
  await scanShelf(scene, ben, first);
  const { sessionId, ...area } = firstArea(scene);
  const named = { sessionId, ...area, pass, deviceId: "device-of-Ben" };
  expect(await ben.api.call(undoScan, { body: named })).toEqual({
    undone: { seq: 2, sku: codes.jacketM.sku, quantity: 5 },
  });
  const { area: reset, deletedScans } = await ben.api.call(resetArea, { body: named });
  expect(deletedScans).toBe(8);
  expect(reset).toMatchObject({ status: "not_started", pass: pass + 1, closedBy: null, closedAt: null });
  expect(reset).toEqual(await firstAreaOf(scene, ben.api));
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8, [codes.jacketM.sku]: 5 });
});

test("two people who make it together may each declare their own total", async () => {
  const { ben, pass } = await askedAgain();
  const cleo = await joinAs(scene, "Cleo");
  await scanShelf(scene, ben, { jacketS: 8 });
  await scanShelf(scene, cleo, { jacketM: 5 });
  const named = { ...firstArea(scene), pass, own: true };
  const declare = ({ api }: typeof ben, declaredTotal: number, deviceId: string) =>
    api.call(finishArea, { body: { ...named, declaredTotal, deviceId } });
  expect(await declare(ben, 8, "device-of-Ben")).toMatchObject({ matched: false, waitingFor: ["Cleo"] });
  expect(await declare(cleo, 5, "device-of-Cleo")).toMatchObject({ matched: true, serverTotal: 13 });
  expect(await differencesOf(scene)).toEqual([]);
});

test("scans into it by somebody who counted the area are kept as late, as everybody's are once it is over", async () => {
  const { ada, ben, pass } = await askedAgain();
  const late = { status: "late", reason: "AREA_CLOSED" };
  expect(await scan(scene, { seq: 90, deviceId: "device-of-Ada", pass }, ada.api)).toMatchObject(late);
  await countShelf(scene, ben, first);
  expect(await scan(scene, { seq: 90, deviceId: "device-of-Ben", pass }, ben.api)).toMatchObject(late);
  const [, one] = await exceptions();
  const params = { id: one?._id ?? "" };
  const { admin } = scene.server;
  expect(await admin.send(resolveScan, { params, body: { action: "accept" } })).toMatchObject({
    status: 409,
    body: { code: "SECOND_COUNT_MADE" },
  });
  const body = { scanIds: [params.id], action: "accept" as const };
  expect(await admin.call(decideExceptions, { params: { id: scene.session._id }, body })).toMatchObject({
    scans: [{ outcome: "of_second_count", status: "late" }],
  });
  expect(await admin.call(resolveScan, { params, body: { action: "dismiss" } })).toMatchObject({
    scan: { status: "voided" },
  });
});

test("a late scan of the first count is accepted into the first, also while a second is open", async () => {
  const { ada, ben } = await askedAgain();
  await scan(scene, { seq: 91, deviceId: "device-of-Ada", pass: 2 }, ada.api);
  const [late] = await exceptions();
  const params = { id: late?._id ?? "" };
  await scene.server.admin.call(resolveScan, { params, body: { action: "accept" } });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 9, [codes.jacketM.sku]: 5 });
  await countShelf(scene, ben, { ...first, jacketS: 9 });
  expect(await differencesOf(scene)).toEqual([]);
});

test("an unknown code of a second count waits for nobody, and is the product that it was decided to be in the first", async () => {
  const ada = await joinAs(scene, "Ada");
  const unknown = { input: codes.unknown.input, quantity: 3 };
  await scan(scene, { ...unknown, seq: 50, deviceId: "device-of-Ada", pass: 2 }, ada.api);
  await countShelf(scene, ada, first);
  const [waiting] = await exceptions();
  const params = { id: waiting?._id ?? "" };
  const { sku } = codes.jacketL;
  await scene.server.admin.call(resolveScan, { params, body: { action: "accept", sku } });
  const ben = await joinAs(scene, "Ben");
  const { pass } = await askAgain(scene);
  expect(await scan(scene, { ...unknown, seq: 50, deviceId: "device-of-Ben", pass }, ben.api)).toMatchObject({
    status: "unresolved",
    reason: "UNKNOWN_CODE",
  });
  expect(await exceptions()).toEqual([]);
  expect(await countShelf(scene, ben, first)).toEqual({ matched: true, serverTotal: 13 });
  expect(await differencesOf(scene)).toEqual([]);
});

test("what another count took the place of was counted to its device, and is gone and back with the area's count", async () => {
  const { ada, ben } = await askedAgain();
  await countShelf(scene, ben, { ...first, jacketS: 7 });
  await countShelf(scene, await joinAs(scene, "Cleo"), { ...first, jacketS: 7 });
  const repeated = { input: codes.jacketS.input, quantity: 8, seq: 1, deviceId: "device-of-Ada", pass: 2 };
  expect(await scan(scene, repeated, ada.api)).toMatchObject({
    status: "counted",
    reason: null,
    duplicate: true,
  });
  const settled = { [codes.jacketS.sku]: 7, [codes.jacketM.sku]: 5 };
  expect(await countsOf(scene)).toEqual(settled);
  const { area } = await reopenFirstArea(scene);
  expect(area.pass).toBe(5);
  expect(await countsOf(scene)).toEqual({});
  expect(await differencesOf(scene)).toEqual([]);
  await restoreFirstArea(scene, 2);
  expect(await countsOf(scene)).toEqual(settled);
});

test("what was scanned into a second count that the area's reopening ended is late, and counts in no pass of the area", async () => {
  const { ben, pass } = await askedAgain();
  await scanShelf(scene, ben, first);
  const { area } = await reopenFirstArea(scene);
  expect(area).toMatchObject({ status: "not_started", pass: pass + 1 });
  expect(await scan(scene, { seq: 92, deviceId: "device-of-Ben", pass }, ben.api)).toMatchObject({
    status: "late",
    reason: "PASS_OVER",
  });
  expect(await secondCountsOf(scene)).toMatchObject([{ endedAs: "area_reopened", units: 13 }]);
  expect(await countsOf(scene)).toEqual({});
  expect(await firstAreaOf(scene, ben.api)).toMatchObject({ status: "not_started", recountNeeded: false });
});

test("a difference of a count that the area has left behind can't be settled", async () => {
  const { ben } = await askedAgain();
  await countShelf(scene, ben, { ...first, jacketS: 7 });
  const [open] = await differencesOf(scene);
  if (open === undefined) throw new Error("Nothing differs.");
  await reopenFirstArea(scene);
  expect(await choose(scene, open, "second")).toMatchObject({
    status: 409,
    body: { code: "DIFFERENCE_SETTLED" },
  });
});

test("a restored count that another contradicts is in question again, also where the session ends before it is finished, and can be settled", async () => {
  const { ben } = await askedAgain();
  await countShelf(scene, ben, { ...first, jacketS: 7 });
  await reopenFirstArea(scene);
  expect(await differencesOf(scene)).toEqual([]);
  const { pass } = await restoreFirstArea(scene, 2);
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  const [open] = await differencesOf(scene);
  expect(open).toMatchObject({ sku: codes.jacketS.sku, ofPass: pass, first: 8, second: 7, settledAs: null });
  if (open === undefined) throw new Error("Nothing differs.");
  expect(await choose(scene, open, "second")).toMatchObject({ status: 200 });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 7, [codes.jacketM.sku]: 5 });
});

test("a second count that is open when the session ends is over, and its area was closed", async () => {
  const { ben, pass } = await askedAgain();
  await scanShelf(scene, ben, { jacketS: 1 });
  const ended = await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  expect(ended).toMatchObject({ session: { openAreas: [{ code: "A2" }] } });
  expect(await scan(scene, { seq: 93, deviceId: "device-of-Ben", pass }, ben.api)).toMatchObject({
    status: "late",
    reason: "SESSION_CLOSED",
  });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8, [codes.jacketM.sku]: 5 });
});

test("a repeat of a scan into a second count gets the answer of the first time", async () => {
  const { ben, pass } = await askedAgain();
  const sent = { seq: 7, deviceId: "device-of-Ben", pass, opId: "8a3c8a38-0f0f-4a52-9d0c-2f8f3ad3a101" };
  const { httpStatus: _, ...answer } = await scan(scene, sent, ben.api);
  expect(answer).toMatchObject({ status: "counted", duplicate: false, scan: { pass } });
  expect(await scan(scene, sent, ben.api)).toEqual({ ...answer, httpStatus: 200, duplicate: true });
});

test("a scan of an offline recount whose number a second count took meanwhile can be accepted, one for the second count can't", async () => {
  const { ada, ben, pass } = await askedAgain();
  const cleo = await joinAs(scene, "Cleo");
  await reopenFirstArea(scene);
  const before = new Date(Date.now() - 60_000).toISOString();
  await sql`update sessions set start_snapshot_at = ${before}::timestamptz - interval '1 hour'
    where id = ${scene.session._id}`.execute(scene.server.database.database);
  const send = ({ api, username }: typeof ada, seq: number, scannedAt?: string) =>
    scan(scene, { seq, pass, deviceId: `device-of-${username}`, ...(scannedAt && { scannedAt }) }, api);
  const accept = async (late: Awaited<ReturnType<typeof send>>) => {
    expect(late).toMatchObject({ status: "late", reason: "PASS_OVER" });
    const body = { action: "accept" as const };
    return (await scene.server.admin.send(resolveScan, { params: { id: late.scan._id }, body })).status;
  };
  expect(await accept(await send(ada, 95))).toBe(200);
  expect(await accept(await send(cleo, 95, before))).toBe(200);
  expect(await accept(await send(ben, 95))).toBe(409);
});

test("who made a second count has none of their late scans of it accepted, though their figures count by now", async () => {
  const { ben, pass } = await askedAgain();
  await countShelf(scene, ben, { ...first, jacketS: 7 });
  await countShelf(scene, await joinAs(scene, "Cleo"), { ...first, jacketS: 7 });
  const late = await scan(scene, { seq: 96, deviceId: "device-of-Ben", pass }, ben.api);
  const params = { id: late.scan._id };
  expect(await scene.server.admin.send(resolveScan, { params, body: { action: "accept" } })).toMatchObject({
    status: 409,
    body: { code: "SECOND_COUNT_MADE" },
  });
});

test("the log's chain is locked after the totals, so that nothing that writes both waits in a circle", async () => {
  const { ben } = await askedAgain();
  await countShelf(scene, ben, { ...first, jacketS: 7 });
  const cleo = await joinAs(scene, "Cleo");
  const { database } = scene.server.database;
  const { pass } = await scanShelf(scene, cleo, { ...first, jacketS: 7 });
  const finished = await database.transaction().execute(async (transaction) => {
    await sql`select from scan_totals where session_id = ${scene.session._id} for update`.execute(
      transaction,
    );
    const answer = finishAs(scene, cleo, 12, pass);
    await expect.poll(() => countWaiting(database)).toBe(1);
    await sql`select from audit_chains for update nowait`.execute(transaction);
    return { answer };
  });
  expect(await finished.answer).toEqual({ matched: true, serverTotal: 12 });
});
