import { createAreas, deleteArea, postScan, undoScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { join, makeAreas, makeLocation, makePermanentCounter } from "../../testing/scenes.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  scan,
  scanBody,
  startCounting,
} from "../testing/scene.ts";

const scene = countInEachTest();

function storedScans() {
  return scene.server.database.database
    .selectFrom("scans")
    .selectAll()
    .where("sessionId", "=", scene.session._id)
    .orderBy("seq")
    .execute();
}

describe("a scan that counts", () => {
  test("returns 201 with its product, area and pass", async () => {
    const { pass } = await areaRow(scene);
    const answer = await scan(scene, { areaCode: "a1" });
    expect(answer).toMatchObject({ httpStatus: 201, status: "counted", reason: null, duplicate: false });
    expect(answer.scan).toMatchObject({
      seq: 1,
      sku: "JK-1000",
      productTitle: "Jacket",
      size: "S",
      areaCode: "A1",
      pass,
    });
  });

  test("is stored with everything the device sent", async () => {
    const scannedAt = "2025-03-01T10:00:00.123+02:00";
    await scan(scene, { method: "manual", inputType: "sku", input: "JK-1001", scannedAt, pass: 2 });
    expect(await storedScans()).toMatchObject([
      {
        input: "JK-1001",
        inputType: "sku",
        method: "manual",
        sku: "JK-1001",
        sentPass: 2,
        scannedAt: new Date(scannedAt),
        givenScannedAt: new Date(scannedAt),
        scannedBy: scene.counter.userId,
        sentBy: scene.counter.userId,
      },
    ]);
  });

  test("puts its area in progress", async () => {
    expect((await areaRow(scene)).status).toBe("not_started");
    await scan(scene);
    expect((await areaRow(scene)).status).toBe("in_progress");
  });

  test("counts while the session is ending", async () => {
    await scene.server.database.database
      .updateTable("sessions")
      .set({ status: "ending" })
      .where("id", "=", scene.session._id)
      .execute();
    expect((await scan(scene)).status).toBe("counted");
  });

  test("may come in any order of sequence numbers, with gaps", async () => {
    for (const seq of [9, 2, 5]) await scan(scene, { seq });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
  });

  test("matches a product that the session's catalogue has gained", async () => {
    await scan(scene);
    const { database } = scene.server.database;
    await database
      .insertInto("sessionItems")
      .values({
        sessionId: scene.session._id,
        sku: "NEW-1",
        plainSku: null,
        inventoryItemId: "gid://new",
        variantNumber: "999",
        barcode: "NEW-CODE",
        productTitle: "New",
        size: null,
        image: null,
        startOnHand: 0,
        endOnHand: null,
        unitCostCents: null,
        tracked: true,
        bundle: false,
        stocked: true,
      })
      .execute();
    await database
      .updateTable("sessions")
      .set((session) => ({ catalogueVersion: session("catalogueVersion", "+", 1) }))
      .where("id", "=", scene.session._id)
      .execute();
    expect((await scan(scene, { seq: 2, input: "NEW-CODE" })).scan.sku).toBe("NEW-1");
  });
});

describe("a scan that can't be matched", () => {
  test.each([
    [codes.unknown.input, "UNKNOWN_CODE"],
    [codes.shared.input, "AMBIGUOUS_CODE"],
  ])("is stored unresolved with its input: %s", async (input, reason) => {
    const answer = await scan(scene, { input });
    expect(answer).toMatchObject({ httpStatus: 201, status: "unresolved", reason, scan: { sku: null } });
    expect(await storedScans()).toMatchObject([{ input, status: "unresolved", reason, sku: null }]);
    expect(await countsOf(scene)).toEqual({});
  });

  test("puts its area in progress all the same", async () => {
    await scan(scene, codes.unknown);
    expect((await areaRow(scene)).status).toBe("in_progress");
  });
});

describe("a late scan", () => {
  async function setArea(change: { status?: "closed"; pass?: number; deletedAt?: Date }) {
    const { id } = await areaRow(scene);
    await scene.server.database.database.updateTable("areas").set(change).where("id", "=", id).execute();
  }

  test("of a closed area is stored, not counted, with what it matched", async () => {
    await setArea({ status: "closed" });
    const answer = await scan(scene);
    expect(answer).toMatchObject({ httpStatus: 201, status: "late", reason: "AREA_CLOSED" });
    expect(answer.scan.sku).toBe("JK-1000");
    expect(await storedScans()).toMatchObject([{ status: "late", reason: "AREA_CLOSED", sku: "JK-1000" }]);
    expect(await countsOf(scene)).toEqual({});
    expect((await areaRow(scene)).status).toBe("closed");
  });

  test("of an earlier pass stays in that pass, even where the area has been closed since", async () => {
    await setArea({ pass: 5, status: "closed" });
    expect(await scan(scene, { pass: 4 })).toMatchObject({
      status: "late",
      reason: "PASS_OVER",
      scan: { pass: 4 },
    });
  });

  test("of a deleted area is stored", async () => {
    await setArea({ deletedAt: new Date() });
    expect(await scan(scene)).toMatchObject({ status: "late", reason: "AREA_DELETED" });
  });

  test("does not put an area in progress", async () => {
    await scan(scene, { pass: 1 });
    expect((await areaRow(scene)).status).toBe("not_started");
  });

  test("of a session that is over stays in the area's last pass there, whatever the area has come to since", async () => {
    const { pass } = await areaRow(scene);
    await endAtOnce(scene);
    await setArea({ status: "closed", pass: pass + 3 });
    expect(await scan(scene)).toMatchObject({ status: "late", reason: "SESSION_CLOSED", scan: { pass } });
  });

  test("of an area that was deleted and created again belongs to the deleted one", async () => {
    await scene.server.admin.call(deleteArea, { params: { id: scene.store.areas[0]?.id ?? "" } });
    await scene.server.admin.call(createAreas, {
      params: { id: scene.store.locationId },
      body: { areas: [{ code: "A1" }] },
    });
    const { pass: begun } = await areaRow(scene);
    const [deleted, over] = ["AREA_DELETED", "PASS_OVER"].map((reason) => ({ status: "late", reason }));
    expect(await scan(scene, { seq: 1, pass: 1 })).toMatchObject({ ...deleted });
    expect(await scan(scene, { seq: 2, pass: 2 })).toMatchObject({ ...deleted });
    // What a device expects that has reset it without a network.
    expect(await scan(scene, { seq: 3, pass: 3 })).toMatchObject({ ...deleted });
    expect(await scan(scene, { seq: 4, pass: begun })).toMatchObject({ status: "counted" });
    // A pass that neither had is nobody's: it belongs to the area that is there.
    expect(await scan(scene, { seq: 5, pass: begun + 1 })).toMatchObject({ ...over });
  });
});

