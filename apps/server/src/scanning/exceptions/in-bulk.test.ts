import {
  type CallInput,
  decidedExceptions,
  decideExceptions,
  deleteArea,
  exceptionGroups,
  limits,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { join } from "../../testing/scenes.ts";
import { resetFirstArea } from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  firstArea,
  publishedInEachTest,
  type ScanReply,
  scan,
  startCounting,
} from "../testing/scene.ts";
import { putWaiting } from "../testing/waiting.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);

type Decision = Omit<CallInput<typeof decideExceptions>["body"], "scanIds">;

const ofSession = () => ({ params: { id: scene.session._id } });
const idsOf = (replies: readonly ScanReply[]) => replies.map((reply) => reply.scan._id);

function groups(query: { lateOf?: string; sku?: string; limit?: string; cursor?: string } = {}) {
  return scene.server.admin.call(exceptionGroups, { ...ofSession(), query });
}

async function decide(replies: readonly ScanReply[], decision: Decision) {
  const body = { ...decision, scanIds: idsOf(replies) };
  return (await scene.server.admin.call(decideExceptions, { ...ofSession(), body })).scans;
}

async function refusal(scanIds: readonly string[], decision: Decision) {
  const body = { ...decision, scanIds: [...scanIds] };
  return (await scene.server.admin.refusal(decideExceptions, { ...ofSession(), body })).code;
}

const unknown = (seq: number, changes = {}) => scan(scene, { input: codes.unknown.input, seq, ...changes });

/** Three scans of one unknown code in two areas, one of them of four units. */
async function scanThree() {
  return [await unknown(1), await unknown(2, { areaCode: "A2" }), await unknown(3, { quantity: 4 })];
}

/** A late scan of the small jacket for a pass that was reset. */
async function scanLate(seq: number, changes = {}) {
  const { pass } = await areaRow(scene);
  await resetFirstArea(scene);
  return scan(scene, { seq, pass, ...changes });
}

