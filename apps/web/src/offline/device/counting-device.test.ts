import { deviceKeyHeader } from "@stocktake/contract";
import { afterEach, expect, it, vi } from "vitest";
import { readSetting, settings } from "../database/settings.ts";
import type { ScanDraft } from "../outbox/append.ts";
import { owedReports } from "../outbox/queue-reports.ts";
import type { Kept } from "../outbox/rescue.ts";
import { createProductWriter } from "../products/product-writer.ts";
import { areaOne } from "../testing/engine-harness.ts";
import { clearDevice } from "../testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { type CountingDevice, openCountingDevice } from "./counting-device.ts";

let opened: CountingDevice | null = null;

afterEach(() => {
  opened?.close();
  opened = null;
});

function openDevice(fetch: typeof globalThis.fetch, clock = createManualClock()) {
  clearDevice();
  return reopenDevice(fetch, clock);
}

async function reopenDevice(
  fetch: typeof globalThis.fetch,
  clock = createManualClock(),
  kept: Kept | null = null,
) {
  opened = await openCountingDevice({
    ...{ clock, timers: clock, random: createSeededRandomness(), fetch },
    productWriterFor: createProductWriter,
    ...{
      hasNetwork: () => true,
      locks: undefined,
      channel: null,
      onUnauthenticated: () => undefined,
      onLost: () => undefined,
      kept,
    },
  });
  return { clock, device: opened };
}

const draft: ScanDraft = {
  ...{ area: areaOne, input: "4006381333931", inputType: "barcode", method: "scan", scannedById: "user-1" },
  ...{ localOutcome: "counted", sku: "SKU-1", productTitle: "Shirt", size: "M" },
};

it("S12, S19: a proxy's page in response to the probe does not count as a response of the server", async () => {
  const fetch = vi.fn(async () => new Response("<html>Bad Gateway</html>", { status: 502 }));
  const { device } = await openDevice(fetch);
  const changes: boolean[] = [];
  device.connectivity.subscribe((online) => changes.push(online));
  await vi.waitFor(() => expect(changes).not.toEqual([]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes).toEqual([false]);
});

it("S27: acknowledged rows are also deleted in a page that stays open for days", async () => {
  const clock = createManualClock();
  const { device } = await openDevice(async () => respondedAt(clock.now()), clock);
  await device.connectivity.probe();
  await acknowledge(device, clock.now());
  await device.scan(draft);
  clock.advance(15 * dayMs);
  await vi.waitFor(async () => expect(await device.database.count("pendingScans")).toBe(1));
});

const dayMs = 24 * 60 * 60 * 1000;

const respondedAt = (now: number) => Response.json({}, { headers: { Date: new Date(now).toUTCString() } });

/** A scan that the server has had since then. */
async function acknowledge(device: CountingDevice, at: number): Promise<void> {
  const { id } = await device.scan(draft);
  const row = await device.database.get("pendingScans", id);
  if (row === undefined) throw new Error("The scan was not stored.");
  const syncedAt = new Date(at).toISOString();
  await device.database.put("pendingScans", { ...row, synced: true, syncedAt });
}

it("S27: by a clock that is set while the server is not heard nothing is deleted, and what is old is once it is", async () => {
  let answer = () => Promise.reject<Response>(new TypeError("Failed to fetch"));
  const { clock, device } = await openDevice(() => answer());
  await acknowledge(device, clock.now());
  await acknowledge(device, clock.now() - 15 * dayMs);
  await acknowledge(device, clock.now() + 15 * dayMs);
  clock.setBy(15 * dayMs);
  const read = vi.spyOn(device.database, "transaction");
  clock.advance(6 * 60 * 60 * 1000);
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  await Promise.all(read.mock.results.map(({ value }) => value.done));
  expect(await device.database.count("pendingScans")).toBe(3);
  answer = async () => respondedAt(clock.now() - clock.setAhead());
  const probed = device.connectivity.probe();
  clock.advance(1_000);
  await probed;
  clock.advance(6 * 60 * 60 * 1000);
  await vi.waitFor(async () => expect(await device.database.count("pendingScans")).toBe(2));
});

/**
 * Responds as a server does that has the device's last number, or as an old one, which does not listen as an area is opened; what it was told
 * with each call, in order.
 */
function scriptedServer({ isAway = (): boolean => false, isOld = false } = {}) {
  const told: { path: string; pending: unknown; pendingOrder: unknown; deviceKey: unknown }[] = [];
  const addresses: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input), "http://localhost");
    if (isAway() && pathname !== "/api/health") throw new TypeError("Failed to fetch");
    if (pathname === "/api/health") return Response.json({ status: "ok" });
    const said: { pending?: unknown; pendingOrder?: unknown; deviceKey?: unknown } =
      init?.body === undefined ? Object.fromEntries(searchParams) : JSON.parse(String(init.body));
    const deviceKey = new Headers(init?.headers).get(deviceKeyHeader) ?? said.deviceKey;
    told.push({ path: pathname, pending: said.pending, pendingOrder: said.pendingOrder, deviceKey });
    addresses.push(String(input));
    if (pathname !== "/api/device-max-seq") return Response.json({ success: true });
    return Response.json({ maxSeq: 41, ...(isOld ? {} : { reportHeard: true }) });
  };
  return { fetch, told, addresses };
}

