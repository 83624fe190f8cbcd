import { createHash, randomUUID } from "node:crypto";
import {
  deviceKeyHeader,
  deviceMaxSequence,
  endSession,
  limits,
  postScanBatch,
  reportQueue,
  sessionProgress,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter } from "../../testing/scenes.ts";
import { countInEachTest, firstArea, scan, scanBody } from "../testing/scene.ts";

const scene = countInEachTest();

/** Each test has a device of its own: a key is of the installation, and outlives the session. */
let deviceId = "";
const ownKey = "k".repeat(43);
const strangersKey = "s".repeat(43);
let reports = 0;

function aNewDevice(): void {
  deviceId = `device-${randomUUID()}`;
}

/** Somebody tells what the device holds; without a key where none is given. */
async function tell(pending: number, key?: string, by: TestCounter = scene.counter, session = scene.session) {
  reports += 1;
  const body = { sessionId: session._id, deviceId, pending, pendingOrder: reports };
  const deviceKey = key === undefined ? {} : { deviceKey: key };
  return (await by.api.send(reportQueue, { body: { ...body, ...deviceKey } })).body;
}

/** Somebody opens an area in the name of the device and says what it holds, or nothing of that. */
async function open(pending: number | null, key?: string, by: TestCounter = scene.counter) {
  reports += 1;
  const told = pending === null ? {} : { pending: String(pending), pendingOrder: String(reports) };
  const query = { sessionId: scene.session._id, deviceId, tellsQueue: "true" as const, ...told };
  const headers: Record<string, string> = key === undefined ? {} : { [deviceKeyHeader]: key };
  return (await by.api.send(deviceMaxSequence, { query }, headers)).body;
}

const stranger = () => join(scene.server, scene.session, { name: "Mallory" });

async function pendingNow() {
  const params = { id: scene.session._id };
  const { devices } = await scene.server.admin.call(sessionProgress, { params });
  return devices.find((device) => device.deviceId === deviceId)?.pending;
}

async function hashNow(): Promise<string | undefined> {
  const { rows } = await scene.server.database.pool.query(
    "select encode(key_hash, 'hex') as hash from device_keys where device_id = $1",
    [deviceId],
  );
  return rows[0]?.hash;
}

const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");

async function expectKeyOf(key: string): Promise<void> {
  expect(await hashNow()).toBe(hashOf(key));
}