describe("the groups of what waits", () => {
  test("are by code, with counts, units, areas, people and what lay beside the first", async () => {
    await scan(scene, { seq: 1, scannedAt: "2025-03-01T10:00:00.000Z" });
    const three = [
      await unknown(2, { scannedAt: "2025-03-01T10:00:01.000Z" }),
      await unknown(3, { areaCode: "A2", quantity: 4, scannedAt: "2025-03-01T10:00:02.000Z" }),
    ];
    const other = await scan(scene, { seq: 4, input: "ANOTHER" });
    const answer = await groups();
    expect(answer).toMatchObject({ waiting: 3, total: 2, next: null, devices: [] });
    expect(answer.groups).toMatchObject([
      {
        ...{ input: codes.unknown.input, inputType: "barcode", status: "unresolved", sku: null },
        ...{ reasons: ["UNKNOWN_CODE"], scans: 2, units: 5, areaCount: 2, people: ["Ada"], peopleCount: 1 },
        areas: scene.store.areas.slice(0, 2).map(({ id, code }) => ({ _id: id, code, name: `Area ${code}` })),
        firstScannedAt: "2025-03-01T10:00:01.000Z",
        lastScannedAt: "2025-03-01T10:00:02.000Z",
        ...{ acceptable: false, afterEnd: false, scanIds: idsOf(three), lastScanId: three[1]?.scan._id },
        before: { sku: "JK-1000", productTitle: "Jacket" },
        after: { input: codes.unknown.input },
      },
      { input: "ANOTHER", scans: 1, units: 1, scanIds: idsOf([other]), after: null },
    ]);
  });

  test("keep late scans apart, which can be accepted as they are, by device where one is asked for", async () => {
    const late = await scanLate(1);
    await scan(scene, { seq: 1, deviceId: "device-2", pass: late.scan.pass });
    await unknown(2);
    const all = await groups();
    expect(all.groups.map(({ status, scans }) => [status, scans])).toEqual([
      ["late", 2],
      ["unresolved", 1],
    ]);
    expect(all.groups[0]).toMatchObject({ acceptable: true, sku: "JK-1000", productTitle: "Jacket" });
    expect(all.deviceCount).toBe(2);
    expect(all.devices).toMatchObject([
      { deviceId: "device-1", username: "Ada", late: 1 },
      { deviceId: "device-2", late: 1 },
    ]);
    const ofOne = await groups({ lateOf: "device-1" });
    expect(ofOne.groups).toMatchObject([{ status: "late", scans: 1, scanIds: idsOf([late]) }]);
    expect(ofOne).toMatchObject({ waiting: 3, total: 1 });
    expect((await groups({ lateOf: "nobody's" })).groups).toEqual([]);
  });

  test("name the hundred devices of each sender that most late scans are of, and say how many there are", async () => {
    const bea = await join(scene.server, scene.session, { name: "Bea" });
    const late = { status: "late", sku: codes.jacketS.sku } as const;
    await putWaiting(scene, scene.counter, { ...late, count: 1_003, devices: 1_001 });
    await putWaiting(scene, bea, { ...late, count: 1 });
    const { devices, deviceCount, waiting } = await groups();
    expect({ deviceCount, waiting }).toEqual({ deviceCount: 1_002, waiting: 1_004 });
    expect(devices.slice(0, 3).map(({ late }) => late)).toEqual([2, 2, 1]);
    const of = (name: string) => devices.filter(({ username }) => username === name).length;
    expect([of("Ada"), of("Bea")]).toEqual([limits.devicesPerPerson, 1]);
  });

  test("name a thousand devices at most, whoever they are of", async () => {
    const senders = await Promise.all(
      Array.from({ length: 11 }, (_none, place) => join(scene.server, scene.session, { name: `N${place}` })),
    );
    for (const sender of senders) {
      await putWaiting(scene, sender, {
        status: "late",
        sku: codes.jacketS.sku,
        count: limits.devicesPerPerson,
      });
    }
    const { devices, deviceCount } = await groups();
    expect([devices.length, deviceCount]).toEqual([limits.devicesPerSession, 1_100]);
  });

  test("are those of one product alone where one is asked for", async () => {
    const late = await scanLate(1);
    await scan(scene, { seq: 2, pass: late.scan.pass, input: codes.jacketM.input });
    await unknown(3);
    const ofOne = await groups({ sku: "JK-1000" });
    expect(ofOne.groups).toMatchObject([{ status: "late", sku: "JK-1000", scanIds: idsOf([late]) }]);
    expect(ofOne).toMatchObject({ waiting: 3, total: 1, next: null });
    // A SKU that begins like it is another one.
    expect((await groups({ sku: "JK-100" })).groups).toEqual([]);
  });

  test("can't be accepted as they are where the area of one was deleted", async () => {
    await scene.server.admin.call(deleteArea, { params: { id: scene.store.areas[0]?.id ?? "" } });
    await scan(scene, { seq: 1 });
    expect((await groups()).groups).toMatchObject([{ reasons: ["AREA_DELETED"], acceptable: false }]);
  });
});

