import { areaScans, postScanBatch } from "@stocktake/contract";
import { expect, test } from "vitest";
import { join } from "../testing/scenes.ts";
import { resetFirstArea } from "./testing/endings.ts";
import { countInEachTest, scan, scanBody } from "./testing/scene.ts";

const scene = countInEachTest();

async function devices(query: { limit?: string; cursor?: string } = {}) {
  const params = { sessionId: scene.session._id, areaCode: "A1" };
  return scene.counter.api.call(areaScans, { params, query });
}

test("an area's scans name who counted there on how many devices, and which of them still hold scans, without a figure", async () => {
  const bea = await join(scene.server, scene.session, { name: "Bea" });
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 2, areaCode: "A2", deviceId: "elsewhere" });
  const scans = [scanBody(scene, { seq: 1, deviceId: "bea's phone" })];
  await bea.api.call(postScanBatch, { body: { scans, pending: 3 } });
  const known = { silentSince: null };
  expect((await devices()).devices).toEqual([
    { deviceId: "bea's phone", usernames: ["Bea"], holdsScans: true, ...known },
    { deviceId: "device-1", usernames: ["Ada"], yours: true, holdsScans: false, ...known },
  ]);
  const first = await devices({ limit: "1" });
  expect(first.devices).toHaveLength(2);
  expect((await devices({ limit: "1", cursor: first.next ?? "" })).devices).toEqual([]);
  await bea.api.call(postScanBatch, {
    body: { scans: [scanBody(scene, { seq: 2, deviceId: "bea's phone" })], pending: 0 },
  });
  expect((await devices()).devices?.[0]).toMatchObject({ holdsScans: false });
  await scene.server.database.pool.query(
    "update session_devices set last_seen_at = now() - interval '6 minutes' where device_id = 'device-1'",
  );
  expect((await devices()).devices).toMatchObject([
    { silentSince: null },
    { usernames: ["Ada"], silentSince: expect.stringMatching(/Z$/) },
  ]);
  await resetFirstArea(scene);
  expect((await devices()).devices).toEqual([]);
});

test("an area's scans say to each person with which of the devices they counted, whatever others are called", async () => {
  const namesake = await join(scene.server, scene.session, { name: "Ada" });
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 1, deviceId: "another phone of Ada" });
  await scan(scene, { seq: 1, deviceId: "phone of the other Ada" }, namesake.api);
  const listed = (await devices()).devices?.map(({ deviceId, yours }) => [deviceId, yours]);
  expect(listed).toEqual([
    ["phone of the other Ada", undefined],
    ["another phone of Ada", true],
    ["device-1", true],
  ]);
});
