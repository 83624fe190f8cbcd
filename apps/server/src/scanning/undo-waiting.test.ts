import { randomUUID } from "node:crypto";
import {
  decideExceptions,
  resetArea,
  resolveScan,
  restorePass,
  sessionExceptions,
  takeBackDecisions,
  undoScan,
} from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { describe, expect, test } from "vitest";
import { finishFirstArea } from "./testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  publishedInEachTest,
  type ScanReply,
  scan,
} from "./testing/scene.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);

interface UndoChanges {
  readonly areaCode?: string;
  readonly locationId?: string;
  readonly pass?: number;
  readonly opId?: string;
}

const undo = (seq: number, changes: UndoChanges = {}) =>
  scene.counter.api.send(undoScan, {
    body: { sessionId: scene.session._id, deviceId: "device-1", areaCode: "A1", seq, ...changes },
  });

async function expectSettled({ scan: { _id: id } }: ScanReply) {
  const { code } = await scene.server.admin.refusal(resolveScan, {
    params: { id },
    body: { action: "accept", sku: codes.jacketS.sku },
  });
  expect(code).toBe("SCAN_NOT_OPEN");
  expect(await countsOf(scene)).toEqual({});
}

const stored = (seq: number) =>
  scene.server.database.database
    .selectFrom("scans")
    .select(["status", "reason", "voidedFrom", "voidedFromReason", "voidedBy"])
    .where("sessionId", "=", scene.session._id)
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();

const waiting = async () =>
  (await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } })).scans;

const marks = () =>
  scene.server.database.database
    .selectFrom("uncertainFigures")
    .select(["sku", "reason"])
    .where("sessionId", "=", scene.session._id)
    .execute();

async function hideFirstArea(mergedInto: string | null = null) {
  const { id } = await areaRow(scene);
  await scene.server.database.database
    .updateTable("areas")
    .set({ deletedAt: new Date(), mergedInto })
    .where("id", "=", id)
    .execute();
}

const refused = {
  ended: { status: 409, body: { code: "SESSION_CLOSED" } },
  closed: { status: 409, body: { code: "AREA_CLOSED" } },
};

