import { randomUUID } from "node:crypto";
import { deviceMaxSequence, postScan, postScanBatch, sessionProgress } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { codes, countInEachTest, countsOf, scan, scanBody, startCounting } from "../testing/scene.ts";

const scene = countInEachTest();

async function sendBatch(scans: readonly unknown[], pending?: number) {
  const body = { scans: [...scans], ...(pending === undefined ? {} : { pending }) };
  const { results } = await scene.counter.api.call(postScanBatch, { body });
  return results;
}

describe("a batch returns for each scan, in order, what a single call would have", () => {
  test("stored, repeated, conflicting, malformed and unknown-area ones side by side", async () => {
    await scan(scene, { seq: 1 });
    const results = await sendBatch([
      scanBody(scene, { seq: 1 }),
      scanBody(scene, { seq: 2 }),
      scanBody(scene, { seq: 1, input: codes.jacketM.input }),
      { nonsense: true },
      "nonsense",
      scanBody(scene, { seq: 3, areaCode: "Z9" }),
      scanBody(scene, { seq: 4, pass: 99 }),
      scanBody(scene, { seq: 5, scannedAt: "2025-02-30T00:00:00Z" }),
      scanBody(scene, { seq: 6, input: codes.unknown.input }),
    ]);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([
      200, 201, 409, 400, 400, 404, 201, 400, 201,
    ]);
    expect(results[2]).toMatchObject({ code: "SEQ_CONFLICT", nextSeq: 7 });
    expect(results[3]).toMatchObject({ code: "VALIDATION" });
    expect(results[5]).toMatchObject({ code: "NOT_FOUND" });
    expect(results[6]).toMatchObject({ status: "late", reason: "PASS_OVER" });
    expect(results[8]).toMatchObject({ status: "unresolved", reason: "UNKNOWN_CODE" });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
  });

  test("a conflicting scan gets a number beyond those that come with it, even where they are refused", async () => {
    await scan(scene, { seq: 1 });
    const results = await sendBatch([
      scanBody(scene, { seq: 9, areaCode: "Z9" }),
      scanBody(scene, { seq: 3, areaCode: "Z9" }),
      scanBody(scene, { seq: 30, areaCode: "Z9", deviceId: "device-2" }),
      scanBody(scene, { seq: 1, input: codes.jacketM.input }),
    ]);
    expect(results[3]).toMatchObject({ code: "SEQ_CONFLICT", nextSeq: 10 });
  });

  test("a malformed scan gets the fields that are wrong", async () => {
    const [result] = await sendBatch([{ ...scanBody(scene), seq: 0 }]);
    expect(result).toMatchObject({ httpStatus: 400, details: [{ field: "seq" }] });
  });

  test.each(["a file", "sheet 3"])("a scan in the name of paper, %j, is refused", async (deviceId) => {
    const refused = { status: 400, body: { code: "VALIDATION", details: [{ field: "deviceId" }] } };
    const body = scanBody(scene, { deviceId });
    expect(await scene.counter.api.send(postScan, { body })).toMatchObject(refused);
    const [inBatch, other] = await sendBatch([body, scanBody(scene, { deviceId: `${deviceId}?` })]);
    expect(inBatch).toMatchObject({ httpStatus: refused.status, ...refused.body });
    expect(other).toMatchObject({ httpStatus: 201 });
  });

  test("repeats inside the batch are repeats", async () => {
    const opId = randomUUID();
    const results = await sendBatch([
      scanBody(scene, { seq: 1, opId }),
      scanBody(scene, { seq: 1, opId }),
      scanBody(scene, { seq: 2, opId }),
    ]);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201, 200, 200]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("a scan that waits for one that turns out to be a repeat still gets its number", async () => {
    const opId = randomUUID();
    await scan(scene, { seq: 1, opId });
    const results = await sendBatch([
      scanBody(scene, { seq: 2, opId }),
      scanBody(scene, { seq: 2, opId: randomUUID(), input: codes.jacketM.input }),
    ]);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([200, 201]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1, "JK-1001": 1 });
  });

  test("sent again as a whole changes nothing", async () => {
    const scans = Array.from({ length: 500 }, (_nothing, place) =>
      scanBody(scene, { seq: place + 1, opId: randomUUID(), areaCode: place % 2 === 0 ? "A1" : "A2" }),
    );
    const first = await sendBatch(scans);
    const again = await sendBatch(scans);
    expect(new Set(first.map(({ httpStatus }) => httpStatus))).toEqual(new Set([201]));
    expect(new Set(again.map(({ httpStatus }) => httpStatus))).toEqual(new Set([200]));
    expect(await countsOf(scene)).toEqual({ "JK-1000": 500 });
  });

  test("scans of several sessions are each stored in theirs, unreachable ones hold up no others", async () => {
    const other = await startCounting(scene.server);
    const unknown = { sessionId: randomUUID() };
    const results = await sendBatch([scanBody(other), scanBody(scene, unknown), scanBody(scene)]);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([404, 404, 201]);
    expect(await countsOf(other)).toEqual({});
  });
});

test.each([0, 501])("a batch of %i scans is refused as a whole", async (length) => {
  const scans = Array.from({ length }, (_nothing, place) => scanBody(scene, { seq: place + 1 }));
  const refused = await scene.counter.api.refusal(postScanBatch, { body: { scans } });
  expect(refused).toMatchObject({ status: 400, code: "VALIDATION" });
  expect(await countsOf(scene)).toEqual({});
});

test("what a device reports as still pending is shown in the session's progress", async () => {
  const devices = async () =>
    (await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } })).devices;
  await scan(scene);
  expect(await devices()).toMatchObject([{ deviceId: "device-1", username: "Ada", scans: 1, pending: null }]);
  await sendBatch([scanBody(scene, { seq: 2 })], 37);
  expect(await devices()).toMatchObject([{ deviceId: "device-1", scans: 2, pending: 37 }]);
  await sendBatch([scanBody(scene, { seq: 3 })], 0);
  expect(await devices()).toMatchObject([{ deviceId: "device-1", scans: 3, pending: 0 }]);
});

describe("the highest sequence number of a device", () => {
  const maxSeq = async (deviceId: string) => {
    const query = { sessionId: scene.session._id, deviceId };
    return (await scene.counter.api.call(deviceMaxSequence, { query })).maxSeq;
  };

  test("is 0 before its first scan", async () => {
    expect(await maxSeq("device-9")).toBe(0);
  });

  test("is the highest of every stored scan of that device", async () => {
    await sendBatch([
      scanBody(scene, { seq: 12, input: codes.unknown.input }),
      scanBody(scene, { seq: 3 }),
      scanBody(scene, { seq: 99, deviceId: "device-2" }),
    ]);
    expect(await maxSeq("device-1")).toBe(12);
  });

  test("of a session that the caller can't access is 404", async () => {
    const other = await startCounting(scene.server);
    const query = { sessionId: other.session._id, deviceId: "device-1" };
    expect((await scene.counter.api.refusal(deviceMaxSequence, { query })).code).toBe("NOT_FOUND");
  });
});
