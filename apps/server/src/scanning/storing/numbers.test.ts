import { randomUUID } from "node:crypto";
import { limits, postScan, postScanBatch } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import {
  codes,
  countInEachTest,
  countsOf,
  type ScanChanges,
  scan,
  scanBody,
  startCounting,
} from "../testing/scene.ts";

const scene = countInEachTest();

const jacketM = codes.jacketM.input;

async function nextSeqAfterConflict(changes: ScanChanges = {}): Promise<unknown> {
  const body = scanBody(scene, { input: jacketM, ...changes });
  const { status, body: refused } = await scene.counter.api.send(postScan, { body });
  expect(status).toBe(409);
  return Object(refused).nextSeq;
}

describe("the next free number", () => {
  test("is beyond those of its own device in its own session", async () => {
    const other = await startCounting(scene.server);
    await scan(other, { seq: 70 });
    await scan(scene, { seq: 80, deviceId: "device-2" });
    await scan(scene, { seq: 1 });
    expect(await nextSeqAfterConflict()).toBe(2);
  });

  test("is none beyond the numbers that run on", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: limits.runningSequence + 1 });
    expect(await nextSeqAfterConflict()).toBe(2);
    await scan(scene, { seq: limits.runningSequence - 1 });
    expect(await nextSeqAfterConflict()).toBe(limits.runningSequence);
  });
});

test("each of two sessions gets the answer to its own scan of the same number, and of the same operation", async () => {
  const other = await startCounting(scene.server);
  const opId = randomUUID();
  const own = { seq: 1, areaCode: "A2" };
  const theirs = { seq: 1, input: jacketM };
  const stored = [await scan(scene, own), await scan(other, theirs)];
  const operations = [
    await scan(scene, { ...own, seq: 2, opId }),
    await scan(other, { ...theirs, seq: 2, opId }),
  ];
  const again = [await scan(scene, own), await scan(other, theirs)];
  const operationsAgain = [
    await scan(scene, { ...own, seq: 2, opId }),
    await scan(other, { ...theirs, seq: 2, opId }),
  ];
  const repeat = { httpStatus: 200, duplicate: true };
  expect(again).toEqual(stored.map((answer) => ({ ...answer, ...repeat })));
  expect(operationsAgain).toEqual(operations.map((answer) => ({ ...answer, ...repeat })));
});

test("of two scans with one operation the first of a batch is stored, whatever their numbers", async () => {
  const opId = randomUUID();
  const scans = [scanBody(scene, { seq: 7, opId }), scanBody(scene, { seq: 3, opId })];
  const { results } = await scene.counter.api.call(postScanBatch, { body: { scans } });
  expect(results).toMatchObject([
    { httpStatus: 201, duplicate: false, scan: { seq: 7 } },
    { httpStatus: 200, duplicate: true, scan: { seq: 7 } },
  ]);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
});

test("a repeat is one with several units too, with a time or without, and says how many", async () => {
  const stored = await scan(scene, { quantity: 4 });
  expect(stored.scan.quantity).toBe(4);
  const again = await scan(scene, { quantity: 4, scannedAt: new Date().toISOString() });
  expect(again).toEqual({ ...stored, httpStatus: 200, duplicate: true });
  expect(await nextSeqAfterConflict({ input: codes.jacketS.input, quantity: 5 })).toBe(2);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 4 });
});
