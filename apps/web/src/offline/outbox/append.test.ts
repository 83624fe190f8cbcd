import { limits } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { durable } from "../database/database.ts";
import { areaOne } from "../testing/engine-harness.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import {
  appendOperation,
  appendReplacement,
  appendScan,
  raiseSequence,
  type ScanDraft,
  type Stamp,
} from "./append.ts";

const clock = createManualClock();
const random = createSeededRandomness();
const stamp: Stamp = { deviceId: "device-1", clock, random, offset: { low: 59_000, high: 61_000 } };
const draft: ScanDraft = {
  ...{ area: areaOne, input: "4006381333931", inputType: "barcode", method: "scan", scannedById: "user-1" },
  ...{ localOutcome: "counted", sku: "SKU-1", productTitle: "Shirt", size: "M" },
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("the outbox's rows", () => {
  it("S1: a scan is written durably, unsynced and with the specification's fields, before anything else happens [spec:3.scan.payload][spec:3.pending][spec:4.sync.marks]", async () => {
    const database = await openFreshDatabase();
    const transaction = vi.spyOn(database, "transaction");
    const scan = await appendScan(database, draft, stamp);
    expect(transaction.mock.calls[0]?.[2]).toEqual(durable);
    expect(await database.get("pendingScans", scan.id)).toMatchObject({
      ...{ sessionId: "session-1", storeId: "store-1", locationId: "location-1", areaCode: "A1", pass: 1 },
      ...{ input: "4006381333931", inputType: "barcode", deviceId: "device-1", seq: 1, method: "scan" },
      ...{ synced: false, retryCount: 0, syncedAt: null, lastRetryAt: null, timestamp: clock.now() },
    });
  });

  it("S1: a scan counts as written only once its transaction is complete, and operations are equally durable", async () => {
    const database = await openFreshDatabase();
    const transaction = vi.spyOn(database, "transaction");
    const order: string[] = [];
    const writing = appendScan(database, draft, stamp).then((scan) => {
      order.push("written");
      return scan;
    });
    const [opened] = transaction.mock.results;
    if (opened?.type !== "return") throw new Error("No transaction was opened.");
    opened.value.addEventListener("complete", () => order.push("complete"));
    const { id: targetId, seq: targetSeq } = await writing;
    expect(order).toEqual(["complete", "written"]);
    await appendOperation(database, { kind: "undo", area: areaOne, targetId, targetSeq }, stamp);
    expect(transaction.mock.calls.map(([, , options]) => options)).toEqual([durable, durable]);
  });

  it("S2: one counter numbers scans and operations of both stores, in the transaction of the row", async () => {
    const database = await openFreshDatabase();
    const first = await appendScan(database, draft, stamp);
    const undo = { kind: "undo", area: areaOne, targetId: first.id, targetSeq: first.seq } as const;
    const operation = await appendOperation(database, undo, stamp);
    const second = await appendScan(database, draft, stamp);
    expect([first.order, operation.order, second.order]).toEqual([1, 2, 3]);
    expect((await database.get("settings", "sequence"))?.value).toBe(3);
  });

  it("S2: scans written at the same moment by two tabs get different numbers", async () => {
    const database = await openFreshDatabase();
    const scans = await Promise.all(Array.from({ length: 20 }, () => appendScan(database, draft, stamp)));
    expect(new Set(scans.map((scan) => scan.seq)).size).toBe(20);
  });

  it("S2: a row that cannot be written uses no number and rejects", async () => {
    const database = await openFreshDatabase();
    const unstorable = { ...draft, sku: Object(() => "a function cannot be stored") };
    await expect(appendScan(database, unstorable, stamp)).rejects.toThrow();
    expect(await database.count("pendingScans")).toBe(0);
    expect(await database.get("settings", "sequence")).toBeUndefined();
  });

  it("S3: the counter continues from the larger of the server's number and its own [spec:7.sequence]", async () => {
    const database = await openFreshDatabase();
    await raiseSequence(database, 500, "2026-03-01T08:00:00.000Z");
    await raiseSequence(database, 20, "2026-03-01T08:00:00.000Z");
    expect((await appendScan(database, draft, stamp)).seq).toBe(501);
  });

  it("S3: a number beyond those that run on is no place to continue from", async () => {
    const database = await openFreshDatabase();
    await raiseSequence(database, limits.runningSequence + 1, "2026-03-01T08:00:00.000Z");
    expect(await database.get("settings", "sequence")).toBeUndefined();
    await raiseSequence(database, limits.runningSequence, "2026-03-01T08:00:00.000Z");
    expect((await database.get("settings", "sequence"))?.value).toBe(limits.runningSequence);
  });

  it("S4: every row has its own operation id, created with it", async () => {
    const database = await openFreshDatabase();
    const first = await appendScan(database, draft, stamp);
    const second = await appendScan(database, draft, stamp);
    expect(first.opId).toMatch(uuid);
    expect(second.opId).not.toBe(first.opId);
  });

  it("S5: scannedAt is the device's time corrected by the server's measured offset", async () => {
    const database = await openFreshDatabase();
    const scan = await appendScan(database, draft, stamp);
    expect(scan.scannedAt).toBe(new Date(clock.now() + 60_000).toISOString());
  });

  it("S16: an undo marks its scan in the same transaction", async () => {
    const database = await openFreshDatabase();
    const scan = await appendScan(database, draft, stamp);
    const undo = { kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq } as const;
    await appendOperation(database, undo, stamp);
    expect(await database.get("pendingScans", scan.id)).toMatchObject({ undone: true });
  });

  it("S33: a scan in the place of another is written with the other's undo, after it, or not at all", async () => {
    const database = await openFreshDatabase();
    const { id: targetId, seq: targetSeq } = await appendScan(database, draft, stamp);
    const undo = { kind: "undo", area: areaOne, targetId, targetSeq } as const;
    const unstorable = { ...draft, sku: Object(() => "a function cannot be stored") };
    await expect(appendReplacement(database, { undo, scan: unstorable }, stamp)).rejects.toThrow();
    expect(await database.count("pendingSubmissions")).toBe(0);
    expect(await database.get("pendingScans", targetId)).toMatchObject({ undone: false });
    const twelve = { undo, scan: { ...draft, quantity: 12 } };
    const { operation, scan } = await appendReplacement(database, twelve, stamp);
    expect([operation.order, scan.order]).toEqual([2, 3]);
    expect(await database.get("pendingScans", targetId)).toMatchObject({ undone: true });
    expect(await database.get("pendingScans", scan.id)).toMatchObject({
      ...{ quantity: 12, undone: false, seq: 3 },
      replaces: (await database.get("pendingScans", targetId))?.opId,
    });
    expect((await database.get("settings", "sequence"))?.value).toBe(3);
    const onServer = { undo: { ...undo, targetId: null, targetSeq: 40 }, scan: draft };
    expect((await appendReplacement(database, onServer, stamp)).scan).toMatchObject({ replacesSeq: 40 });
  });

  it("S1, S5: a row says all that is known of it, and nothing that is not", async () => {
    const database = await openFreshDatabase();
    const page = { page: "page-1", lead: 1, elapsed: 2, offset: null, isDoubtful: false };
    const scan = await appendScan(database, { ...draft, quantity: 3 }, { ...stamp, reading: page });
    const { opId, ...written } = scan;
    const { area, ...scanned } = draft;
    const createdAt = new Date(clock.now()).toISOString();
    const unsent = {
      ...{ ...area, deviceId: "device-1", createdAt, synced: false, retryCount: 0 },
      ...{ syncedAt: null, lastRetryAt: null, refusal: null },
    };
    expect(written).toEqual({
      ...{ ...unsent, ...scanned, id: 1, order: 1, seq: 1, quantity: 3, timestamp: clock.now() },
      ...{ scannedAt: new Date(clock.now() + 60_000).toISOString(), reading: page },
      ...{ undone: false, acknowledgement: null, renumbered: 0 },
    });
    expect(await appendScan(database, draft, stamp)).not.toHaveProperty("reading");
    const madeAt = new Date(clock.now() + 60_000).toISOString();
    const reset = await appendOperation(database, { kind: "reset", area }, stamp);
    expect(reset).toEqual({
      ...{ ...unsent, opId: reset.opId, id: 1, order: 3, answer: null, madeAt },
      ...{ kind: "reset", expectedPass: 2 },
    });
    const finish = { kind: "finish", area, declaredTotal: 4, knownAccepted: 1 } as const;
    expect(await appendOperation(database, finish, stamp)).toMatchObject({
      ...{ kind: "finish", declaredTotal: 4, knownAccepted: 1, order: 4 },
    });
    const undo = { kind: "undo", area, targetId: null, targetSeq: 9 } as const;
    expect(await appendOperation(database, undo, stamp)).toMatchObject({
      ...{ kind: "undo", targetId: null, targetSeq: 9 },
    });
    expect((await database.getAll("pendingScans")).map(({ undone }) => undone)).toEqual([false, false]);
  });

  it("S16: an undo of a scan that is not here any more is written all the same", async () => {
    const database = await openFreshDatabase();
    await appendOperation(database, { kind: "undo", area: areaOne, targetId: 9, targetSeq: 9 }, stamp);
    expect(await database.count("pendingSubmissions")).toBe(1);
    expect(await database.count("pendingScans")).toBe(0);
  });
});
