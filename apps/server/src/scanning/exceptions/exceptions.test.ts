import { type CallAnswer, type postScan, resolveScan, sessionExceptions } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin, makeAreas, makeLocation } from "../../testing/scenes.ts";
import { finishFirstArea, resetFirstArea } from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  scan,
  startCounting,
} from "../testing/scene.ts";

const scene = countInEachTest();

type Decision = Parameters<typeof decide>[1];

async function exceptions() {
  return (await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } })).scans;
}

async function decide(
  { scan: { _id: id } }: CallAnswer<typeof postScan>,
  body: { action: "accept" | "dismiss"; sku?: string; areaId?: string },
) {
  return (await scene.server.admin.call(resolveScan, { params: { id }, body })).scan;
}

async function refusal({ scan: { _id: id } }: CallAnswer<typeof postScan>, body: Decision) {
  const { status, code } = await scene.server.admin.refusal(resolveScan, { params: { id }, body });
  return [status, code];
}

const closeAreaAtZero = () => finishFirstArea(scene, 0);

async function deploy(
  status: "pending" | "applied" | "partial" | "failed",
  rolledBackAt: Date | null = null,
) {
  await scene.server.database.database
    .insertInto("adjustments")
    .values({
      sessionId: scene.session._id,
      status,
      basis: "end",
      zeroUncounted: false,
      totalAdjustments: 1,
      note: null,
      appliedBy: null,
      rollbackRequestedBy: null,
      rolledBackAt,
    })
    .execute();
}

describe("the exceptions of a session", () => {
  test("are its unresolved and late scans, each with the device's scans beside it", async () => {
    await scan(scene, { seq: 1, scannedAt: "2025-03-01T10:00:00.000Z" });
    await scan(scene, { seq: 4, input: codes.unknown.input });
    await scan(scene, { seq: 9, input: codes.jacketM.input });
    await scan(scene, { seq: 5, deviceId: "device-2" });
    const listed = await exceptions();
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({
      status: "unresolved",
      reason: "UNKNOWN_CODE",
      input: codes.unknown.input,
      sku: null,
      area: { code: "A1", name: "Area A1" },
      deviceId: "device-1",
      username: "Ada",
      before: { sku: "JK-1000", productTitle: "Jacket", size: "S", scannedAt: "2025-03-01T10:00:00.000Z" },
      after: { sku: "JK-1001", productTitle: "Jacket", size: "M" },
    });
  });

  test("leave out what was undone, reset or settled, and have no neighbours before the first and after the last", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    expect(await exceptions()).toMatchObject([{ before: null, after: null }]);
    await decide(unknown, { action: "dismiss" });
    await scan(scene, { seq: 2, input: codes.unknown.input });
    await resetFirstArea(scene);
    expect(await exceptions()).toEqual([]);
  });

  test("are for the administrator only, and 404 where there is no session", async () => {
    const params = { id: scene.session._id };
    expect((await scene.counter.api.refusal(sessionExceptions, { params })).code).toBe("FORBIDDEN");
    expect((await scene.server.admin.refusal(sessionExceptions, { params: { id: "nothing" } })).code).toBe(
      "NOT_FOUND",
    );
  });
});

