import { describe, expect, it, vi } from "vitest";
import { createOutboxBus } from "../outbox/events.ts";
import { retrySetAside } from "../outbox/maintenance.ts";
import { createQueueMonitor } from "../outbox/queue-monitor.ts";
import { createOutboxReader } from "../outbox/read.ts";
import { type ScanOutcome, settleOperation, settleScans } from "../outbox/settle.ts";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";

const now = "2026-03-01T08:00:00.000Z";
const refusal = { httpStatus: 400, code: "VALIDATION", error: "No." };

function acknowledged(id: number, seq: number): ScanOutcome {
  const product = { sku: "SKU-1", productTitle: "Shirt", size: "M" };
  return { kind: "acknowledged", id, seq, acknowledgement: { status: "counted", reason: null }, product };
}

describe("two tabs that send at once", () => {
  it("S8: every row arrives once, in order, and each is settled by one of them", async () => {
    const harness = await createEngineHarness();
    const second = harness.openSecondTab();
    const first = await harness.scan("one");
    await harness.scan("two");
    await harness.operate({ kind: "undo", area: areaOne, targetId: first.id, targetSeq: first.seq });
    await harness.scan("three");
    harness.engine.wake();
    second.engine.wake();
    await Promise.all([harness.engine.settled(), second.engine.settled()]);
    const events = [...harness.events, ...second.events];
    const settled = events.flatMap((event) => (event.type === "scans_settled" ? event.scans : []));
    expect(harness.server.inputs()).toEqual(["one", "two", "three"]);
    expect(harness.server.total("A1")).toBe(2);
    expect(settled.map((scan) => scan.input).sort()).toEqual(["one", "three", "two"]);
    expect(events.filter((event) => event.type === "operation_settled")).toHaveLength(1);
  });

  it.each<[string, (id: number) => ScanOutcome]>([
    ["a failure", (id) => ({ kind: "failed", id })],
    ["a conflict", (id) => ({ kind: "conflict", id, nextSeq: 70 })],
    ["a refusal", (id) => ({ kind: "refused", id, refusal })],
  ])("S8: %s that comes after the other tab's acknowledgement changes nothing", async (_name, outcome) => {
    const { database, ...harness } = await createEngineHarness();
    const { id } = await harness.scan("one");
    await settleScans(database, [acknowledged(id, 1)], now);
    const before = await harness.scanRow(id);
    expect(await settleScans(database, [outcome(id)], now)).toEqual([]);
    expect(await harness.scanRow(id)).toEqual(before);
  });

  it("S8: an acknowledgement that comes after a refusal replaces it", async () => {
    const { database, ...harness } = await createEngineHarness();
    const { id } = await harness.scan("one");
    await settleScans(database, [{ kind: "refused", id, refusal }], now);
    await settleScans(database, [acknowledged(id, 1)], now);
    expect(await harness.scanRow(id)).toMatchObject({ synced: true, refusal: null });
  });

  it("S8: an operation that the other tab has settled is not settled again", async () => {
    const { database, ...harness } = await createEngineHarness();
    const reset = await harness.operate({ kind: "reset", area: areaOne });
    const answer = { kind: "reset", pass: 2, deletedScans: 0 } as const;
    await settleOperation(database, reset, { kind: "answered", answer }, now);
    expect(await settleOperation(database, reset, { kind: "refused", refusal }, now)).toBeNull();
    expect(await database.get("pendingSubmissions", reset.id)).toMatchObject({ answer, refusal: null });
  });

  it("S14: the number under which the server stored a scan is adopted, for its undo and for later rows", async () => {
    const harness = await createEngineHarness();
    const scan = await harness.scan("one");
    harness.server.faults.push({ kind: "answer_lost" });
    await harness.run();
    // The other tab had a conflict and renumbered the scan before it arrived.
    harness.server.renumber(scan.opId, 9);
    harness.engine.retryNow();
    await harness.engine.settled();
    await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
    await harness.run();
    expect(harness.server.calls.at(-1)).toMatchObject({ path: "/api/undo", body: { seq: 9 } });
    expect((await harness.scan("two")).seq).toBeGreaterThan(9);
  });
});

describe("reading the queue", () => {
  it("S9: scans and operations are read in one transaction, so that no finish is read without the scans before it", async () => {
    const { database } = await createEngineHarness();
    const transaction = vi.spyOn(database, "transaction");
    await createOutboxReader(database).unsettled();
    expect(transaction.mock.calls.map(([stores]) => stores)).toEqual([
      ["pendingScans", "pendingSubmissions"],
    ]);
  });

  it("S6: settled rows are not read again, and a row that is put back is found", async () => {
    const harness = await createEngineHarness();
    const reader = createOutboxReader(harness.database);
    const [first, second] = [await harness.scan("one"), await harness.scan("two")];
    await settleScans(harness.database, [{ kind: "refused", id: first.id, refusal }], now);
    await settleScans(harness.database, [acknowledged(second.id, second.seq)], now);
    const read = async () => (await reader.unsettled()).scans.map(({ input }) => input);
    expect(await read()).toEqual([]);
    await harness.scan("three");
    expect(await read()).toEqual(["three"]);
    await retrySetAside(harness.database);
    reader.startOver();
    expect(await read()).toEqual(["one", "three"]);
  });

  it("S20: the badge is recounted whenever sending ends, done or stopped", async () => {
    const harness = await createEngineHarness();
    const bus = createOutboxBus(null);
    const monitor = await createQueueMonitor(bus, createOutboxReader(harness.database), 0, () => true);
    // A row of another tab, whose event this one has not received.
    await harness.scan("one");
    bus.publish({ type: "stopped", reason: "no_answer" });
    await vi.waitFor(() => expect(monitor.state().pending).toBe(1));
  });
});
