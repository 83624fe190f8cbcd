import { randomUUID } from "node:crypto";
import {
  endSession,
  finishArea,
  postScan,
  postScanBatch,
  reportQueue,
  resetArea,
  sessionProgress,
  undoScan,
} from "@stocktake/contract";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { begin, join, makeStore } from "../../testing/scenes.ts";
import { countInEachTest, firstArea, scanBody } from "../testing/scene.ts";
import { recordOpened } from "./opened-device-queries.ts";

const scene = countInEachTest();

const deviceId = "device-1";

interface Told {
  readonly pending: number;
  readonly pendingOrder?: number;
}

/** What the server has of the device. */
async function known() {
  const { devices } = await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } });
  return devices.find((device) => device.deviceId === deviceId);
}

const pendingNow = async () => (await known())?.pending;

async function sendBatch(told: Told, seq = 1): Promise<void> {
  const scans = [scanBody(scene, { deviceId, seq, opId: randomUUID() })];
  await scene.counter.api.call(postScanBatch, { body: { scans, ...told } });
}

const undoBody = (told: Told) => ({ ...firstArea(scene), deviceId, seq: 1, ...told });

describe("when a device was heard of last", () => {
  const silence = () =>
    scene.server.database.pool.query(
      "update session_devices set last_seen_at = now() - interval '6 minutes'",
    );
  const isHeard = async () => Date.now() - Date.parse((await known())?.lastSeenAt ?? "") < 60_000;
  const firstScan = async () => {
    await scene.counter.api.call(postScan, { body: scanBody(scene, { deviceId, seq: 1 }) });
  };

  test("is told by an undo, a reset and a finish that tell nothing of its queue, and by a reset that is refused", async () => {
    const { api } = scene.counter;
    await firstScan();
    const ofDevice = { ...firstArea(scene), deviceId };
    for (const act of [
      () => api.call(undoScan, { body: { ...ofDevice, seq: 1 } }),
      () => api.call(resetArea, { body: ofDevice }),
      () => api.call(finishArea, { body: { ...ofDevice, declaredTotal: 0 } }),
      () => api.refusal(resetArea, { body: ofDevice }),
    ]) {
      await silence();
      expect(await isHeard()).toBe(false);
      await act();
      expect(await isHeard()).toBe(true);
    }
  });

  test("is not told by what others do in its name, nor of a device that has sent nothing", async () => {
    await firstScan();
    await silence();
    const ben = await join(scene.server, scene.session, { name: "Ben", email: "ben@example.com" });
    await ben.api.call(resetArea, { body: { ...firstArea(scene), deviceId } });
    expect(await isHeard()).toBe(false);
    const finish = { ...firstArea(scene), deviceId: "device-2", declaredTotal: 0 };
    await scene.counter.api.call(finishArea, { body: finish });
    const { devices } = await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } });
    expect(devices.map((device) => device.deviceId)).toEqual([deviceId]);
  });
});