describe("accepting an unresolved scan", () => {
  test("counts it as the chosen product", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    const { pass } = await areaRow(scene);
    const areaId = scene.store.areas[0]?.id;
    expect(await decide(unknown, { action: "accept", sku: "JK-1001" })).toMatchObject({
      status: "counted",
      reason: null,
      sku: "JK-1001",
      areaId,
      pass,
    });
    expect(await countsOf(scene)).toEqual({ "JK-1001": 1 });
    expect(await exceptions()).toEqual([]);
  });

  test("needs a product: 400 without one, 404 for one that the session doesn't have or a shared SKU", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    expect(await refusal(unknown, { action: "accept" })).toEqual([400, "VALIDATION"]);
    for (const sku of ["NOTHING", codes.shared.input]) {
      expect(await refusal(unknown, { action: "accept", sku })).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("counts it as what its code matches by now", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    const { database } = scene.server.database;
    const session = scene.session._id;
    await database
      .updateTable("sessionItems")
      .set({ barcode: codes.unknown.input })
      .where("sessionId", "=", session)
      .where("sku", "=", "HAT-1")
      .execute();
    await database
      .updateTable("sessions")
      .set((row) => ({ catalogueVersion: row("catalogueVersion", "+", 1) }))
      .where("id", "=", session)
      .execute();
    expect((await decide(unknown, { action: "accept" })).sku).toBe("HAT-1");
  });

  test("can move it to another area of the store, which is then in progress", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    const areaId = scene.store.areas[1]?.id ?? "";
    expect(await decide(unknown, { action: "accept", sku: "JK-1000", areaId })).toMatchObject({ areaId });
    expect((await areaRow(scene, "A2")).status).toBe("in_progress");
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("can't move it to another store or to an area that does not exist", async () => {
    const other = await startCounting(scene.server);
    const unknown = await scan(scene, { input: codes.unknown.input });
    const accept = { action: "accept", sku: "JK-1000" } as const;
    const foreign = { ...accept, areaId: other.store.areas[0]?.id ?? "" };
    expect(await refusal(unknown, foreign)).toEqual([400, "VALIDATION"]);
    expect(await refusal(unknown, { ...accept, areaId: "nothing" })).toEqual([404, "NOT_FOUND"]);
    expect(await exceptions()).toHaveLength(1);
  });
});

describe("accepting a late scan", () => {
  test("counts it in the area's current pass while the session runs, as what it matched", async () => {
    const { pass } = await areaRow(scene);
    await resetFirstArea(scene);
    const late = await scan(scene, { pass });
    expect(await decide(late, { action: "accept" })).toMatchObject({ sku: "JK-1000", pass: pass + 1 });
    expect(await areaRow(scene)).toMatchObject({ status: "in_progress", pass: pass + 1 });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("counts it in a closed area, which stays closed", async () => {
    await closeAreaAtZero();
    await decide(await scan(scene), { action: "accept" });
    expect((await areaRow(scene)).status).toBe("closed");
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("counts it in the area's last pass of a session that is over, not in the next session", async () => {
    const { pass } = await areaRow(scene);
    await endAtOnce(scene);
    const next = await begin(scene.server, scene.store);
    const late = await scan(scene);
    expect(await decide(late, { action: "accept" })).toMatchObject({ pass });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
    expect(await countsOf({ ...scene, session: next })).toEqual({});
    expect((await areaRow(scene)).status).toBe("not_started");
  });

  test("can't move it to an area that its session never had", async () => {
    await endAtOnce(scene);
    const late = await scan(scene);
    const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
    const [area] = await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["N1"] });
    expect(await refusal(late, { action: "accept", areaId: area?.id ?? "" })).toEqual([400, "VALIDATION"]);
  });
});

describe("settling a scan", () => {
  test("dismissed, it never counts, and a repeat returns that", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    expect(await decide(unknown, { action: "dismiss" })).toMatchObject({
      status: "voided",
      reason: "DISMISSED",
    });
    expect(await scan(scene, { input: codes.unknown.input })).toMatchObject({
      status: "voided",
      reason: "DISMISSED",
      duplicate: true,
    });
  });

  test("happens once", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    await decide(unknown, { action: "accept", sku: "JK-1000" });
    expect(await refusal(unknown, { action: "accept", sku: "JK-1000" })).toEqual([409, "SCAN_NOT_OPEN"]);
    expect(await refusal(unknown, { action: "dismiss" })).toEqual([409, "SCAN_NOT_OPEN"]);
    expect(await refusal(await scan(scene, { seq: 2 }), { action: "dismiss" })).toEqual([
      409,
      "SCAN_NOT_OPEN",
    ]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
  });

  test("happens once of many at the same time", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    const params = { id: unknown.scan._id };
    const body = { action: "accept", sku: "JK-1000" } as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => scene.server.admin.send(resolveScan, { params, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("is refused while the report is deployed, and allowed where none of it is in effect", async () => {
    const unknown = await scan(scene, { input: codes.unknown.input });
    for (const status of ["pending", "partial", "applied"] as const) {
      await deploy(status);
      expect(await refusal(unknown, { action: "dismiss" })).toEqual([409, "REPORT_DEPLOYED"]);
      await scene.server.database.database.deleteFrom("adjustments").execute();
    }
    await deploy("failed");
    await deploy("applied", new Date());
    expect((await decide(unknown, { action: "dismiss" })).status).toBe("voided");
  });

  test("of a scan that does not exist is 404", async () => {
    const body = { action: "dismiss" } as const;
    for (const id of ["999999", "nonsense"]) {
      expect((await scene.server.admin.refusal(resolveScan, { params: { id }, body })).code).toBe(
        "NOT_FOUND",
      );
    }
  });
});
