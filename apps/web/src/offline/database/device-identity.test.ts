import { describe, expect, it } from "vitest";
import { appendOperation, appendScan, raiseSequence, type ScanDraft } from "../outbox/append.ts";
import { createOutboxReader, withId } from "../outbox/read.ts";
import { operationCall } from "../sync/send-operation.ts";
import { areaOne } from "../testing/engine-harness.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { createDeviceId, createOperationId, ensureDeviceId } from "./device-identity.ts";

const clock = createManualClock();
const random = createSeededRandomness();
const draft: ScanDraft = {
  ...{ area: areaOne, input: "4006381333931", inputType: "barcode", method: "scan", scannedById: "user-1" },
  ...{ localOutcome: "counted", sku: "SKU-1", productTitle: "Shirt", size: "M" },
};

const raise = (database: Awaited<ReturnType<typeof openFreshDatabase>>, to: number) =>
  raiseSequence(database, to, "2026-03-01T08:00:00.000Z");

it("S3: a server's number beyond the limit is ignored", async () => {
  const database = await openFreshDatabase();
  await raise(database, Number.MAX_SAFE_INTEGER);
  expect((await appendScan(database, draft, { deviceId: "device-1", clock, random, offset: null })).seq).toBe(
    1,
  );
});

it("S3: a device whose numbers have run out continues under a new id, with its queue in the same order", async () => {
  const database = await openFreshDatabase();
  const deviceId = await ensureDeviceId(database, clock, random);
  const stamp = { deviceId, clock, random, offset: null };
  await raise(database, 2 ** 52 - 1);
  const last = await appendScan(database, draft, stamp);
  await appendScan(database, draft, stamp);
  const { id: targetId, seq: targetSeq } = last;
  await appendOperation(database, { kind: "undo", area: areaOne, targetId, targetSeq }, stamp);
  const renewed = await ensureDeviceId(database, clock, random);
  expect(renewed).not.toBe(deviceId);
  expect(await ensureDeviceId(database, clock, random)).toBe(renewed);
  const next = await appendScan(database, draft, { ...stamp, deviceId: renewed });
  const { scans, operations } = await createOutboxReader(database).unsettled();
  expect(scans.map(({ deviceId: device, order, seq }) => [device, order, seq])).toEqual([
    [deviceId, 1, 2 ** 52],
    [deviceId, 2, 2 ** 52 + 1],
    [renewed, 4, 4],
  ]);
  expect(operations).toMatchObject([{ order: 3, targetSeq: 2 ** 52, deviceId }]);
  expect(next.order).toBe(4);
});

/** A device whose counter is beyond what the server accepts, and a scan that was refused for it. */
async function refusedForItsNumber() {
  const database = await openFreshDatabase();
  const deviceId = await ensureDeviceId(database, clock, random);
  const { id } = await appendScan(database, draft, { deviceId, clock, random, offset: null });
  const row = await database.get("pendingScans", id);
  if (row === undefined) throw new Error("The scan was not stored.");
  const beyond = 2 ** 53;
  const refusal = { httpStatus: 400, code: "VALIDATION", error: "seq must be a whole number." };
  await database.put("pendingScans", { ...row, seq: beyond, refusal });
  await database.put("settings", { key: "sequence", value: beyond, updatedAt: "" });
  const undo = (name: string) => {
    const operation = { kind: "undo", area: areaOne, targetId: id, targetSeq: beyond } as const;
    return appendOperation(database, operation, { deviceId: name, clock, random, offset: null });
  };
  const scan = async () => withId((await database.get("pendingScans", id)) ?? row);
  return { database, undo, scan, beyond };
}

it("S3: a scan with an unsendable number is sent under the new id with a new number, and so is its undo", async () => {
  const { database, undo, scan } = await refusedForItsNumber();
  const renewed = await ensureDeviceId(database, clock, random);
  expect(await scan()).toMatchObject({ deviceId: renewed, seq: 1, refusal: null });
  const undoing = await undo(renewed);
  const along = { report: null, shown: {}, heard: null };
  expect(operationCall(undoing, await scan(), along).body).toMatchObject({ deviceId: renewed, seq: 1 });
});

it("S3: a scan that was refused for its number and undone is not sent", async () => {
  const { database, undo, scan, beyond } = await refusedForItsNumber();
  await undo("device-1");
  await ensureDeviceId(database, clock, random);
  expect(await scan()).toMatchObject({ seq: beyond, undone: true, refusal: { code: "VALIDATION" } });
});

describe("the device's identity", () => {
  it("is device-, a timestamp and random text, created once and stored [spec:3.device]", async () => {
    const database = await openFreshDatabase();
    const [first, second] = await Promise.all([
      ensureDeviceId(database, clock, random),
      ensureDeviceId(database, clock, random),
    ]);
    expect(first).toMatch(/^device-\d{13}-[0-9a-f]{12}$/);
    expect(second).toBe(first);
    expect(createDeviceId(clock, random)).not.toBe(first);
  });

  it("S4: operation ids are version 4 UUIDs, even without a secure context", () => {
    const ids = Array.from({ length: 100 }, () => createOperationId(random));
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(100);
  });
});
