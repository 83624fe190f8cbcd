import { randomUUID } from "node:crypto";
import { finishArea, limits, postScanBatch, resetArea, sessionProgress, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { join } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { countInEachTest, firstArea, scanBody } from "../testing/scene.ts";
import { DeviceHeartbeats } from "./heartbeats.ts";
import { recordOpened } from "./opened-device-queries.ts";
import { nothingReported } from "./queue-report.ts";

const scene = countInEachTest();

/** Scans that count, each by a device of its own. */
async function scanOn(devices: readonly string[], api: TestApi, scannedById?: string): Promise<void> {
  const scans = devices.map((deviceId) =>
    scanBody(scene, { deviceId, opId: randomUUID(), ...(scannedById === undefined ? {} : { scannedById }) }),
  );
  const { results } = await api.call(postScanBatch, { body: { scans } });
  expect(new Set(results.map(({ httpStatus }) => httpStatus))).toEqual(new Set([201]));
}

const services = () => scene.server.context;
const progress = () => scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } });
const madeUp = (name: string, count: number) =>
  Array.from({ length: count }, (_none, place) => `${name}-${place}`);

test("of a person who makes up devices the last hundred are listed, every scan of all counts, and others stay", async () => {
  const other = await join(scene.server, scene.session, { name: "Bea" });
  await scanOn(["bea's phone"], other.api);
  await scanOn(madeUp("first", 300), scene.counter.api, other.userId);
  await scanOn(madeUp("second", 60), scene.counter.api);
  const { devices, areas } = await progress();
  expect(areas[0]).toMatchObject({ scans: 361, usernames: ["Ada", "Bea"] });
  const named = (name: string) => devices.filter(({ deviceId }) => deviceId.startsWith(name));
  expect(named("bea's phone")).toMatchObject([{ username: "Bea", scans: 1 }]);
  expect(named("second")).toHaveLength(60);
  expect(devices).toHaveLength(limits.devicesPerPerson + 1);
  expect(devices.every(({ scans }) => scans === 1)).toBe(true);
});

test("a device that opened an area or sent a scan and said last that it holds rows is forgotten for no made-up one", async () => {
  const { database } = services();
  const heartbeats = new DeviceHeartbeats({ ...services(), clock: systemClock });
  const { userId } = scene.counter;
  const device = { sessionId: scene.session._id, userId };
  const holding = { pending: 7, pendingOrder: 1 };
  await recordOpened(database, {
    ...device,
    deviceId: "opened, holds rows",
    tellsQueue: true,
    ...nothingReported,
  });
  await heartbeats.hear([{ ...device, deviceId: "opened, holds rows", ...holding }]);
  await scanOn(["scanned, holds rows"], scene.counter.api);
  await heartbeats.hear([{ ...device, deviceId: "scanned, holds rows", ...holding }]);
  await scanOn(["holds none"], scene.counter.api);
  const others = madeUp("later", 3_000);
  for (const part of [others.slice(0, 2_500), others.slice(2_500)]) {
    await heartbeats.hear(part.map((deviceId) => ({ ...device, deviceId, ...holding, pending: 1 })));
  }
  const { devices } = await progress();
  const known = devices.map(({ deviceId }) => deviceId).filter((deviceId) => !deviceId.startsWith("later"));
  expect(known.toSorted()).toEqual(["opened, holds rows", "scanned, holds rows"]);
  expect(devices).toHaveLength(limits.devicesPerPerson);
});

test("an undo, a reset or a finish that is refused makes no device known", async () => {
  const { api } = scene.counter;
  const told = { ...firstArea(scene), pending: 1, pendingOrder: 1 };
  const devices = madeUp("made-up", limits.devicesPerPerson + 50);
  for (let first = 0; first < devices.length; first += 50) {
    const undone = devices
      .slice(first, first + 50)
      .map((deviceId) => api.refusal(undoScan, { body: { ...told, deviceId, seq: 1 } }));
    for (const { status } of await Promise.all(undone)) expect(status).toBe(404);
  }
  const nowhere = { ...told, areaCode: "Z9", deviceId: "of no area" };
  expect((await api.refusal(resetArea, { body: nowhere })).status).toBe(404);
  expect((await api.refusal(finishArea, { body: { ...nowhere, declaredTotal: 1 } })).status).toBe(404);
  expect((await progress()).devices).toEqual([]);
});

test("of what a device tells at one moment its last report of the queue holds, whatever of it arrives last", async () => {
  const heartbeats = new DeviceHeartbeats({ ...services(), clock: systemClock });
  const { userId } = scene.counter;
  const device = { sessionId: scene.session._id, deviceId: "device-1", userId };
  await heartbeats.hear([
    { ...device, pending: 5, pendingOrder: 5 },
    { ...device, pending: 0, pendingOrder: 7 },
    { ...device, pending: 3, pendingOrder: 6 },
    { ...device, pending: null, pendingOrder: null },
  ]);
  expect((await progress()).devices).toMatchObject([{ deviceId: "device-1", pending: 0 }]);
  await heartbeats.hear([{ ...device, pending: 3, pendingOrder: 6 }]);
  expect((await progress()).devices).toMatchObject([{ pending: 0 }]);
  await heartbeats.hear([
    { ...device, pending: 1, pendingOrder: 8 },
    { ...device, pending: 2, pendingOrder: null },
  ]);
  expect((await progress()).devices).toMatchObject([{ pending: 2 }]);
});

test("no scan waits until it is noted that its device goes on counting, and every one until a report is", async () => {
  const { database, logger } = services();
  let now = Date.now();
  const heartbeats = new DeviceHeartbeats({ database, logger, clock: { now: () => now } });
  const { userId } = scene.counter;
  const device = { sessionId: scene.session._id, deviceId: "device-1", userId };
  const known = async () => (await progress()).devices[0];
  await heartbeats.hear([{ ...device, ...nothingReported }]);
  const first = await known();

  now += 10_000;
  await database.transaction().execute(async (transaction) => {
    await sql`select from session_devices for update`.execute(transaction);
    await heartbeats.hear([{ ...device, ...nothingReported }]);
    expect(await known()).toEqual(first);
  });
  await heartbeats.settled();
  expect((await known())?.lastSeenAt).not.toBe(first?.lastSeenAt);

  await heartbeats.hear([{ ...device, pending: 4, pendingOrder: 1 }]);
  expect(await known()).toMatchObject({ pending: 4 });
});

test("a report that could not be noted is no answer: the device sends its row again, and it is noted then", async () => {
  const { database } = services();
  const { userId } = scene.counter;
  const scans = [scanBody(scene, { deviceId: "device-1", opId: randomUUID() })];
  const send = () => scene.counter.api.send(postScanBatch, { body: { scans, pending: 3, pendingOrder: 1 } });
  await sql`alter table session_devices add constraint none check (user_id <> ${sql.lit(userId)})`.execute(
    database,
  );
  expect((await send()).body).toMatchObject({ results: [{ httpStatus: 500 }] });
  await sql`alter table session_devices drop constraint none`.execute(database);
  expect((await send()).body).toMatchObject({ results: [{ httpStatus: 200, duplicate: true }] });
  expect((await progress()).devices).toMatchObject([{ deviceId: "device-1", pending: 3, scans: 1 }]);
});
