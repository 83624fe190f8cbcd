import { randomUUID } from "node:crypto";
import {
  type CallInput,
  type CountingSession,
  deviceKeyHeader,
  deviceMaxSequence,
  endSession,
  limits,
  postScanBatch,
  reportQueue,
  sessionProgress,
} from "@stocktake/contract";
import { expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter } from "../../testing/scenes.ts";
import { countInEachTest, scan, scanBody } from "../testing/scene.ts";

const scene = countInEachTest();
const ownKey = "k".repeat(43);
const strangersKey = "s".repeat(43);

type Told = Pick<
  CallInput<typeof reportQueue>["body"],
  "deviceId" | "pending" | "pendingOrder" | "deviceKey"
>;

const tell = ({ api }: TestCounter, session: CountingSession, told: Told) =>
  api.call(reportQueue, { body: { sessionId: session._id, ...told } });

const inSession = (name: string, session = scene.session) => join(scene.server, session, { name });

/** What its devices hold, by their ids. */
async function heldIn(session: CountingSession): Promise<ReadonlyMap<string, number | null>> {
  const { devices } = await scene.server.admin.call(sessionProgress, { params: { id: session._id } });
  return new Map(devices.map((device) => [device.deviceId, device.pending]));
}

async function keysOf({ userId }: TestCounter): Promise<string[]> {
  const { rows } = await scene.server.database.pool.query(
    "select device_id from device_keys where user_id = $1",
    [userId],
  );
  return rows.map(({ device_id }) => device_id);
}

test("what a stranger had numbered as high as can be before the key came is over with it", async () => {
  const deviceId = `device-${randomUUID()}`;
  await scan(scene, { deviceId, opId: randomUUID() });
  const query = { sessionId: scene.session._id, deviceId };
  await scene.counter.api.call(deviceMaxSequence, { query });
  const mallory = await inSession("Mallory");
  const highest = { deviceId, pendingOrder: limits.runningSequence };
  await tell(mallory, scene.session, { ...highest, pending: 9 });
  expect((await heldIn(scene.session)).get(deviceId)).toBe(9);
  await tell(scene.counter, scene.session, { deviceId, pending: 2, pendingOrder: 1, deviceKey: ownKey });
  expect((await heldIn(scene.session)).get(deviceId)).toBe(2);
  await tell(scene.counter, scene.session, { deviceId, pending: 0, pendingOrder: 2, deviceKey: ownKey });
  expect((await heldIn(scene.session)).get(deviceId)).toBe(0);
});

test("who opens an area and scans in the name of a phone that has told nothing in a session yet does not make it known to be empty", async () => {
  const deviceId = `device-${randomUUID()}`;
  await tell(scene.counter, scene.session, { deviceId, pending: 0, pendingOrder: 1, deviceKey: ownKey });
  const later = await begin(scene.server, await makeStore(scene.server));
  const mallory = await inSession("Mallory", later);
  const query = { sessionId: later._id, deviceId, tellsQueue: "true" as const };
  await mallory.api.call(deviceMaxSequence, { query });
  await mallory.api.send(
    deviceMaxSequence,
    { query: { ...query, pending: "0", pendingOrder: "9" } },
    { [deviceKeyHeader]: strangersKey },
  );
  const { rows } = await scene.server.database.pool.query(
    "select tells_queue, pending from opened_devices where session_id = $1 and device_id = $2",
    [later._id, deviceId],
  );
  expect(rows).toEqual([{ tells_queue: false, pending: null }]);
});

test("who opens an area in the name of a phone that has told what it holds by itself changes nothing that is known of it", async () => {
  const deviceId = `device-${randomUUID()}`;
  const scans = [scanBody(scene, { deviceId, opId: randomUUID() })];
  await scene.counter.api.call(postScanBatch, {
    body: { scans, pending: 0, pendingOrder: 1, deviceKey: ownKey },
  });
  const mallory = await inSession("Mallory");
  const query = { sessionId: scene.session._id, deviceId, tellsQueue: "true" as const };
  await mallory.api.call(deviceMaxSequence, { query });
  const { rows } = await scene.server.database.pool.query(
    "select tells_queue, pending from opened_devices where session_id = $1 and device_id = $2",
    [scene.session._id, deviceId],
  );
  expect(rows).toEqual([{ tells_queue: true, pending: null }]);
});

test("a person sets the keys of a hundred devices, and none that is set is taken away to make room", async () => {
  const phone = `device-${randomUUID()}`;
  await tell(scene.counter, scene.session, {
    deviceId: phone,
    pending: 4,
    pendingOrder: 1,
    deviceKey: ownKey,
  });
  const made = Array.from({ length: limits.devicesPerPerson + 5 }, () => `device-${randomUUID()}`);
  const scans = made.map((deviceId) => scanBody(scene, { deviceId, opId: randomUUID() }));
  await scene.counter.api.call(postScanBatch, {
    body: { scans, pending: 1, pendingOrder: 1, deviceKey: ownKey },
  });
  const keys = await keysOf(scene.counter);
  expect([keys.length, keys.includes(phone)]).toEqual([limits.devicesPerPerson, true]);
  expect((await heldIn(scene.session)).get(phone)).toBe(4);
  await tell(scene.counter, scene.session, { deviceId: phone, pending: 0, pendingOrder: 2 });
  expect((await heldIn(scene.session)).get(phone)).toBe(4);
});

test("a phone that still holds rows of a session that is over gets no key of whoever names it first in the next", async () => {
  const deviceId = `device-${randomUUID()}`;
  await scan(scene, { deviceId, opId: randomUUID() });
  await tell(scene.counter, scene.session, { deviceId, pending: 7, pendingOrder: 1 });
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  const later = await begin(scene.server, await makeStore(scene.server));
  const mallory = await inSession("Mallory", later);
  await tell(mallory, later, { deviceId, pending: 0, pendingOrder: 1, deviceKey: strangersKey });
  expect(await keysOf(mallory)).toEqual([]);
  await tell(scene.counter, scene.session, { deviceId, pending: 0, pendingOrder: 2, deviceKey: ownKey });
  expect(await keysOf(scene.counter)).toEqual([deviceId]);
});
