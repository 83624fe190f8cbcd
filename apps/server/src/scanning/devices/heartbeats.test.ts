import { randomUUID } from "node:crypto";
import { limits, postScanBatch, sessionProgress } from "@stocktake/contract";
import { expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { join } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { countInEachTest, scanBody } from "../testing/scene.ts";
import { DeviceHeartbeats } from "./heartbeats.ts";

const scene = countInEachTest();

/** Scans that count, each by a device of its own. */
async function scanOn(devices: readonly string[], api: TestApi, scannedById?: string): Promise<void> {
  const scans = devices.map((deviceId) =>
    scanBody(scene, { deviceId, opId: randomUUID(), ...(scannedById === undefined ? {} : { scannedById }) }),
  );
  const { results } = await api.call(postScanBatch, { body: { scans } });
  expect(new Set(results.map(({ httpStatus }) => httpStatus))).toEqual(new Set([201]));
}

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

test("of what a device tells at one moment its last report of the queue holds, whatever of it arrives last", async () => {
  const heartbeats = new DeviceHeartbeats(scene.server.database.database, systemClock);
  const { userId } = scene.counter;
  const device = { sessionId: scene.session._id, deviceId: "device-1", userId };
  await heartbeats.record([
    { ...device, pending: 5, pendingOrder: 5 },
    { ...device, pending: 0, pendingOrder: 7 },
    { ...device, pending: 3, pendingOrder: 6 },
    { ...device, pending: null, pendingOrder: null },
  ]);
  expect((await progress()).devices).toMatchObject([{ deviceId: "device-1", pending: 0 }]);
  await heartbeats.record([{ ...device, pending: 3, pendingOrder: 6 }]);
  expect((await progress()).devices).toMatchObject([{ pending: 0 }]);
  await heartbeats.record([
    { ...device, pending: 1, pendingOrder: 8 },
    { ...device, pending: 2, pendingOrder: null },
  ]);
  expect((await progress()).devices).toMatchObject([{ pending: 2 }]);
});