it("S46: shows the key of its id as an area is opened, in no address, and with what it tells after that", async () => {
  const { fetch, told, addresses } = scriptedServer({ isOld: true });
  const { device } = await openDevice(fetch);
  device.engine.setLogin("user-1");
  await device.continueSequence("session-1");
  await device.engine.settled();
  const key = (await readSetting(device.database, settings.deviceKeys))?.[device.deviceId];
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(told.map(({ path, deviceKey }) => [path, deviceKey])).toEqual([
    ["/api/device-max-seq", key],
    ["/api/device-queue", key],
  ]);
  expect(addresses.join()).not.toContain(key);
});

it("S3, S10: says as an area is opened what it holds of the session, and owes nothing once that is heard", async () => {
  const { fetch, told } = scriptedServer();
  const { device } = await openDevice(fetch);
  await device.continueSequence("session-1");
  await device.scan(draft);
  await device.continueSequence(areaOne.sessionId);
  const [first, second] = told;
  expect([first?.path, first?.pending, second?.pending]).toEqual(["/api/device-max-seq", "0", "1"]);
  expect(Number(second?.pendingOrder)).toBeGreaterThan(Number(first?.pendingOrder));
  expect((await owedReports(device.database)).map(({ sessionId }) => sessionId)).toEqual([areaOne.sessionId]);
  expect((await device.scan(draft)).seq).toBeGreaterThan(41);
});

it("S10: owes what it could not say as an area was opened, and tells it as soon as it can", async () => {
  let isAway = true;
  const { fetch, told } = scriptedServer({ isAway: () => isAway });
  const { clock, device } = await openDevice(fetch);
  device.engine.setLogin("user-1");
  await device.continueSequence("session-1");
  await device.engine.settled();
  expect(told).toEqual([]);
  isAway = false;
  clock.advance(1_000);
  await device.engine.settled();
  expect(told.map(({ path, pending }) => [path, pending])).toEqual([["/api/device-queue", 0]]);
  expect(await owedReports(device.database)).toEqual([]);
});

it("S10: what an older server does not listen to as an area is opened is owed, and told by a call of its own", async () => {
  const { fetch, told } = scriptedServer({ isOld: true });
  const { device } = await openDevice(fetch);
  device.engine.setLogin("user-1");
  await device.engine.settled();
  await device.continueSequence("session-1");
  await device.engine.settled();
  expect(told.map(({ path, pending }) => [path, pending])).toEqual([
    ["/api/device-max-seq", "0"],
    ["/api/device-queue", 0],
  ]);
  expect(Number(told[1]?.pendingOrder)).toBeGreaterThan(Number(told[0]?.pendingOrder));
  expect(await owedReports(device.database)).toEqual([]);
  expect((await device.scan(draft)).seq).toBeGreaterThan(41);
});

/** What a release of before left of a scan and a finish behind it while the address was wrong. */
async function leaveRefused(httpStatus: number): Promise<void> {
  const before = await openDevice(async () => new Response(null, { status: 502 }));
  const scan = await before.device.scan(draft);
  await before.device.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
  const refusal = { httpStatus, code: "FORBIDDEN", error: "No." };
  await before.device.database.put("pendingScans", { ...scan, refusal });
  before.device.close();
}

it.each([
  [403, "/api/scan/batch", { pending: 2, setAside: 0 }],
  [404, "/api/area/finish", { pending: 1, setAside: 1 }],
])(
  "S13: a scan that a release of before set aside by a %i is sent before the total behind it if that says nothing of it",
  async (httpStatus, sentFirst, opensWith) => {
    await leaveRefused(httpStatus);
    const { fetch, told } = scriptedServer();
    const { device } = await reopenDevice(fetch);
    expect(device.queue.state()).toMatchObject(opensWith);
    expect(device.unsent().scans.map(({ refusal }) => refusal?.httpStatus ?? null)).toEqual([
      httpStatus === 403 ? null : httpStatus,
    ]);
    device.engine.setLogin("user-1");
    await device.engine.settled();
    expect(told[0]?.path).toBe(sentFirst);
  },
);

const away: typeof globalThis.fetch = async () => {
  throw new TypeError("Failed to fetch");
};

it("S28: of two tabs whose storage was deleted the second writes what the first did not know, and says so", async () => {
  const first = await openDevice(away);
  const second = await reopenDevice(away);
  const scan = await first.device.scan(draft);
  const kept = { ofFirst: first.device.unsent(), ofSecond: second.device.unsent() };
  first.device.close();
  second.device.close();
  clearDevice();
  const reopened = await reopenDevice(away, createManualClock(), kept.ofSecond);
  expect([reopened.device.rescued, await reopened.device.database.count("pendingScans")]).toEqual([0, 0]);
  reopened.device.close();
  const last = await reopenDevice(away, createManualClock(), kept.ofFirst);
  expect([last.device.rescued, last.device.deviceId]).toEqual([1, scan.deviceId]);
  expect(last.device.unsent().scans.map(({ opId }) => opId)).toEqual([scan.opId]);
});

it("S28: storage that was only closed has everything, and nothing is said of a rescue", async () => {
  const { device } = await openDevice(away);
  await device.scan(draft);
  const kept = device.unsent();
  device.close();
  const reopened = await reopenDevice(away, createManualClock(), kept);
  expect([reopened.device.rescued, await reopened.device.database.count("pendingScans")]).toEqual([null, 1]);
});
