import { randomUUID } from "node:crypto";
import {
  areaScans,
  type CallInput,
  deviceKeyHeader,
  deviceMaxSequence,
  postScanBatch,
  undoScan,
} from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { join, type TestCounter } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { resetFirstArea } from "./testing/endings.ts";
import { codes, countInEachTest, countsOf, endAtOnce, firstArea, scan, scanBody } from "./testing/scene.ts";

const scene = countInEachTest();
const ownKey = "k".repeat(43);
const strangersKey = "s".repeat(43);
let deviceId: string;
let mallory: TestCounter;

beforeEach(async () => {
  deviceId = `device-${randomUUID()}`;
  mallory = await join(scene.server, scene.session, { name: "Mallory" });
  await openArea(scene.counter);
});

type UndoBody = CallInput<typeof undoScan>["body"];

const undo = ({ api }: { readonly api: TestApi }, changes: Partial<UndoBody> = {}) =>
  api.send(undoScan, { body: { ...firstArea(scene), deviceId, seq: 1, opId: randomUUID(), ...changes } });

/** Ada's device opens its area, by which the server has its key. */
const openArea = ({ api }: TestCounter, key = ownKey) =>
  api.send(
    deviceMaxSequence,
    {
      query: { sessionId: scene.session._id, deviceId, tellsQueue: "true", pending: "0", pendingOrder: "1" },
    },
    { [deviceKeyHeader]: key },
  );

const notTheirs = { status: 403, body: { code: "FORBIDDEN" } };
const done = { status: 200 };

const stored = (seq: number) =>
  scene.server.database.database
    .selectFrom("scans")
    .select(["status", "reason"])
    .where("sessionId", "=", scene.session._id)
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();

const marks = () =>
  scene.server.database.database
    .selectFrom("uncertainFigures")
    .select("reason")
    .where("sessionId", "=", scene.session._id)
    .execute();

describe("whoever has learned another one's device id in the area", () => {
  test("undoes no scan of theirs, with a number or without, with a key of their own or without", async () => {
    await scan(scene, { deviceId });
    const { scans } = await mallory.api.call(areaScans, {
      params: { sessionId: scene.session._id, areaCode: "A1" },
      query: {},
    });
    expect(scans).toMatchObject([{ deviceId, seq: 1 }]);
    expect(await undo(mallory)).toMatchObject(notTheirs);
    expect(await undo(mallory, { seq: undefined })).toMatchObject(notTheirs);
    await openArea(mallory, strangersKey);
    expect(await undo(mallory, { deviceKey: strangersKey })).toMatchObject(notTheirs);
    expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1 });
  });

  test("takes none out of what waits, or of a pass that is over", async () => {
    const { scan: voided } = await scan(scene, { deviceId });
    await resetFirstArea(scene);
    expect(await undo(mallory)).toMatchObject(notTheirs);
    expect(await stored(1)).toEqual({ status: "voided", reason: "AREA_RESET" });
    await scan(scene, { deviceId, seq: 2, pass: voided.pass });
    expect(await undo(mallory, { seq: 2 })).toMatchObject(notTheirs);
    expect(await stored(2)).toEqual({ status: "late", reason: "PASS_OVER" });
  });

  test("puts no figure in doubt once the session has ended", async () => {
    await scan(scene, { deviceId });
    await endAtOnce(scene);
    expect(await undo(mallory)).toMatchObject(notTheirs);
    expect(await marks()).toEqual([]);
  });

  test("is told nothing of an undo that was made before", async () => {
    await scan(scene, { deviceId });
    expect(await undo(scene.counter)).toMatchObject(done);
    expect(await undo(mallory)).toMatchObject(notTheirs);
  });
});

describe("an undo is of whoever", () => {
  test("made the scan, whatever key the device shows", async () => {
    await scan(scene, { deviceId });
    expect(await undo(scene.counter, { deviceKey: strangersKey })).toMatchObject(done);
  });

  test("sent it for somebody else, as the next login on a shared device does", async () => {
    const scans = [scanBody(scene, { deviceId, opId: randomUUID(), scannedById: scene.counter.userId })];
    await mallory.api.call(postScanBatch, { body: { scans } });
    expect(await undo(mallory)).toMatchObject(done);
    expect(await countsOf(scene)).toEqual({});
  });

  test("is signed in on a device that has shown no key, as those of earlier releases have none", async () => {
    deviceId = `device-${randomUUID()}`;
    await scan(scene, { deviceId });
    expect(await undo(mallory)).toMatchObject(done);
  });

  test("is signed in on the device that shows its key, by number and without", async () => {
    await scan(scene, { deviceId, opId: randomUUID() });
    await scan(scene, { deviceId, opId: randomUUID(), seq: 2 });
    expect(await undo(mallory, { deviceKey: ownKey })).toMatchObject(done);
    expect(await undo(mallory, { deviceKey: ownKey, seq: undefined })).toMatchObject(done);
    expect(await countsOf(scene)).toEqual({});
  });

  test("administers the count, as they load what a device had kept", async () => {
    await scan(scene, { deviceId });
    expect(await undo({ api: scene.server.admin })).toMatchObject(done);
  });
});
