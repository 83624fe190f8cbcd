import { deleteArea, endSession, resolveScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { makeAreas, makeLocation } from "../../testing/scenes.ts";
import { resetFirstArea } from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  publishedInEachTest,
  type ScanReply,
  scan,
} from "../testing/scene.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);

type Decision = { action: "accept" | "dismiss"; sku?: string; areaId?: string };

function decide({ scan: { _id: id } }: ScanReply, body: Decision) {
  return scene.server.admin.call(resolveScan, { params: { id }, body });
}

async function refusal({ scan: { _id: id } }: ScanReply, body: Decision) {
  return (await scene.server.admin.refusal(resolveScan, { params: { id }, body })).code;
}

const scanUnknown = () => scan(scene, { input: codes.unknown.input, quantity: 3 });

function row({ scan: { _id: id } }: ScanReply) {
  return scene.server.database.database
    .selectFrom("scans")
    .selectAll()
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();
}

async function lastAudit() {
  const { before, after, action, subjectKind, subjectId, subjectName, actorId } =
    await scene.server.database.database
      .selectFrom("auditEntries")
      .selectAll()
      .where("chain", "=", scene.session._id)
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
  return { before, after, action, actorId, subject: [subjectKind, subjectId, subjectName] };
}

describe("what is kept of a decision", () => {
  test("accepted: what it counts as and where, who decided it, and no reason any more", async () => {
    const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
    const [area] = await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["S1"] });
    const areaId = area?.id ?? "";
    const unknown = await scanUnknown();
    const { pass } = await areaRow(scene);
    await decide(unknown, { action: "accept", sku: "JK-1001", areaId });
    const stored = await row(unknown);
    expect(stored).toMatchObject({
      ...{ status: "counted", reason: null, sku: "JK-1001", areaId, locationId, pass: 1 },
      ...{ voidedFrom: null, voidedBy: null, resolvedBy: expect.any(String), resolvedAt: expect.any(Date) },
    });
    expect(await lastAudit()).toEqual({
      action: "exception.accepted",
      actorId: stored.resolvedBy,
      subject: ["scan", unknown.scan._id, codes.unknown.input],
      before: { status: "unresolved", reason: "UNKNOWN_CODE", sku: null, area: "A1 - Area A1", pass },
      after: { status: "counted", sku: "JK-1001", quantity: 3, area: "S1 - Area S1", pass: 1 },
    });
    expect(await countsOf(scene)).toEqual({ "JK-1001": 3 });
    const { _id: sessionId } = scene.session;
    const event = { type: "scan", sessionId, storeId: scene.store.id, areaId, pass: 1 };
    await expect.poll(() => published).toContainEqual(event);
  });

  test("accepted after the end: the last pass that its area had in the session, though it was late for another", async () => {
    const { pass } = await areaRow(scene);
    await resetFirstArea(scene);
    const late = await scan(scene, { pass });
    await endAtOnce(scene);
    await decide(late, { action: "accept", sku: "JK-1001" });
    expect(await row(late)).toMatchObject({ status: "counted", pass: pass + 1 });
  });

  test("dismissed: what it was and why, and who decided it", async () => {
    const unknown = await scanUnknown();
    const { pass } = await areaRow(scene);
    await decide(unknown, { action: "dismiss" });
    const stored = await row(unknown);
    expect(stored).toMatchObject({
      ...{ status: "voided", reason: "DISMISSED", voidedFrom: "unresolved", sku: null, pass },
      ...{ voidedFromReason: "UNKNOWN_CODE", voidedBy: expect.any(String), voidedAt: expect.any(Date) },
      ...{ resolvedBy: stored.voidedBy, resolvedAt: expect.any(Date) },
    });
    expect(await lastAudit()).toEqual({
      action: "exception.dismissed",
      actorId: stored.voidedBy,
      subject: ["scan", unknown.scan._id, codes.unknown.input],
      before: { status: "unresolved", reason: "UNKNOWN_CODE", sku: null, area: "A1 - Area A1", pass },
      after: { status: "voided", sku: null, quantity: 3, area: "A1 - Area A1", pass },
    });
  });

  test("dismissed as late: a pass that it was never part of is not one to bring it back to", async () => {
    const { pass } = await areaRow(scene);
    await resetFirstArea(scene);
    const late = await scan(scene, { pass });
    const other = await scan(scene, { seq: 2 });
    await decide(late, { action: "dismiss" });
    expect(await row(late)).toMatchObject({
      voidedFrom: null,
      voidedFromReason: "PASS_OVER",
      sku: "JK-1000",
    });
    expect(await row(other)).toMatchObject({ status: "counted" });
  });
});

