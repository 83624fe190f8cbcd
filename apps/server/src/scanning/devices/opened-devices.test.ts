import { deviceMaxSequence, endSession, limits, sessionProgress } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { countInEachTest, scan } from "../testing/scene.ts";

const scene = countInEachTest();

const open = (deviceId: string, told: { readonly tellsQueue?: "true" } = {}) =>
  scene.counter.api.call(deviceMaxSequence, { query: { sessionId: scene.session._id, deviceId, ...told } });

async function opened() {
  const { rows } = await scene.server.database.pool.query(
    "select device_id, tells_queue from opened_devices where session_id = $1 order by opened_at",
    [scene.session._id],
  );
  return rows.map(({ device_id, tells_queue }) => [device_id, tells_queue]);
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

  test("is one of the last hundred of its person", async () => {
    for (let place = 0; place < limits.devicesPerPerson + 3; place += 1) await open(`made-up-${place}`);
    const devices = await opened();
    expect(devices).toHaveLength(limits.devicesPerPerson);
    expect(devices.at(-1)).toEqual([`made-up-${limits.devicesPerPerson + 2}`, false]);
  });
});
