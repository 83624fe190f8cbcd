import { finishArea, postScan, postScanBatch, reportQueue, resetArea, undoScan } from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { createHeldClock } from "../../testing/held-clock.ts";
import { join } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { scansASecond } from "../devices/call-rate.ts";
import { nothingReported } from "../devices/queue-report.ts";
import { type CountingScene, countingSlices, countsOf, scanBody, startCounting } from "../testing/scene.ts";
import { readScan } from "./incoming-scan.ts";
import { ScanIntake } from "./scan-intake.ts";

let server: TestServer;
let scene: CountingScene;
let now = Date.now();

beforeAll(async () => {
  // Time passes only by the seconds that are added.
  const begin = systemClock.steady() - now;
  const clock = { ...systemClock, now: () => now, steady: () => begin + now };
  server = await startTestServer({
    slices: countingSlices,
    environment: { clock, workClock: createHeldClock() },
  });
  scene = await startCounting(server);
});
afterAll(() => server.close());
/** After a quiet second every login has its whole allowance. */
beforeEach(() => {
  now += 1000;
});

const batchOf = (length: number, deviceId: string) => ({
  scans: Array.from({ length }, (_nothing, place) => scanBody(scene, { deviceId, seq: place + 1 })),
});

async function useUp(api = scene.counter.api) {
  for (let used = 0; used < scansASecond; used += 500) {
    await api.call(postScanBatch, { body: batchOf(500, "device-busy") });
  }
}

describe("more than 2,000 scans a second of one login", () => {
  test("are refused 429 with when to try again, a batch by its scans, and nothing is stored", async () => {
    await useUp();
    const before = await countsOf(scene);
    const { status, headers, body } = await scene.counter.api.send(postScanBatch, {
      body: batchOf(1, "device-2"),
    });
    expect({ status, body }).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(headers.get("retry-after")).toBe("1");
    expect(await countsOf(scene)).toEqual(before);
  });

  test("hold up single scans, undo, reset, finish and what is told of a queue alike, until the second is over", async () => {
    await useUp();
    const { sessionId, deviceId, areaCode, locationId } = scanBody(scene);
    const place = { sessionId, deviceId, areaCode, locationId };
    const refused = [
      await scene.counter.api.refusal(postScan, { body: scanBody(scene) }),
      await scene.counter.api.refusal(undoScan, { body: place }),
      await scene.counter.api.refusal(resetArea, { body: place }),
      await scene.counter.api.refusal(finishArea, { body: { ...place, declaredTotal: 0 } }),
      await scene.counter.api.refusal(reportQueue, {
        body: { sessionId, deviceId, pending: 0, pendingOrder: 1 },
      }),
    ];
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "RATE_LIMITED"));
    now += 1;
    await scene.counter.api.call(postScan, { body: scanBody(scene, { deviceId: "device-3" }) });
  });

  test("hold up no other login", async () => {
    await useUp();
    const other = await join(server, scene.session, { name: "Grace" });
    await other.api.call(postScan, { body: scanBody(scene, { deviceId: "device-4" }) });
  });
});

test("scans that do not fit into the queue are refused with nothing stored, batches before those that come one by one", async () => {
  const intake = new ScanIntake(server.context, {
    ...{ maximumWaiting: 3, keptForSingles: 1, maximumGroup: 500, groupsAtOnce: 2 },
  });
  const caller = {
    role: "counter",
    userId: scene.counter.userId,
    username: "Ada",
    loginHash: Buffer.alloc(32),
    invitation: {
      id: scene.counter.invitationId ?? "",
      sessionId: scene.session._id,
      storeId: scene.store.id,
      locationId: null,
    },
  } as const;
  const before = (await countsOf(scene))["JK-1000"] ?? 0;
  const scanOf = (seq: number) =>
    readScan(caller, { ...scanBody(scene, { deviceId: "device-5", seq }), method: "scan", quantity: 1 });
  const sending = { report: nothingReported, confirmCaller: null };
  const overloaded = { code: "OVERLOADED", status: 503, extras: { retryAfterSeconds: 2 } };
  const batch = intake.store([scanOf(1), scanOf(2)], sending);
  await expect(intake.store([scanOf(3), scanOf(4)], sending)).rejects.toMatchObject(overloaded);
  const single = intake.store([scanOf(5)], sending);
  await expect(intake.store([scanOf(6)], sending)).rejects.toMatchObject(overloaded);
  expect(await batch).toMatchObject([{ status: "counted" }, { status: "counted" }]);
  expect(await single).toMatchObject([{ status: "counted" }]);
  expect(await countsOf(scene)).toEqual({ "JK-1000": before + 3 });
});

test("a batch is refused before it is read where a full one does not fit", () => {
  const groupLimits = { maximumWaiting: 599, keptForSingles: 100, maximumGroup: 500, groupsAtOnce: 2 };
  const full = new ScanIntake(server.context, groupLimits);
  expect(() => full.requireRoomForBatch()).toThrow(expect.objectContaining({ code: "OVERLOADED" }));
  const roomy = new ScanIntake(server.context, { ...groupLimits, maximumWaiting: 600 });
  expect(() => roomy.requireRoomForBatch()).not.toThrow();
});