describe("a device that has shown a key", () => {
  test("is believed by that key alone: a stranger's word that it holds nothing, or less or more, changes nothing", async () => {
    aNewDevice();
    await open(4, ownKey);
    await expectKeyOf(ownKey);
    const mallory = await stranger();
    for (const key of [strangersKey, undefined]) {
      for (const pending of [0, 2, 9]) await tell(pending, key, mallory);
      await open(0, key, mallory);
    }
    expect(await pendingNow()).toBe(4);
    await tell(1, ownKey);
    expect(await pendingNow()).toBe(1);
    await tell(0, ownKey);
    expect(await pendingNow()).toBeUndefined();
    await tell(7, strangersKey, mallory);
    expect(await pendingNow()).toBeUndefined();
  });

  test("is told so in words that are the same whoever tells it, of a device that nobody has heard of too", async () => {
    aNewDevice();
    const believed = [await open(2, ownKey), await tell(1, ownKey)];
    const mallory = await stranger();
    const strangers = [await open(0, strangersKey, mallory), await tell(0, undefined, mallory)];
    expect(strangers).toEqual(believed);
    aNewDevice();
    expect([await open(0, strangersKey, mallory), await tell(0, strangersKey, mallory)]).toEqual(believed);
  });

  test("has every scan stored whatever key comes with it, and no report but its own", async () => {
    aNewDevice();
    const { api } = scene.counter;
    const send = async (seq: number, pending: number, key?: string, by = api) => {
      reports += 1;
      const scans = [scanBody(scene, { deviceId, seq, opId: randomUUID() })];
      const deviceKey = key === undefined ? {} : { deviceKey: key };
      const body = { scans, pending, pendingOrder: reports, ...deviceKey };
      const { results } = await by.call(postScanBatch, { body });
      expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201]);
      return pendingNow();
    };
    expect(await send(1, 5, ownKey)).toBe(5);
    const { api: others } = await stranger();
    expect(await send(2, 0, strangersKey, others)).toBe(5);
    expect(await send(3, 0, undefined, others)).toBe(5);
    expect(await send(4, 3, ownKey)).toBe(3);
    const undo = { ...firstArea(scene), deviceId, seq: 2, pending: 0, pendingOrder: limits.runningSequence };
    await others.call(undoScan, { body: undo });
    expect(await pendingNow()).toBe(3);
    const refused = { ...undo, seq: 99, deviceKey: strangersKey };
    expect((await others.refusal(undoScan, { body: refused })).code).toBe("NOTHING_TO_UNDO");
    expect(await pendingNow()).toBe(3);
    const own = { ...refused, pending: 2, pendingOrder: 10 ** 6, deviceKey: ownKey };
    await api.refusal(undoScan, { body: own });
    expect(await pendingNow()).toBe(2);
  });

  test("may be opened by a page of the release before, whose word of emptiness is left to the newer page", async () => {
    aNewDevice();
    await open(3, ownKey);
    await tell(0);
    await open(0);
    expect(await pendingNow()).toBe(3);
    await tell(0, ownKey);
    expect(await pendingNow()).toBeUndefined();
  });

  test("is shared by people who sign in one after the other, in this session and in the next", async () => {
    aNewDevice();
    await open(3, ownKey);
    const bea = await join(scene.server, scene.session, { name: "Bea" });
    await tell(2, ownKey, bea);
    expect(await pendingNow()).toBe(2);
    const later = await begin(scene.server, await makeStore(scene.server));
    const cem = await join(scene.server, later, { name: "Cem" });
    await tell(6, ownKey, cem, later);
    await tell(0, strangersKey, await join(scene.server, later, { name: "Mallory" }), later);
    const { devices } = await scene.server.admin.call(sessionProgress, { params: { id: later._id } });
    expect(devices).toMatchObject([{ deviceId, pending: 6, username: "Cem" }]);
  });

  test("is believed after the end too, and nobody else is", async () => {
    aNewDevice();
    await open(3, ownKey);
    await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    await tell(0, strangersKey, await stranger());
    expect(await pendingNow()).toBe(3);
    await tell(0, ownKey);
    expect(await pendingNow()).toBeUndefined();
  });

  test("is not forgotten with what it holds where a stranger sends in its name and makes up devices", async () => {
    aNewDevice();
    await open(0, ownKey);
    reports += 1;
    const held = { pending: 4, pendingOrder: reports, deviceKey: ownKey };
    const sent = [scanBody(scene, { deviceId, opId: randomUUID() })];
    await scene.counter.api.call(postScanBatch, { body: { scans: sent, ...held } });
    const { api } = await stranger();
    await scan(scene, { deviceId, seq: 2, opId: randomUUID() }, api);
    reports += 1;
    const scans = Array.from({ length: limits.devicesPerPerson }, (_none, place) =>
      scanBody(scene, { deviceId: `made-up-${place}`, opId: randomUUID() }),
    );
    await api.call(postScanBatch, { body: { scans, pending: 1, pendingOrder: reports } });
    expect(await pendingNow()).toBe(4);
  });

  test("is not forgotten where a stranger has opened an area in its name before it, and makes up devices", async () => {
    aNewDevice();
    await open(0, ownKey);
    const later = await begin(scene.server, await makeStore(scene.server));
    const mallory = await join(scene.server, later, { name: "Mallory" });
    const query = { sessionId: later._id, deviceId };
    await mallory.api.call(deviceMaxSequence, { query });
    const ada = await join(scene.server, later, { name: "Ada" });
    await tell(4, ownKey, ada, later);
    const told = { sessionId: later._id, pending: 1, pendingOrder: 1 };
    for (let place = 0; place < limits.devicesPerPerson; place += 1)
      await mallory.api.call(reportQueue, { body: { ...told, deviceId: `made-up-${place}` } });
    const { devices } = await scene.server.admin.call(sessionProgress, { params: { id: later._id } });
    expect(devices.find((device) => device.deviceId === deviceId)).toMatchObject({ pending: 4 });
  });

  test("is opened in the name of, which says nothing of what it tells", async () => {
    aNewDevice();
    await scene.counter.api.call(deviceMaxSequence, { query: { sessionId: scene.session._id, deviceId } });
    await open(null, ownKey);
    await scene.counter.api.call(deviceMaxSequence, { query: { sessionId: scene.session._id, deviceId } });
    await open(null, strangersKey, await stranger());
    const { rows } = await scene.server.database.pool.query(
      "select tells_queue from opened_devices where session_id = $1 and device_id = $2",
      [scene.session._id, deviceId],
    );
    expect(rows).toEqual([{ tells_queue: false }]);
  });
});