describe("deciding on several at once", () => {
  test("counts each where it was scanned, with an entry for each, and tells the phones of every area", async () => {
    const three = await scanThree();
    const outcomes = await decide(three, { action: "accept", sku: "JK-1001" });
    expect(outcomes.map(({ outcome, status, sku }) => [outcome, status, sku])).toEqual(
      three.map(() => ["done", "counted", "JK-1001"]),
    );
    expect(outcomes.map(({ areaId }) => areaId)).toEqual([0, 1, 0].map((at) => scene.store.areas[at]?.id));
    expect(await countsOf(scene)).toEqual({ "JK-1001": 6 });
    expect((await areaRow(scene, "A2")).status).toBe("in_progress");
    const entries = await scene.server.database.database
      .selectFrom("auditEntries")
      .select(["subjectId", "after"])
      .where("chain", "=", scene.session._id)
      .where("action", "=", "exception.accepted")
      .orderBy("position")
      .execute();
    expect(entries.map(({ subjectId }) => subjectId)).toEqual(idsOf(three));
    expect(entries[2]?.after).toMatchObject({ sku: "JK-1001", quantity: 4, area: "A1 - Area A1" });
    for (const at of [0, 1]) {
      const event = { type: "scan", areaId: scene.store.areas[at]?.id, pass: outcomes[at]?.pass };
      await expect.poll(() => published).toContainEqual(expect.objectContaining(event));
    }
  });

  test("can count them all in one other area", async () => {
    const areaId = scene.store.areas[1]?.id ?? "";
    await decide(await scanThree(), { action: "accept", sku: "JK-1001", areaId });
    const { database } = scene.server.database;
    const totals = await database.selectFrom("scanTotals").select(["areaId", "quantity"]).execute();
    expect(totals).toContainEqual({ areaId, quantity: 6 });
    expect((await areaRow(scene)).status).toBe("in_progress");
  });

  test("without a product accepts what is known and leaves the rest", async () => {
    const late = await scanLate(1);
    const vague = await unknown(2);
    const outcomes = await decide([late, vague], { action: "accept" });
    expect(outcomes.map(({ outcome, status }) => [outcome, status])).toEqual([
      ["done", "counted"],
      ["needs_product", "unresolved"],
    ]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("tells nobody of what it leaves", async () => {
    const eventsOf = (at: number) =>
      published.filter((event) => "areaId" in event && event.areaId === scene.store.areas[at]?.id);
    const vague = await unknown(1, { areaCode: "A2" });
    const typesOf = (at: number) => eventsOf(at).map(({ type }) => type);
    await expect.poll(() => typesOf(1).toSorted()).toEqual(["area", "scan"]);
    const before = [...eventsOf(1)];
    await decide([vague], { action: "accept" });
    await scan(scene, { seq: 2 });
    await expect.poll(() => eventsOf(0)).not.toEqual([]);
    expect(eventsOf(1)).toEqual(before);
  });

  test("dismisses them with the reason that was given, which the list of decided scans shows", async () => {
    const three = await scanThree();
    await decide(three, { action: "dismiss", reason: "A label of the shop next door" });
    expect((await groups()).waiting).toBe(0);
    const { scans } = await scene.server.admin.call(decidedExceptions, ofSession());
    expect(scans).toHaveLength(3);
    expect(scans[0]).toMatchObject({
      ...{ decision: "dismissed", reason: "A label of the shop next door", canBeTakenBack: true },
      ...{ input: codes.unknown.input, username: "Ada", decidedBy: "admin", quantity: 4 },
    });
    const { after } = await scene.server.database.database
      .selectFrom("auditEntries")
      .select("after")
      .where("action", "=", "exception.dismissed")
      .where("subjectId", "=", three[0]?.scan._id ?? "")
      .executeTakeFirstOrThrow();
    expect(after).toMatchObject({ note: "A label of the shop next door" });
  });

  test("tells what somebody else settled meanwhile, and counts it once", async () => {
    const three = await scanThree();
    await scene.counter.api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 3 } });
    const both = await Promise.all(
      ["JK-1000", "JK-1001"].map((sku) => decide(three, { action: "accept", sku })),
    );
    const outcomes = both.flatMap((scans) => scans.map(({ outcome }) => outcome)).sort();
    expect(outcomes).toEqual([...Array(2).fill("done"), ...Array(4).fill("settled_meanwhile")]);
    const counts = await countsOf(scene);
    expect(Object.values(counts)).toEqual([2]);
  });

  test("refuses all of them for a scan of another session, a product or area that is not there, and none named", async () => {
    const other = await startCounting(scene.server);
    const foreign = await scan(other, { input: codes.unknown.input, seq: 1, deviceId: "device-9" });
    const mine = idsOf(await scanThree());
    const accept = { action: "accept", sku: "JK-1000" } as const;
    expect(await refusal([...mine, foreign.scan._id], accept)).toBe("NOT_FOUND");
    expect(await refusal(["nothing"], accept)).toBe("NOT_FOUND");
    expect(await refusal(mine, { action: "accept", sku: "NOTHING" })).toBe("NOT_FOUND");
    expect(await refusal(mine, { ...accept, areaId: "nothing" })).toBe("NOT_FOUND");
    expect(await refusal(mine, { ...accept, areaId: other.store.areas[0]?.id ?? "" })).toBe("VALIDATION");
    expect(await refusal([], accept)).toBe("VALIDATION");
    expect(
      await refusal(
        Array.from({ length: 501 }, () => mine[0] ?? ""),
        accept,
      ),
    ).toBe("VALIDATION");
    expect((await groups()).waiting).toBe(3);
    expect(await countsOf(scene)).toEqual({});
  });
});
