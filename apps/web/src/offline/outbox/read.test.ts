import { afterEach, expect, it, vi } from "vitest";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { createOutboxReader } from "./read.ts";
import type { ScanOutcome } from "./settle.ts";
import { settleScans } from "./settle.ts";

const now = "2026-03-01T08:00:00.000Z";

afterEach(() => {
  vi.restoreAllMocks();
});

function acknowledged(id: number): ScanOutcome {
  const product = { sku: "SKU-1", productTitle: "Shirt", size: "M" };
  return {
    kind: "acknowledged",
    id,
    seq: id,
    acknowledgement: { status: "counted", reason: null },
    product,
  };
}

async function scanAndSettle(harness: EngineHarness, times: number): Promise<void> {
  const scans = [];
  for (let time = 0; time < times; time += 1) scans.push(await harness.scan("mine"));
  await settleScans(
    harness.database,
    scans.map(({ id }) => acknowledged(id)),
    now,
  );
}

/** The codes that one read finds, how many scan rows the database had to return, and in how many requests. */
async function readOnce({ database }: EngineHarness, reader: ReturnType<typeof createOutboxReader>) {
  const ids = (await database.getAllKeys("pendingScans")).map(Number);
  const read = vi.spyOn(IDBObjectStore.prototype, "getAll");
  const { scans } = await reader.unsettled();
  const ranges = read.mock.contexts.flatMap((store, call) => {
    const [range] = read.mock.calls[call] ?? [];
    return store instanceof IDBObjectStore && store.name === "pendingScans" ? [range] : [];
  });
  read.mockRestore();
  const rows = ids.filter((id) =>
    ranges.some((range) => !(range instanceof IDBKeyRange) || range.includes(id)),
  );
  return { found: scans.map(({ input }) => input), rows: rows.length, requests: ranges.length };
}

it("S6, S17: rows that wait for another login do not cause the whole day's rows to be read for every scan", async () => {
  const harness = await createEngineHarness();
  const reader = createOutboxReader(harness.database);
  const elsewhere = { ...areaOne, sessionId: "session-2" };
  await scanAndSettle(harness, 120);
  for (const input of ["held 1", "held 2"]) await harness.scan(input, elsewhere);
  await scanAndSettle(harness, 150);
  await harness.scan("held 3", elsewhere);
  await scanAndSettle(harness, 150);
  await reader.unsettled();
  await harness.scan("new");
  expect(await readOnce(harness, reader)).toEqual({
    found: ["held 1", "held 2", "held 3", "new"],
    rows: 4,
    requests: 3,
  });
});

it("S6: an old row that is settled later is not read again, and rows close together are read at once", async () => {
  const harness = await createEngineHarness();
  const reader = createOutboxReader(harness.database);
  const held = await harness.scan("held");
  await scanAndSettle(harness, 100);
  for (const input of ["one", "two", "three"]) await harness.scan(input);
  expect(await readOnce(harness, reader)).toEqual({
    found: ["held", "one", "two", "three"],
    rows: 104,
    requests: 1,
  });
  expect(await readOnce(harness, reader)).toEqual({
    found: ["held", "one", "two", "three"],
    rows: 4,
    requests: 2,
  });
  await settleScans(harness.database, [acknowledged(held.id)], now);
  await reader.unsettled();
  expect(await readOnce(harness, reader)).toEqual({ found: ["one", "two", "three"], rows: 3, requests: 1 });
});

it("S6: rows that go on waiting are the only ones read, however often nothing comes to them", async () => {
  const harness = await createEngineHarness();
  const reader = createOutboxReader(harness.database);
  for (const input of ["one", "two"]) {
    await harness.scan(input);
    await scanAndSettle(harness, 60);
  }
  await reader.unsettled();
  for (let time = 0; time < 3; time += 1)
    expect(await readOnce(harness, reader)).toEqual({ found: ["one", "two"], rows: 2, requests: 3 });
});

it("S30: what is put back while the outbox is read is found by the next reading", async () => {
  const harness = await createEngineHarness();
  const reader = createOutboxReader(harness.database);
  await scanAndSettle(harness, 1);
  const reading = reader.unsettled();
  reader.startOver();
  expect((await reading).scans).toEqual([]);
  await harness.database.put("pendingScans", { ...(await harness.scanRow(1)), synced: false });
  expect((await reader.unsettled()).scans).toHaveLength(1);
});
