import {
  decidedExceptions,
  decideExceptions,
  exceptionGroups,
  listAreas,
  resolveScan,
  takeBackDecisions,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { makeAreas, makeLocation } from "../../testing/scenes.ts";
import { finishFirstArea, passesOfFirstArea, resetFirstArea, restoreFirstArea } from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  firstArea,
  publishedInEachTest,
  type ScanReply,
  scan,
} from "../testing/scene.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);
const ofSession = () => ({ params: { id: scene.session._id } });

async function accept(reply: ScanReply, changes: { sku?: string; areaId?: string } = { sku: "JK-1001" }) {
  const body = { action: "accept", ...changes } as const;
  await scene.server.admin.call(resolveScan, { params: { id: reply.scan._id }, body });
}

async function takeBack(...replies: readonly ScanReply[]) {
  const body = { scanIds: replies.map((reply) => reply.scan._id) };
  return (await scene.server.admin.call(takeBackDecisions, { ...ofSession(), body })).scans;
}

const outcomesOf = async (...replies: readonly ScanReply[]) =>
  (await takeBack(...replies)).map(({ outcome }) => outcome);

function row({ scan: { _id: id } }: ScanReply) {
  return scene.server.database.database
    .selectFrom("scans")
    .selectAll()
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();
}

const unknown = (seq = 1, changes = {}) => scan(scene, { input: codes.unknown.input, seq, ...changes });

async function scanLate(seq = 1) {
  const { pass } = await areaRow(scene);
  await resetFirstArea(scene);
  return scan(scene, { seq, pass });
}

async function acceptedInFirstArea() {
  const { areas } = await scene.server.admin.call(listAreas, {});
  return areas.find(({ _id }) => _id === scene.store.areas[0]?.id)?.accepted;
}

function setDeployed(rolledBackAt: Date | null) {
  const { database } = scene.server.database;
  const given = { status: "applied", basis: "end", zeroUncounted: false, totalAdjustments: 1 } as const;
  return database
    .insertInto("adjustments")
    .values({ sessionId: scene.session._id, ...given, rolledBackAt })
    .execute();
}