describe("where an accepted scan counts", () => {
  async function deleteFirstArea() {
    await scene.server.admin.call(deleteArea, { params: { id: scene.store.areas[0]?.id ?? "" } });
  }

  test("is its own area even where that was deleted meanwhile", async () => {
    await endAtOnce(scene);
    await deleteFirstArea();
    const late = await scan(scene);
    await decide(late, { action: "accept" });
    expect(await row(late)).toMatchObject({ areaId: scene.store.areas[0]?.id, status: "counted" });
  });

  test("is no other area that was deleted", async () => {
    const elsewhere = await scan(scene, { input: codes.unknown.input, areaCode: "A2" });
    await deleteFirstArea();
    const areaId = scene.store.areas[0]?.id ?? "";
    expect(await refusal(elsewhere, { action: "accept", sku: "JK-1000", areaId })).toBe("NOT_FOUND");
    expect(await row(elsewhere)).toMatchObject({ status: "unresolved" });
  });

  test("is refused where no scan can, also of a scan that is settled by now", async () => {
    const settled = await scan(scene, { input: codes.unknown.input, areaCode: "A2" });
    await decide(settled, { action: "dismiss" });
    const areaId = scene.store.areas[0]?.id ?? "";
    expect(await refusal(settled, { action: "accept", sku: "JK-1000", areaId })).toBe("SCAN_NOT_OPEN");
    await deleteFirstArea();
    expect(await refusal(settled, { action: "accept", sku: "JK-1000", areaId })).toBe("NOT_FOUND");
  });

  test("is its own area even where that was added after the session", async () => {
    await endAtOnce(scene);
    const { id: storeId, locationId } = scene.store;
    await makeAreas(scene.server, { storeId, locationId, codes: ["N1"] });
    const late = await scan(scene, { areaCode: "N1" });
    await decide(late, { action: "accept" });
    expect(await row(late)).toMatchObject({ status: "counted", pass: late.scan.pass });
  });
});

test("a late scan counts as what it matched when it came, whatever its code matches by now", async () => {
  const { pass } = await areaRow(scene);
  await resetFirstArea(scene);
  const late = await scan(scene, { pass });
  const { database } = scene.server.database;
  const { _id: sessionId } = scene.session;
  for (const [sku, barcode] of [
    [codes.jacketS.sku, null],
    ["HAT-1", codes.jacketS.input],
  ] as const) {
    const items = database.updateTable("sessionItems").set({ barcode });
    await items.where("sessionId", "=", sessionId).where("sku", "=", sku).execute();
  }
  await database
    .updateTable("sessions")
    .set((session) => ({ catalogueVersion: session("catalogueVersion", "+", 1) }))
    .where("id", "=", sessionId)
    .execute();
  await decide(late, { action: "accept" });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1 });
});

function marks() {
  return scene.server.database.database
    .selectFrom("uncertainFigures")
    .selectAll()
    .where("sessionId", "=", scene.session._id)
    .execute();
}

test("a scan that is accepted after the end marks no figure whose stock is as it was at the end", async () => {
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  await decide(await scan(scene), { action: "accept" });
  expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  expect(await marks()).toEqual([]);
});

test("nor that of a product that was gone at the end, and still is", async () => {
  const { shop, admin } = scene.server;
  await shop.deleteVariant({ item: codes.jacketS.sku });
  await admin.call(endSession, { body: { sessionId: scene.session._id } });
  await decide(await scan(scene), { action: "accept" });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1 });
  expect(await marks()).toEqual([]);
  await shop.reset();
});

test("a scan that is accepted after the end marks its figure", async () => {
  const { database } = scene.server.database;
  const { _id: id } = scene.session;
  await endAtOnce(scene);
  await database
    .updateTable("sessions")
    .set({ endReadFrom: new Date(Date.now() - 60_000) })
    .where("id", "=", id)
    .execute();
  await decide(await scan(scene), { action: "accept" });
  expect(await marks()).toMatchObject([{ sku: "JK-1000", reason: "COUNTED_AFTER_END" }]);
});
