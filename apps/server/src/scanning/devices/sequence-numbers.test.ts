import { randomUUID } from "node:crypto";
import { deviceMaxSequence, postScan, postScanBatch } from "@stocktake/contract";
import { expect, test } from "vitest";
import { join } from "../../testing/scenes.ts";
import { countInEachTest, countsOf, scan, scanBody } from "../testing/scene.ts";

const scene = countInEachTest();

async function maxSeq(): Promise<number> {
  const query = { sessionId: scene.session._id, deviceId: "device-1" };
  return (await scene.counter.api.call(deviceMaxSequence, { query })).maxSeq;
}

/** Another user of the session scans under the device's id with the highest number there is. */
async function scanBeyondEveryNumber(): Promise<void> {
  const { api } = await join(scene.server, scene.session, { name: "Mallory" });
  await scan(scene, { seq: Number.MAX_SAFE_INTEGER, opId: randomUUID() }, api);
}

test("a scan with the highest possible number counts, and its device still has a next number", async () => {
  await scan(scene, { seq: 4, opId: randomUUID() });
  await scanBeyondEveryNumber();
  expect(await maxSeq()).toBe(4);
  await scan(scene, { seq: (await maxSeq()) + 1, opId: randomUUID() });
  expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
});

test("a scan that clashes is given a number that can be sent", async () => {
  await scan(scene, { seq: 4, opId: randomUUID() });
  await scanBeyondEveryNumber();
  const clashing = scanBody(scene, { seq: 4, opId: randomUUID() });
  const refused = await scene.counter.api.refusal(postScan, { body: clashing });
  expect(refused).toMatchObject({ code: "SEQ_CONFLICT", nextSeq: 5 });
});

test("a clash in a batch that carries such a number is given a number that can be sent", async () => {
  await scan(scene, { seq: 4, opId: randomUUID() });
  const scans = [4, 9, Number.MAX_SAFE_INTEGER].map((seq) => scanBody(scene, { seq, opId: randomUUID() }));
  const { results } = await scene.counter.api.call(postScanBatch, { body: { scans } });
  expect(results).toMatchObject([
    { code: "SEQ_CONFLICT", nextSeq: 10 },
    { httpStatus: 201 },
    { httpStatus: 201 },
  ]);
});