describe("a decision that is taken back", () => {
  test("leaves the scans waiting exactly as they were, and nothing of them in the count", async () => {
    const late = await scanLate(9);
    const fresh = await unknown(10, { quantity: 5 });
    const before = await Promise.all([late, fresh].map(row));
    await accept(late, {});
    await accept(fresh);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1, "JK-1001": 5 });
    expect(await takeBack(late, fresh)).toMatchObject([
      { outcome: "done", status: "late", reason: "PASS_OVER", sku: "JK-1000" },
      { outcome: "done", status: "unresolved", reason: "UNKNOWN_CODE", sku: null },
    ]);
    expect(await Promise.all([late, fresh].map(row))).toEqual(before);
    expect(await countsOf(scene)).toEqual({});
  });

  test("can be made again, differently, and is in the list of decided scans only while it is made", async () => {
    const scanned = await unknown();
    const decided = async () => (await scene.server.admin.call(decidedExceptions, ofSession())).scans;
    await accept(scanned);
    expect(await decided()).toMatchObject([{ decision: "accepted", sku: "JK-1001", reason: null }]);
    await takeBack(scanned);
    expect(await decided()).toEqual([]);
    await accept(scanned, { sku: "JK-1002" });
    expect(await countsOf(scene)).toEqual({ "JK-1002": 1 });
    expect(await decided()).toMatchObject([{ decision: "accepted", sku: "JK-1002" }]);
  });

  test("may be a dismissal, of an unresolved and of a late scan", async () => {
    const late = await scanLate(1);
    const fresh = await unknown(2);
    const before = await Promise.all([late, fresh].map(row));
    const scanIds = [late.scan._id, fresh.scan._id];
    const dismissal = { action: "dismiss", reason: "torn" } as const;
    await scene.server.admin.call(decideExceptions, { ...ofSession(), body: { ...dismissal, scanIds } });
    expect(await outcomesOf(late, fresh)).toEqual(["done", "done"]);
    expect(await Promise.all([late, fresh].map(row))).toEqual(before);
  });

  test("may be a dismissal in a closed area, whose count stays as it is", async () => {
    await scan(scene, { seq: 1 });
    await finishFirstArea(scene, 1);
    const late = await scan(scene, { seq: 2 });
    const before = await row(late);
    const body = { action: "dismiss" } as const;
    await scene.server.admin.call(resolveScan, { params: { id: late.scan._id }, body });
    expect(await outcomesOf(late)).toEqual(["done"]);
    expect(await row(late)).toEqual(before);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("goes back to the area where it was scanned, and the phones of both areas are told", async () => {
    const scanned = await unknown();
    const [first, second] = scene.store.areas;
    const bothAreTold = async (known: number) => {
      for (const area of [first, second]) {
        const event = expect.objectContaining({ type: "scan", areaId: area?.id });
        await expect.poll(() => published.slice(known)).toContainEqual(event);
      }
    };
    await accept(scanned, { sku: "JK-1001", areaId: second?.id ?? "" });
    await bothAreTold(0);
    const known = published.length;
    await takeBack(scanned);
    expect(await row(scanned)).toMatchObject({ areaId: first?.id, status: "unresolved" });
    await bothAreTold(known);
  });

  test("goes back to the location and the pass that it was scanned in, whatever those are where it counted", async () => {
    const { id: storeId } = scene.store;
    const locationId = await makeLocation(scene.server, storeId, "Stockroom");
    const [area] = await makeAreas(scene.server, { storeId, locationId, codes: ["S1"] });
    const scanned = await unknown();
    const before = await row(scanned);
    await accept(scanned, { sku: "JK-1001", areaId: area?.id ?? "" });
    expect((await row(scanned)).pass).not.toBe(before.pass);
    await takeBack(scanned);
    expect(await row(scanned)).toEqual(before);
  });

  test("is told scan by scan in their order, and leaves what others were decided as", async () => {
    const [first, plain, last] = [await unknown(1), await scan(scene, { seq: 2 }), await unknown(3)];
    const other = await unknown(4);
    for (const scanned of [first, last, other]) await accept(scanned);
    const told = await takeBack(last, plain, first);
    expect(told.map(({ _id, outcome }) => [_id, outcome])).toEqual([
      [first.scan._id, "done"],
      [plain.scan._id, "not_recorded"],
      [last.scan._id, "done"],
    ]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1, "JK-1001": 1 });
    expect(await outcomesOf(other)).toEqual(["done"]);
  });

  test("is followed by the phones of its area: the number of accepted items goes down again", async () => {
    const scanned = await unknown(1, { quantity: 3 });
    await accept(scanned);
    expect(await acceptedInFirstArea()).toBe(3);
    await takeBack(scanned);
    expect((await acceptedInFirstArea()) ?? 0).toBe(0);
    expect((await finishFirstArea(scene, 0, { knownAccepted: 0 })).matched).toBe(true);
  });

  test("has an entry of its own in the audit log", async () => {
    const scanned = await unknown();
    await accept(scanned);
    await takeBack(scanned);
    const entry = await scene.server.database.database
      .selectFrom("auditEntries")
      .select(["action", "subjectId", "subjectName", "before", "after"])
      .where("chain", "=", scene.session._id)
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    const area = { area: "A1 - Area A1", pass: scanned.scan.pass };
    expect(entry).toEqual({
      action: "exception.taken_back",
      subjectId: scanned.scan._id,
      subjectName: codes.unknown.input,
      before: { status: "counted", reason: null, sku: "JK-1001", ...area },
      after: { status: "unresolved", sku: null, quantity: 1, ...area },
    });
  });
});