describe("S10: how many rows a device holds", () => {
  test("is told with scans, an undo, a reset and a finish", async () => {
    const { api } = scene.counter;
    await sendBatch({ pending: 4, pendingOrder: 1 });
    expect(await pendingNow()).toBe(4);
    await api.call(undoScan, { body: undoBody({ pending: 3, pendingOrder: 2 }) });
    expect(await pendingNow()).toBe(3);
    await api.call(resetArea, { body: { ...firstArea(scene), deviceId, pending: 2, pendingOrder: 3 } });
    expect(await pendingNow()).toBe(2);
    const finish = { ...firstArea(scene), deviceId, declaredTotal: 0, pending: 0, pendingOrder: 4 };
    await api.call(finishArea, { body: finish });
    expect(await known()).toMatchObject({ pending: 0, username: "Ada" });
  });

  test("is told by an operation that is refused for good too, by one that is not it isn't", async () => {
    await sendBatch({ pending: 1, pendingOrder: 1 });
    await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    const body = { ...firstArea(scene), deviceId, declaredTotal: 1, pending: 0, pendingOrder: 2 };
    expect((await scene.counter.api.refusal(finishArea, { body })).code).toBe("SESSION_CLOSED");
    expect(await pendingNow()).toBe(0);
  });

  test("is told by a refused operation of a device that has only opened an area, and makes it one that was heard of", async () => {
    const { userId } = scene.counter;
    const device = { sessionId: scene.session._id, deviceId, userId, tellsQueue: true };
    const { database } = scene.server.context;
    await recordOpened(database, { ...device, pending: null, pendingOrder: null });
    const body = {
      ...firstArea(scene),
      areaCode: "Z9",
      deviceId,
      declaredTotal: 1,
      pending: 2,
      pendingOrder: 1,
    };
    expect((await scene.counter.api.refusal(finishArea, { body })).status).toBe(404);
    expect(await known()).toMatchObject({ pending: 2, username: "Ada" });
  });

  test.each([
    ["sends again under another number", { seq: 1 }, 2],
    ["sends again without the person that nobody knows", { scannedById: randomUUID() }, 2],
    ["sends again without the person that is none", { scannedById: "nobody" }, 2],
    ["is told to be malformed", { seq: 0 }, 1],
    ["is told to be of no area", { areaCode: "Z9" }, 1],
  ])("counts, of what is sent, a scan that the device %s as it does: %o", async (_name, wrong, expected) => {
    await sendBatch({ pending: 5, pendingOrder: 1 });
    const sent = [{ seq: 2 }, { seq: 3, ...wrong }];
    const scans = sent.map((each) => scanBody(scene, { deviceId, opId: randomUUID(), ...each }));
    await scene.counter.api.call(postScanBatch, { body: { scans, pending: 1, pendingOrder: 2 } });
    expect(await pendingNow()).toBe(expected);
  });

  test("counts a scan of a call that the database could not store, though it stored another", async () => {
    await sendBatch({ pending: 2, pendingOrder: 1 });
    const { database } = scene.server.context;
    await sql`alter table scans add constraint not_this check (input <> 'BROKEN')`.execute(database);
    const scans = [{ seq: 2 }, { seq: 3, input: "BROKEN" }].map((each) =>
      scanBody(scene, { deviceId, opId: randomUUID(), ...each }),
    );
    const { results } = await scene.counter.api.call(postScanBatch, {
      body: { scans, pending: 0, pendingOrder: 2 },
    });
    await sql`alter table scans drop constraint not_this`.execute(database);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201, 500]);
    expect(await pendingNow()).toBe(1);
  });

  test("is told by itself where nothing that is sent tells it, by who may send to the session", async () => {
    const told = { sessionId: scene.session._id, deviceId, pending: 0, pendingOrder: 2 };
    await sendBatch({ pending: 3, pendingOrder: 1 });
    const elsewhere = await begin(scene.server, await makeStore(scene.server));
    const { api } = await join(scene.server, elsewhere, { name: "Zoe" });
    expect(await api.refusal(reportQueue, { body: told })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await pendingNow()).toBe(3);
    await scene.server.admin.call(reportQueue, { body: { ...told, pending: 2 } });
    expect(await known()).toMatchObject({ pending: 2, username: "Ada" });
    await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    await scene.counter.api.call(reportQueue, { body: { ...told, pendingOrder: 3 } });
    await scene.counter.api.call(reportQueue, { body: { ...told, pending: 5 } });
    expect(await pendingNow()).toBe(0);
  });

  test("told by itself of a device that has sent nothing yet is known as of one that has opened an area", async () => {
    const body = { sessionId: scene.session._id, deviceId, pending: 4, pendingOrder: 1 };
    await scene.counter.api.call(reportQueue, { body });
    expect(await known()).toMatchObject({ pending: 4, username: "Ada", scans: 0 });
    await scene.counter.api.call(reportQueue, { body: { ...body, pending: 0, pendingOrder: 2 } });
    expect(await known()).toBeUndefined();
  });

  test("is nobody's to tell who may not send to the session, and of no device that is not named", async () => {
    await sendBatch({ pending: 2, pendingOrder: 1 });
    const elsewhere = await begin(scene.server, await makeStore(scene.server));
    const { api } = await join(scene.server, elsewhere, { name: "Zoe" });
    expect((await api.refusal(undoScan, { body: undoBody({ pending: 0 }) })).status).toBe(404);
    await scene.counter.api.call(resetArea, { body: { ...firstArea(scene), pending: 0 } });
    expect(await pendingNow()).toBe(2);
  });

  test("told by an administrator who sends on what a device had kept leaves it its person", async () => {
    await sendBatch({ pending: 1, pendingOrder: 1 });
    await scene.server.admin.call(undoScan, { body: undoBody({ pending: 0, pendingOrder: 2 }) });
    expect(await known()).toMatchObject({ pending: 0, username: "Ada" });
  });

  test.each([
    ["by an earlier report that arrives later is not told any more", { pending: 5, pendingOrder: 6 }, 0],
    ["by the same report once more stays as it is", { pending: 0, pendingOrder: 7 }, 0],
    ["by a later report is told anew", { pending: 2, pendingOrder: 8 }, 2],
    ["by a client that numbers no reports is told as ever", { pending: 3 }, 3],
  ])("%s", async (_name, told, expected) => {
    await sendBatch({ pending: 1, pendingOrder: 5 });
    await sendBatch({ pending: 0, pendingOrder: 7 }, 2);
    await sendBatch(told, 3);
    expect(await pendingNow()).toBe(expected);
  });
});
