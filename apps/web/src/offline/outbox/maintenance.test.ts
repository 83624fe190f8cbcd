import { describe, expect, it } from "vitest";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { markRead, pruneOutbox, retention, retrySetAside } from "./maintenance.ts";
import { readSetAside } from "./read.ts";

const refusal = { httpStatus: 403, code: "FORBIDDEN", error: "No." };
const retentionMs = retention.days * 24 * 60 * 60 * 1000;

/** A scan, its undo and a finish; all acknowledged unless told otherwise. */
async function deviceWithRows(synced = true) {
  const harness = await createEngineHarness();
  const { database } = harness;
  const scan = await harness.scan("one");
  await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
  await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
  await database.put("pendingScans", { ...scan, synced });
  for (const row of await database.getAll("pendingSubmissions")) {
    await database.put("pendingSubmissions", { ...row, synced });
  }
  return { ...harness, madeAt: Date.parse(scan.createdAt) };
}

async function counts({ database }: Pick<EngineHarness, "database">) {
  return [await database.count("pendingScans"), await database.count("pendingSubmissions")];
}

describe("S27: what is deleted", () => {
  it("is an acknowledged row of either store older than fourteen days, not one of just that age", async () => {
    const device = await deviceWithRows();
    await pruneOutbox(device.database, device.madeAt + retentionMs);
    expect(await counts(device)).toEqual([1, 2]);
    await pruneOutbox(device.database, device.madeAt + retentionMs + 1);
    expect(await counts(device)).toEqual([0, 0]);
  });

  it("is fourteen days after the acknowledgement, whenever the device's clock says that the row was made", async () => {
    const { database, madeAt } = await deviceWithRows();
    const [scan] = await database.getAll("pendingScans");
    if (scan === undefined) throw new Error("The scan is missing.");
    const acknowledgedAt = madeAt + 2 * retentionMs;
    await database.put("pendingScans", { ...scan, syncedAt: new Date(acknowledgedAt).toISOString() });
    await pruneOutbox(database, acknowledgedAt + retentionMs);
    expect(await database.count("pendingScans")).toBe(1);
    await pruneOutbox(database, acknowledgedAt + retentionMs + 1);
    expect(await database.count("pendingScans")).toBe(0);
  });

  it("is nothing by its age where the server's time is not known, but what is beyond the bound", async () => {
    const device = await deviceWithRows();
    await pruneOutbox(device.database, null);
    expect(await counts(device)).toEqual([1, 2]);
    await pruneOutbox(device.database, null, { ...retention, rows: 1 });
    expect(await counts(device)).toEqual([0, 1]);
  });

  it("is nothing that is not acknowledged", async () => {
    const device = await deviceWithRows(false);
    await pruneOutbox(device.database, device.madeAt + 2 * retentionMs);
    expect(await counts(device)).toEqual([1, 2]);
  });

  it("is no scan whose undo is not acknowledged: the undo needs its number", async () => {
    const device = await deviceWithRows();
    const { database } = device;
    const [undo, finish] = await database.getAll("pendingSubmissions");
    if (undo === undefined || finish === undefined) throw new Error("A row is missing.");
    await database.put("pendingSubmissions", { ...finish, synced: false });
    await database.put("pendingSubmissions", { ...undo, synced: false });
    await pruneOutbox(database, device.madeAt + 2 * retentionMs);
    expect(await counts(device)).toEqual([1, 2]);
    await database.put("pendingSubmissions", undo);
    await pruneOutbox(database, device.madeAt + 2 * retentionMs);
    expect(await counts(device)).toEqual([0, 1]);
  });

  it.each([
    [5, [1, 2, 3], [1, 2]],
    [4, [1, 2, 3], [1, 2]],
    [3, [1, 3], [1, 2]],
    [1, [1, 3], []],
  ])(
    "is of more than %s acknowledged rows the oldest of both stores together, and no unsent one",
    async (rows, scans, operations) => {
      // Two scans are of the orders 4 and 1, their operations of 2 and 3; the third scan is not acknowledged.
      const { database, madeAt, scan, scanRow } = await deviceWithRows();
      for (const input of ["two", "unsent", "old"]) await scan(input);
      const first = await scanRow(1);
      await database.put("pendingScans", { ...first, order: 4 });
      await database.put("pendingScans", { ...first, id: 2, order: 1 });
      // One made long ago by a clock that was wrong is deleted as old, and counts for nothing else.
      const old = { ...first, id: 4, order: 6, createdAt: new Date(madeAt - 2 * retentionMs).toISOString() };
      await database.put("pendingScans", old);
      await pruneOutbox(database, madeAt + retentionMs, { ...retention, rows });
      expect(await database.getAllKeys("pendingScans")).toEqual(scans);
      expect(await database.getAllKeys("pendingSubmissions")).toEqual(operations);
    },
  );

  it("keeps days and rows as the bound says", () => {
    expect(retention).toEqual({ days: 14, rows: 20_000 });
  });
});

