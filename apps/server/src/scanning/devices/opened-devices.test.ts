import { randomUUID } from "node:crypto";
import {
  deviceMaxSequence,
  endSession,
  limits,
  postScanBatch,
  reportQueue,
  sessionProgress,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { countInEachTest, scan, scanBody } from "../testing/scene.ts";

const scene = countInEachTest();

interface Told {
  readonly tellsQueue?: "true";
  readonly pending?: string;
  readonly pendingOrder?: string;
}

const open = (deviceId: string, told: Told = {}) =>
  scene.counter.api.call(deviceMaxSequence, { query: { sessionId: scene.session._id, deviceId, ...told } });

async function opened() {
  const { rows } = await scene.server.database.pool.query(
    "select device_id, tells_queue from opened_devices where session_id = $1 order by opened_at",
    [scene.session._id],
  );
  return rows.map(({ device_id, tells_queue }) => [device_id, tells_queue]);
}

async function held() {
  const { rows } = await scene.server.database.pool.query(
    "select device_id, pending, tells_queue from opened_devices where session_id = $1 order by opened_at",
    [scene.session._id],
  );
  return rows.map(({ device_id, pending, tells_queue }) => [device_id, pending, tells_queue]);
}

describe("a device that has opened an area", () => {
  test("is known once, while the session runs, and told apart from devices that were heard of", async () => {
    for (const device of ["silent", "silent", "other"]) await open(device);
    await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    await open("late");
    expect(await opened()).toEqual([
      ["silent", false],
      ["other", false],
    ]);
    const params = { id: scene.session._id };
    const progress = await scene.server.admin.call(sessionProgress, { params });
    expect(progress.devices).toEqual([]);
    expect(progress.opened?.map(({ deviceId, username }) => [deviceId, username])).toEqual([
      ["other", scene.counter.username],
      ["silent", scene.counter.username],
    ]);
  });

  test("is one that was heard of as soon as it has sent anything", async () => {
    await open("phone");
    await scan(scene, { seq: 1, deviceId: "phone" });
    const progress = await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } });
    expect(progress.devices.map(({ deviceId }) => deviceId)).toEqual(["phone"]);
    expect(progress.opened).toEqual([]);
  });

  test("tells of its whole queue where the app that it was opened with last does", async () => {
    await open("phone");
    await open("phone", { tellsQueue: "true" });
    expect(await opened()).toEqual([["phone", true]]);
    await open("phone");
    expect(await opened()).toEqual([["phone", false]]);
  });

  test("is known with what it held then; an earlier report that arrives later changes nothing", async () => {
    const told = (pending: number, pendingOrder: number): Told => ({
      ...{ tellsQueue: "true", pending: String(pending), pendingOrder: String(pendingOrder) },
    });
    expect(await open("phone", told(0, 5))).toEqual({ maxSeq: 0, reportHeard: true });
    expect(await held()).toEqual([["phone", 0, true]]);
    await open("phone", told(3, 4));
    expect(await held()).toEqual([["phone", 0, true]]);
    await open("phone", told(2, 6));
    expect(await held()).toEqual([["phone", 2, true]]);
    const progress = await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } });
    expect(progress.devices).toMatchObject([{ deviceId: "phone", pending: 2, scans: 0 }]);
    expect(progress.opened).toEqual([]);
    const body = { sessionId: scene.session._id, deviceId: "phone", pending: 0, pendingOrder: 7 };
    await scene.counter.api.call(reportQueue, { body });
    expect(await held()).toEqual([["phone", 0, true]]);
  });

  test("has what it told with what it sent overruled by a later word, and not by an earlier one", async () => {
    const deviceId = "device-1";
    const scans = [scanBody(scene, { deviceId, opId: randomUUID() })];
    await scene.counter.api.call(postScanBatch, { body: { scans, pending: 4, pendingOrder: 5 } });
    const pendingNow = async () => {
      const { devices } = await scene.server.admin.call(sessionProgress, {
        params: { id: scene.session._id },
      });
      return devices.map(({ pending }) => pending);
    };
    await open(deviceId, { tellsQueue: "true", pending: "0", pendingOrder: "4" });
    expect(await pendingNow()).toEqual([4]);
    await open(deviceId, { tellsQueue: "true", pending: "0", pendingOrder: "6" });
    expect(await pendingNow()).toEqual([0]);
  });

  test("tells nothing of its queue where it numbers no report, or does not tell of all of it", async () => {
    const nothingHeard = { maxSeq: 0 };
    expect(await open("phone", { tellsQueue: "true", pending: "1" })).toEqual(nothingHeard);
    expect(await open("other", { pending: "1", pendingOrder: "1" })).toEqual(nothingHeard);
    expect(await held()).toEqual([
      ["phone", null, true],
      ["other", null, false],
    ]);
    const query = { sessionId: scene.session._id, deviceId: "phone", pending: "many", pendingOrder: "1" };
    expect(await scene.counter.api.refusal(deviceMaxSequence, { query })).toMatchObject({
      code: "VALIDATION",
    });
  });

  test("stays known before those that hold nothing, within the last hundred of its person", async () => {
    await open("holds", { tellsQueue: "true", pending: "1", pendingOrder: "1" });
    await open("silent");
    for (let place = 0; place < limits.devicesPerPerson; place += 1)
      await open(`made-up-${place}`, { tellsQueue: "true", pending: "0", pendingOrder: "1" });
    const devices = (await opened()).map(([device]) => device);
    expect(devices).toHaveLength(limits.devicesPerPerson);
    expect(devices.slice(0, 2)).toEqual(["holds", "silent"]);
    const body = { sessionId: scene.session._id, deviceId: "told", pending: 1, pendingOrder: 1 };
    await scene.counter.api.call(reportQueue, { body });
    expect(await opened()).toHaveLength(limits.devicesPerPerson);
  });

  test("tells of everything with a numbered report, whatever its app was as the area was opened", async () => {
    await open("device-1");
    const scans = [scanBody(scene, { deviceId: "device-1", opId: randomUUID() })];
    await scene.counter.api.call(postScanBatch, { body: { scans, pending: 0 } });
    expect(await opened()).toEqual([["device-1", false]]);
    const next = [scanBody(scene, { deviceId: "device-1", seq: 2, opId: randomUUID() })];
    await scene.counter.api.call(postScanBatch, { body: { scans: next, pending: 0, pendingOrder: 1 } });
    expect(await opened()).toEqual([["device-1", true]]);
  });

  test("is one of the last hundred of its person", async () => {
    for (let place = 0; place < limits.devicesPerPerson + 3; place += 1) await open(`made-up-${place}`);
    const devices = await opened();
    expect(devices).toHaveLength(limits.devicesPerPerson);
    expect(devices.at(-1)).toEqual([`made-up-${limits.devicesPerPerson + 2}`, false]);
  });
});