describe("a scan is refused", () => {
  const nothing = "11111111-1111-4111-8111-111111111111";

  async function refusal(changes: Parameters<typeof scanBody>[1], api = scene.counter.api) {
    const { status, code } = await api.refusal(postScan, { body: scanBody(scene, changes) });
    expect(await storedScans()).toEqual([]);
    return [status, code];
  }

  test.each([
    { sessionId: nothing },
    { storeId: nothing },
    { locationId: nothing },
    { sessionId: "nonsense" },
    { areaCode: "Z9" },
  ])("404 for what never was: %o", async (changes) => {
    expect(await refusal(changes)).toEqual([404, "NOT_FOUND"]);
  });

  test("400 for ids that do not belong together, where the caller can access each; 404 where not", async () => {
    const other = await startCounting(scene.server);
    const location = { locationId: other.store.locationId };
    const store = { storeId: other.store.id };
    expect(await refusal(location, scene.server.admin)).toEqual([400, "VALIDATION"]);
    expect(await refusal(store, scene.server.admin)).toEqual([400, "VALIDATION"]);
    expect(await refusal(location)).toEqual([404, "NOT_FOUND"]);
    expect(await refusal(store)).toEqual([404, "NOT_FOUND"]);
  });

  test("404 for a session that the caller can't access", async () => {
    const stranger = await join(scene.server, (await startCounting(scene.server)).session);
    expect(await refusal({}, stranger.api)).toEqual([404, "NOT_FOUND"]);
  });

  test("400 for an impossible time and for text that can't be stored", async () => {
    expect(await refusal({ scannedAt: "2025-02-30T00:00:00Z" })).toEqual([400, "VALIDATION"]);
    expect(await refusal({ input: "half a pair \ud83d" })).toEqual([400, "VALIDATION"]);
  });
});

test("a scan of a pass that the area never reached is stored, as late", async () => {
  expect(await scan(scene, { pass: 99 })).toMatchObject({
    httpStatus: 201,
    status: "late",
    reason: "PASS_OVER",
    scan: { pass: 99 },
  });
});

describe("scannedById", () => {
  test("names who scanned, a user of the session, whoever sends it", async () => {
    const grace = await makePermanentCounter(scene.server);
    await scan(scene, { seq: 1, scannedById: scene.counter.userId }, scene.server.admin);
    await scan(scene, { seq: 2, scannedById: grace.userId });
    const stored = await storedScans();
    expect(stored.map((row) => row.scannedBy)).toEqual([scene.counter.userId, grace.userId]);
    expect(stored[0]?.sentBy).not.toBe(scene.counter.userId);
  });

  test("is refused for a user of another session and for an unknown one", async () => {
    const other = await startCounting(scene.server);
    for (const scannedById of [other.counter.userId, "11111111-1111-4111-8111-111111111111"]) {
      const refused = await scene.counter.api.refusal(postScan, { body: scanBody(scene, { scannedById }) });
      expect(refused).toMatchObject({ status: 400, code: "VALIDATION" });
    }
  });
});

describe("after the end of a session", () => {
  test("a permanent counter's device still delivers, for 14 days; afterwards the administrator's login on it does", async () => {
    const grace = await makePermanentCounter(scene.server);
    await endAtOnce(scene);
    expect((await scan(scene, {}, grace.api)).status).toBe("late");
    await scene.server.database.database
      .updateTable("sessions")
      .set({ endedAt: new Date(Date.now() - 15 * 86_400_000) })
      .where("id", "=", scene.session._id)
      .execute();
    const refused = await grace.api.refusal(postScan, { body: scanBody(scene, { seq: 2 }) });
    expect(refused.code).toBe("NOT_FOUND");
    const { userId } = scene.counter;
    const byAdmin = await scan(scene, { seq: 3, scannedById: userId }, scene.server.admin);
    expect(byAdmin.status).toBe("late");
  });

  test("nothing but scans is accepted", async () => {
    await scan(scene);
    await endAtOnce(scene);
    const { sessionId, deviceId, areaCode } = scanBody(scene);
    const refused = await scene.counter.api.refusal(undoScan, { body: { sessionId, deviceId, areaCode } });
    expect(refused).toMatchObject({ status: 409, code: "SESSION_CLOSED" });
  });
});

describe("an area is named by its location and its code", () => {
  test("the same code in another location is another area", async () => {
    const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
    const [area] = await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["A1"] });
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2, locationId });
    expect((await storedScans()).map((row) => row.areaId)).toEqual([scene.store.areas[0]?.id, area?.id]);
  });
});