it("S13: what was set aside is put back, whichever store it is in, and what was not is left as it is", async () => {
  const device = await deviceWithRows(false);
  const { database } = device;
  const [scan] = await database.getAll("pendingScans");
  const [undo, finish] = await database.getAll("pendingSubmissions");
  if (scan === undefined || undo === undefined || finish === undefined) throw new Error("A row is missing.");
  const undone = await device.scan("undone");
  await database.put("pendingScans", { ...scan, refusal });
  await database.put("pendingScans", { ...undone, refusal, undone: true });
  await database.put("pendingSubmissions", { ...undo, refusal });
  await database.put("pendingSubmissions", { ...finish, refusal });
  await retrySetAside(database);
  const rows = [...(await database.getAll("pendingScans")), ...(await database.getAll("pendingSubmissions"))];
  expect(rows.map((row) => row.refusal)).toEqual([null, refusal, refusal, null]);
});

it("S40: a reset or finish that others' area refused is not put back, and not shown any more", async () => {
  const device = await deviceWithRows(false);
  const { database } = device;
  const finish = await database.get("pendingSubmissions", 2);
  if (finish === undefined) throw new Error("The finish is missing.");
  await database.put("pendingSubmissions", { ...finish, refusal: { ...refusal, code: "AREA_ASSIGNED" } });
  expect((await readSetAside(database)).operations).toHaveLength(1);
  await retrySetAside(database);
  expect(await database.get("pendingSubmissions", 2)).toMatchObject({ refusal: { code: "AREA_ASSIGNED" } });
  expect((await readSetAside(database)).operations).toEqual([]);
});

it("S40: nor is what was made in the count that such a reset was to begin, which by then is others'", async () => {
  const { database, operate } = await createEngineHarness();
  const reset = await operate({ kind: "reset", area: areaOne });
  const finishIn = (pass: number) =>
    operate({ kind: "finish", area: { ...areaOne, pass }, declaredTotal: 1 });
  const ofReset = await finishIn(areaOne.pass + 1);
  const ofAnother = await finishIn(areaOne.pass);
  await database.put("pendingSubmissions", { ...reset, refusal: { ...refusal, code: "AREA_ASSIGNED" } });
  for (const finish of [ofReset, ofAnother]) await database.put("pendingSubmissions", { ...finish, refusal });
  await retrySetAside(database);
  const refusals = (await database.getAll("pendingSubmissions")).map((row) => row.refusal?.code);
  expect(refusals).toEqual(["AREA_ASSIGNED", "FORBIDDEN", undefined]);
});

it.each(["AREA_CLOSED", "SESSION_CLOSED"])(
  "S15: nor is a reset that was refused with %s: what it was to discard stands",
  async (code) => {
    const { database, operate } = await createEngineHarness();
    const reset = await operate({ kind: "reset", area: areaOne });
    await database.put("pendingSubmissions", { ...reset, refusal: { ...refusal, code } });
    await retrySetAside(database);
    expect(await database.get("pendingSubmissions", reset.id)).toMatchObject({
      isRead: true,
      refusal: { code },
    });
  },
);

it("S16: what a person has read of is marked, and what is gone does no harm", async () => {
  const { database } = await deviceWithRows();
  await markRead(database, [99, 2]);
  const rows = await database.getAll("pendingSubmissions");
  expect(rows.map(({ isRead }) => isRead)).toEqual([undefined, true]);
  expect(await database.count("pendingSubmissions")).toBe(2);
});