describe("S16: an undo that is refused takes back a scan that waits, so that nobody can accept it", () => {
  test("late after the session's end, however often it is sent", async () => {
    const { pass, id: areaId } = await areaRow(scene);
    await endAtOnce(scene);
    const late = await scan(scene, { seq: 1, pass });
    expect(late).toMatchObject({ status: "late", reason: "SESSION_CLOSED" });
    expect(await undo(1, { pass, opId: randomUUID() })).toMatchObject(refused.ended);
    expect(await stored(1)).toEqual({
      ...{ status: "voided", reason: "UNDONE", voidedFrom: null, voidedFromReason: "SESSION_CLOSED" },
      voidedBy: expect.any(String),
    });
    const { session, store } = scene;
    const event = { type: "scan", sessionId: session._id, storeId: store.id, areaId, pass };
    await expect.poll(() => published).toContainEqual(event);
    expect(await undo(1, { pass })).toMatchObject({ status: 200, body: { undone: { seq: 1 } } });
    await expectSettled(late);
    expect(await marks()).toEqual([]);
  });

  test("late because its area was closed meanwhile, while the session runs", async () => {
    const { pass } = await areaRow(scene);
    await finishFirstArea(scene, 0);
    const late = await scan(scene, { seq: 1, pass });
    expect(late.reason).toBe("AREA_CLOSED");
    expect(await undo(1, { pass })).toMatchObject(refused.closed);
    await expectSettled(late);
  });

  test("an unknown code, in an area that was closed and in a session that is over", async () => {
    const first = await scan(scene, { seq: 1, input: codes.unknown.input });
    const second = await scan(scene, { seq: 2, input: codes.unknown.input });
    await finishFirstArea(scene, 0);
    expect(await undo(1)).toMatchObject(refused.closed);
    await endAtOnce(scene);
    expect(await undo(2)).toMatchObject(refused.ended);
    for (const each of [first, second]) await expectSettled(each);
    expect(await stored(2)).toMatchObject({ voidedFrom: "unresolved", voidedFromReason: "UNKNOWN_CODE" });
    expect(await waiting()).toEqual([]);
  });

  test("in an area that is gone", async () => {
    const { pass } = await areaRow(scene);
    await hideFirstArea();
    const late = await scan(scene, { seq: 1, pass });
    expect(late.reason).toBe("AREA_DELETED");
    expect(await undo(1, { pass })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    await expectSettled(late);
  });

  test("a scan that an administrator has dismissed: taking that back does not bring it back", async () => {
    const { pass } = await areaRow(scene);
    await endAtOnce(scene);
    const late = await scan(scene, { seq: 1, pass });
    const params = { id: scene.session._id };
    const scanIds = [late.scan._id];
    await scene.server.admin.call(decideExceptions, { params, body: { action: "dismiss", scanIds } });
    expect(await undo(1, { pass })).toMatchObject(refused.ended);
    const { scans } = await scene.server.admin.call(takeBackDecisions, { params, body: { scanIds } });
    expect(scans).toMatchObject([{ outcome: "voided_since" }]);
    await expectSettled(late);
  });

  test("but not one of another area than the undo names", async () => {
    await scan(scene, { seq: 1, input: codes.unknown.input, areaCode: "A2" });
    await scan(scene, { seq: 2, input: codes.unknown.input });
    expect(await undo(1)).toMatchObject({ status: 404, body: { code: "NOTHING_TO_UNDO" } });
    const elsewhere = { locationId: randomUUID() };
    expect(await undo(2, elsewhere)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await undo(7)).toMatchObject({ status: 404, body: { code: "NOTHING_TO_UNDO" } });
    await endAtOnce(scene);
    expect(await undo(1)).toMatchObject(refused.ended);
    expect(await waiting()).toHaveLength(2);
  });

  test.each([
    ["the next late read of it waits in its place", [1, 2]],
    ["not where that one was undone before", [2, 1]],
  ])("a late read of a tag: %s", async (_, [undoneFirst = 0, undoneThen = 0]) => {
    const { pass } = await areaRow(scene);
    await endAtOnce(scene);
    const tag = { input: epcOf(codes.jacketS.input, 1), pass };
    const first = await scan(scene, { seq: 1, ...tag });
    expect(first.status).toBe("late");
    const second = await scan(scene, { seq: 2, ...tag });
    expect(second.tag).toBe("TAG_COUNTED");
    expect(await undo(undoneFirst, { pass })).toMatchObject(refused.ended);
    const left = undoneFirst === 1 ? second : first;
    expect((await waiting()).map(({ _id }) => _id)).toEqual([left.scan._id]);
    expect(await undo(undoneThen, { pass })).toMatchObject(refused.ended);
    expect(await waiting()).toEqual([]);
    for (const each of [first, second]) await expectSettled(each);
  });
});

test.each(["late", "unresolved"])(
  "a read of a tag that was dismissed as %s: the next read of it waits, and can be decided on",
  async (status) => {
    const { pass } = await areaRow(scene);
    if (status === "late") await endAtOnce(scene);
    const product = status === "late" ? codes.jacketS.input : "9780306406157";
    const tag = { input: epcOf(product, 1), pass };
    const first = await scan(scene, { seq: 1, ...tag });
    expect(first.status).toBe(status);
    const second = await scan(scene, { seq: 2, ...tag });
    expect(second.tag).toBe("TAG_COUNTED");
    const dismiss = (id: string) =>
      scene.server.admin.call(resolveScan, { params: { id }, body: { action: "dismiss" } });
    await dismiss(first.scan._id);
    expect(await waiting()).toEqual([]);
    await undo(1, { pass });
    expect(await waiting()).toMatchObject([{ _id: second.scan._id, reason: first.reason }]);
    await dismiss(second.scan._id);
    expect(await waiting()).toEqual([]);
    expect(await countsOf(scene)).toEqual({});
  },
);

test("a read of a tag that was dismissed, and undone once its pass was voided: the next read waits when the pass is restored", async () => {
  const { pass, id: areaId } = await areaRow(scene);
  const tag = { input: epcOf("9780306406157", 1), pass };
  const first = await scan(scene, { seq: 1, ...tag });
  const second = await scan(scene, { seq: 2, ...tag });
  await scene.server.admin.call(resolveScan, { params: { id: first.scan._id }, body: { action: "dismiss" } });
  await scene.counter.api.call(resetArea, {
    body: { sessionId: scene.session._id, areaCode: "A1", locationId: scene.store.locationId },
  });
  expect(await undo(1, { pass })).toMatchObject({ status: 409, body: { code: "PASS_OVER" } });
  expect(await waiting()).toEqual([]);
  expect(await stored(2)).toMatchObject({
    ...{ status: "voided", reason: "AREA_RESET", voidedFrom: "unresolved" },
    voidedFromReason: first.reason,
  });
  await scene.server.admin.call(restorePass, { body: { areaId, pass } });
  expect(await waiting()).toMatchObject([{ _id: second.scan._id, reason: first.reason }]);
});

describe("an undo after the session's end leaves what counts in doubt", () => {
  const inDoubt = [{ sku: codes.jacketS.sku, reason: "UNDONE_AFTER_END" }];

  test.each(["deleted", "merged into another"])("also where the scan's area was %s", async (how) => {
    await scan(scene, { seq: 1 });
    await endAtOnce(scene);
    await hideFirstArea(how === "deleted" ? null : (scene.store.areas[1]?.id ?? null));
    expect(await undo(1)).toMatchObject(refused.ended);
    expect(await marks()).toEqual(inDoubt);
    expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1 });
  });

  test("also where an administrator had accepted it into another area", async () => {
    const { scan: late } = await scan(scene, { seq: 1, input: codes.unknown.input });
    const areaId = scene.store.areas[1]?.id ?? "";
    await scene.server.admin.call(decideExceptions, {
      params: { id: scene.session._id },
      body: { action: "accept", scanIds: [late._id], sku: codes.jacketS.sku, areaId },
    });
    await endAtOnce(scene);
    expect(await undo(1)).toMatchObject(refused.ended);
    expect(await marks()).toEqual(inDoubt);
  });
});
