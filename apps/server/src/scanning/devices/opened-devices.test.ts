import { deviceMaxSequence, endSession, limits, sessionProgress } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { countInEachTest } from "../testing/scene.ts";

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
  test("is known once, while the session runs, and shown to nobody as a device that fell silent", async () => {
    for (const device of ["silent", "silent", "other"]) await open(device);
    await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    await open("late");
    expect(await opened()).toEqual([
      ["silent", false],
      ["other", false],
    ]);
    const params = { id: scene.session._id };
    expect((await scene.server.admin.call(sessionProgress, { params })).devices).toEqual([]);
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