describe("the key of a device is set by", () => {
  test("whoever is the first to be heard from it, not by others who have learned its id and send in its name", async () => {
    aNewDevice();
    await scan(scene, { deviceId, opId: randomUUID() });
    const mallory = await stranger();
    await tell(3, strangersKey, mallory);
    expect(await hashNow()).toBeUndefined();
    await scan(scene, { deviceId, seq: 2, opId: randomUUID() }, mallory.api);
    await open(3, strangersKey, mallory);
    expect(await hashNow()).toBeUndefined();
    await open(2, ownKey);
    await expectKeyOf(ownKey);
    await tell(0, strangersKey, mallory);
    expect(await pendingNow()).toBe(2);
  });

  test("the person in whose name a saved queue was loaded first, too", async () => {
    aNewDevice();
    const { admin } = scene.server;
    await scan(scene, { deviceId, opId: randomUUID(), scannedById: scene.counter.userId }, admin);
    await tell(1, strangersKey, await stranger());
    expect(await hashNow()).toBeUndefined();
    await tell(0, ownKey);
    await expectKeyOf(ownKey);
  });

  test("nobody who is the first in another session while the device counts in this one", async () => {
    aNewDevice();
    await open(1);
    const elsewhere = await begin(scene.server, await makeStore(scene.server));
    const mallory = await join(scene.server, elsewhere, { name: "Mallory" });
    await tell(0, strangersKey, mallory, elsewhere);
    expect(await hashNow()).toBeUndefined();
    await tell(1, ownKey);
    await expectKeyOf(ownKey);
  });

  test("nobody who may not send to the session, and by no key that is too short to be one", async () => {
    aNewDevice();
    const elsewhere = await begin(scene.server, await makeStore(scene.server));
    await tell(0, strangersKey, await join(scene.server, elsewhere, { name: "Zoe" }));
    expect(await tell(0, "short")).toMatchObject({ code: "VALIDATION" });
    expect(await open(0, "k".repeat(limits.deviceKey + 1))).toMatchObject({ code: "VALIDATION" });
    expect(await hashNow()).toBeUndefined();
  });

  test("the same again where a restored backup has the device without it", async () => {
    aNewDevice();
    await scan(scene, { deviceId, opId: randomUUID() });
    await tell(2, ownKey);
    await scene.server.database.pool.query("delete from device_keys where device_id = $1", [deviceId]);
    await tell(2, strangersKey, await stranger());
    expect(await hashNow()).toBeUndefined();
    await tell(2, ownKey);
    await expectKeyOf(ownKey);
  });

  test("one of two that come at once, for good", async () => {
    aNewDevice();
    const mallory = await stranger();
    await Promise.all([tell(1, ownKey), tell(2, strangersKey, mallory)]);
    const [winner, loser] =
      (await hashNow()) === hashOf(ownKey) ? [ownKey, strangersKey] : [strangersKey, ownKey];
    await tell(5, winner);
    await tell(0, loser, mallory);
    expect(await pendingNow()).toBe(5);
  });
});