describe("where the count went on meanwhile", () => {
  test("a scan that was undone, or whose count was reset, stays as it is", async () => {
    const undone = await unknown(1);
    await accept(undone);
    await scene.counter.api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 1 } });
    const reset = await unknown(2);
    await accept(reset);
    await resetFirstArea(scene);
    expect(await outcomesOf(undone, reset)).toEqual(["voided_since", "voided_since"]);
    const { scans } = await scene.server.admin.call(decidedExceptions, ofSession());
    expect(scans.map(({ canBeTakenBack }) => canBeTakenBack)).toEqual([false, false]);
  });

  test("a scan of a pass that was restored waits in the pass that counts", async () => {
    const scanned = await unknown();
    await accept(scanned);
    await resetFirstArea(scene);
    const [first] = await passesOfFirstArea(scene);
    const { pass } = await restoreFirstArea(scene, first?.pass ?? 0);
    expect(await takeBack(scanned)).toMatchObject([{ outcome: "done", status: "unresolved", pass }]);
  });

  test("a scan that counted elsewhere while its area's pass ended is late", async () => {
    const scanned = await unknown();
    await accept(scanned, { sku: "JK-1001", areaId: scene.store.areas[1]?.id ?? "" });
    await resetFirstArea(scene);
    expect(await takeBack(scanned)).toMatchObject([
      { outcome: "done", status: "late", reason: "PASS_OVER", sku: null, pass: scanned.scan.pass },
    ]);
  });

  test("a scan that waits already, one that nobody decided on, and one of which nothing was kept say so", async () => {
    const [waiting, plain, older] = [await unknown(1), await scan(scene, { seq: 2 }), await unknown(3)];
    await accept(older);
    await scene.server.database.database.deleteFrom("scanDecisions").execute();
    expect(await outcomesOf(waiting, plain, older)).toEqual(["waiting", "not_recorded", "not_recorded"]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1, "JK-1001": 1 });
  });

  test("happens once of many at the same time, beside resets and further decisions", async () => {
    const scans = [await unknown(1), await unknown(2), await unknown(3)];
    for (const scanned of scans) await accept(scanned);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => outcomesOf(...scans)),
      scene.server.admin.call(decideExceptions, {
        ...ofSession(),
        body: { action: "accept", sku: "JK-1002", scanIds: scans.map((reply) => reply.scan._id) },
      }),
    ]);
    const done = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []));
    expect(done.filter((outcome) => outcome === "done").length).toBeGreaterThanOrEqual(3);
    const { waiting } = await scene.server.admin.call(exceptionGroups, ofSession());
    expect(waiting + Object.values(await countsOf(scene)).reduce((sum, count) => sum + count, 0)).toBe(3);
  });
});

describe("after the end", () => {
  async function endOneMinuteAgo() {
    await endAtOnce(scene);
    const endReadFrom = new Date(Date.now() - 60_000);
    const { database } = scene.server.database;
    await database.updateTable("sessions").set({ endReadFrom }).where("id", "=", scene.session._id).execute();
  }

  const marks = () =>
    scene.server.database.database
      .selectFrom("uncertainFigures")
      .select(["sku", "reason"])
      .where("sessionId", "=", scene.session._id)
      .execute();

  test("the mark of a figure goes with the last accepted scan that needs it", async () => {
    await endOneMinuteAgo();
    const [first, second] = [await scan(scene, { seq: 1 }), await scan(scene, { seq: 2 })];
    await accept(first, {});
    await accept(second, {});
    const marked = [{ sku: "JK-1000", reason: "COUNTED_AFTER_END" }];
    expect(await marks()).toEqual(marked);
    await takeBack(first);
    expect(await marks()).toEqual(marked);
    await takeBack(second);
    expect(await marks()).toEqual([]);
    expect(await countsOf(scene)).toEqual({});
  });

  test("is refused while the report is deployed, and possible once that is rolled back", async () => {
    const scanned = await unknown();
    await accept(scanned);
    await endAtOnce(scene);
    await setDeployed(null);
    const body = { scanIds: [scanned.scan._id] };
    const { code } = await scene.server.admin.refusal(takeBackDecisions, { ...ofSession(), body });
    expect(code).toBe("REPORT_DEPLOYED");
    expect(await countsOf(scene)).toEqual({ "JK-1001": 1 });
    await scene.server.database.database.deleteFrom("adjustments").execute();
    await setDeployed(new Date());
    expect(await outcomesOf(scanned)).toEqual(["done"]);
  });
});
