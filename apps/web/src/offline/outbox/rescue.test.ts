import { expect, it } from "vitest";
import { nextAnswerOrder } from "../database/answer-order.ts";
import type { StocktakeDatabase } from "../database/database.ts";
import { readSetting, settings } from "../database/settings.ts";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import type { OperationDraft } from "./append.ts";
import { createOutboxBus } from "./events.ts";
import { openReport } from "./queue-reports.ts";
import { createOutboxReader } from "./read.ts";
import { keepUnsent, rescue } from "./rescue.ts";

const now = "2026-03-01T08:00:00.000Z";

/** A page that has followed its outbox since it was opened. */
async function openPage() {
  const harness = await createEngineHarness();
  const kept = await keepUnsent(harness.database, "device-1", harness.bus);
  return {
    ...{ harness, kept },
    async scan(input: string) {
      const scan = await harness.scan(input);
      harness.bus.publish({ type: "scan_added", scan });
      return scan;
    },
    async operate(draft: OperationDraft) {
      harness.bus.publish({ type: "operation_added", operation: await harness.operate(draft) });
    },
  };
}

it("S28: what the server does not have is written into emptied storage as it was, under the same device", async () => {
  const page = await openPage();
  await page.scan("sent");
  await page.harness.run();
  const scans = [await page.scan("one"), await page.scan("two")];
  const emptied = await openFreshDatabase();
  expect(await rescue(emptied, page.kept(), now)).toBe(2);
  const expected = scans.map(({ id: _id, ...row }) => row);
  expect((await emptied.getAll("pendingScans")).map(({ id: _id, ...row }) => row)).toEqual(expected);
  expect(await readSetting(emptied, settings.deviceId)).toBe("device-1");
  expect(await readSetting(emptied, settings.sequence)).toBe(3);
});

it("S28: the undo of a rescued scan finds it, that of a scan which the server has goes by its number", async () => {
  const page = await openPage();
  const sent = await page.scan("sent");
  await page.harness.run();
  const kept = await page.scan("kept");
  await page.operate({ kind: "undo", area: areaOne, targetId: kept.id, targetSeq: kept.seq });
  await page.operate({ kind: "undo", area: areaOne, targetId: sent.id, targetSeq: sent.seq });
  const emptied = await openFreshDatabase();
  await rescue(emptied, page.kept(), now);
  const [scan] = await emptied.getAll("pendingScans");
  expect(scan).toMatchObject({ input: "kept", undone: true });
  const undos = await emptied.getAll("pendingSubmissions");
  expect(undos).toMatchObject([{ targetId: scan?.id }, { targetId: null, targetSeq: sent.seq }]);
});

it("S28, S14: the undo of a scan that was numbered anew since goes by the number that the server has, and by that scan's device", async () => {
  const page = await openPage();
  const { harness } = page;
  const sent = await page.scan("sent");
  await page.operate({ kind: "undo", area: areaOne, targetId: sent.id, targetSeq: sent.seq });
  const settle = (seq: number, synced: boolean) =>
    harness.bus.publish({
      type: "scans_settled",
      scans: [{ ...sent, seq, synced, deviceId: "device-of-before", undone: true }],
    });
  settle(40, false);
  settle(41, true);
  const emptied = await openFreshDatabase();
  await rescue(emptied, page.kept(), now);
  expect(await emptied.getAll("pendingSubmissions")).toMatchObject([
    { targetId: null, targetSeq: 41, deviceId: "device-of-before" },
  ]);
});

it("S28, S14, S16: a page that was opened since knows undos by the numbers of then, and none of a scan that the server has refused", async () => {
  const { harness } = await openPage();
  const [sent, refused] = [await harness.scan("sent"), await harness.scan("refused")];
  for (const { id: targetId, seq: targetSeq } of [sent, refused])
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
  const refusal = { httpStatus: 404, code: "NOT_FOUND", error: "The area was not found." };
  await harness.database.put("pendingScans", { ...sent, undone: true, seq: 41, synced: true });
  await harness.database.put("pendingScans", { ...refused, undone: true, refusal });
  const later = await keepUnsent(harness.database, "device-1", harness.bus);
  const emptied = await openFreshDatabase();
  await rescue(emptied, later(), now);
  expect(await emptied.getAll("pendingSubmissions")).toMatchObject([{ targetId: null, targetSeq: 41 }]);
});

it("S28, S10: numbers of reports and answers go on beyond those that were lost, with a clock that had run ahead", async () => {
  const { harness, kept } = await openPage();
  const ahead = Date.parse(now) + 86_400_000;
  const queue = { ...areaOne, deviceId: "device-1", pending: 1 };
  const told = await openReport({ ...harness, clock: { now: () => ahead } }, queue);
  const number = await nextAnswerOrder(harness.database, ahead);
  harness.bus.publish({ type: "answered", number });
  const later = await keepUnsent(harness.database, "device-1", harness.bus);
  for (const known of [kept(), later()]) {
    const emptied = await openFreshDatabase();
    await rescue(emptied, known, now);
    const next = await openReport({ ...harness, database: emptied }, queue);
    expect(next?.pendingOrder).toBe((told?.pendingOrder ?? 0) + 1);
    expect(await nextAnswerOrder(emptied, Date.parse(now))).toBe(number + 1);
  }
});

it("S28: what another tab writes while the outbox is read is known too, with its number", async () => {
  const { harness } = await openPage();
  const opening = keepUnsent(harness.database, "device-1", harness.bus);
  const scan = await harness.scan("meanwhile");
  harness.bus.publish({ type: "scan_added", scan });
  harness.bus.publish({ type: "reported", number: 5 });
  harness.bus.publish({ type: "answered", number: 7 });
  const known = (await opening)();
  expect(known.scans).toMatchObject([{ input: "meanwhile" }]);
  expect([known.sequence, known.lastReport, known.lastAnswer]).toEqual([1, 5, 7]);
});

it("S28: what is written while the outbox is read afresh after a restore of the server is known too", async () => {
  const { harness } = await openPage();
  const one = await harness.scan("one");
  await harness.operate({ kind: "undo", area: areaOne, targetId: one.id, targetSeq: one.seq });
  const bus = createOutboxBus(null);
  const kept = await keepUnsent(harness.database, "device-1", bus);
  bus.publish({ type: "server_restored" });
  bus.publish({ type: "scan_added", scan: await harness.scan("meanwhile") });
  // Whatever was begun before has been read by then.
  await keepUnsent(harness.database, "device-1", bus);
  expect(kept().scans.map(({ input }) => input)).toEqual(["one", "meanwhile"]);
});

it("S28: of two tabs that rescue the same rows the second writes none", async () => {
  const page = await openPage();
  await page.scan("one");
  const emptied = await openFreshDatabase();
  await rescue(emptied, page.kept(), now);
  expect(await rescue(emptied, page.kept(), now)).toBe(0);
  expect(await emptied.count("pendingScans")).toBe(1);
});

/** Two tabs on one storage, of which the second hears nothing of the first; what each knows when the storage is deleted. */
async function openDeafTabs() {
  const page = await openPage();
  const bus = createOutboxBus(null);
  const second = await keepUnsent(page.harness.database, "device-1", bus);
  return { page, first: page.kept, second, bus };
}

const inputsIn = async (database: StocktakeDatabase) =>
  (await createOutboxReader(database).unsettled()).scans.map(({ input, order }) => [input, order]);

it("S28: what only one tab knew is written also where another has rescued before, and stays before the total behind it", async () => {
  const { page, first, second, bus } = await openDeafTabs();
  await page.scan("known to one");
  const finish = await page.harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
  bus.publish({ type: "operation_added", operation: finish });
  const emptied = await openFreshDatabase();
  expect(await rescue(emptied, second(), now)).toBe(1);
  expect(await rescue(emptied, first(), now)).toBe(1);
  expect(await inputsIn(emptied)).toEqual([["known to one", 1]]);
  expect(await emptied.getAll("pendingSubmissions")).toMatchObject([{ kind: "finish", order: 2 }]);
  expect(await readSetting(emptied, settings.sequence)).toBe(2);
});

it("S28, S14: two rows of one number, as of a tab that went on counting before the other one rescued, are both kept, and the server takes both", async () => {
  const { page, first, second } = await openDeafTabs();
  const one = await page.scan("one");
  await page.operate({ kind: "undo", area: areaOne, targetId: one.id, targetSeq: one.seq });
  const { database, ...harness } = await createEngineHarness(2);
  await rescue(database, second(), now);
  const another = await harness.scan("another");
  expect(another.seq).toBe(one.seq);
  expect(await rescue(database, first(), now)).toBe(2);
  expect(await inputsIn(database)).toEqual([
    ["another", 1],
    ["one", 3],
  ]);
  expect((await harness.scan("later")).order).toBe(5);
  await harness.run();
  expect(harness.server.inputs()).toEqual(["another", "one", "later"]);
  expect(harness.server.total("A1")).toBe(2);
  const undo = harness.server.calls.find(({ path }) => path === "/api/undo");
  expect(undo?.body).toMatchObject({ seq: (await harness.scanRow(2)).seq });
  expect((await harness.scanRow(2)).seq).toBeGreaterThan(another.seq);
});

it("S28: the undo that only one tab knew finds its scan that another has rescued, and marks it", async () => {
  const { page, first, second, bus } = await openDeafTabs();
  const scan = await page.scan("one");
  bus.publish({ type: "scan_added", scan });
  await page.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
  const emptied = await openFreshDatabase();
  await emptied.add("pendingScans", { ...scan, opId: "other", id: 1, synced: true, order: 0 });
  await rescue(emptied, second(), now);
  await rescue(emptied, first(), now);
  const written = (await emptied.getAll("pendingScans")).find(({ opId }) => opId === scan.opId);
  expect(written).toMatchObject({ undone: true });
  expect(await emptied.getAll("pendingSubmissions")).toMatchObject([{ targetId: written?.id }]);
});

it("S28: rows made meanwhile under a new device id stay, and the rescued ones come after them", async () => {
  const page = await openPage();
  await page.scan("one");
  const { database } = await createEngineHarness();
  await database.put("settings", { key: settings.deviceId.key, value: "device-2", updatedAt: now });
  await database.put("settings", { key: settings.sequence.key, value: 7, updatedAt: now });
  await rescue(database, page.kept(), now);
  expect(await database.getAll("pendingScans")).toMatchObject([
    { input: "one", deviceId: "device-1", order: 8 },
  ]);
  expect(await readSetting(database, settings.deviceId)).toBe("device-2");
  expect(await readSetting(database, settings.sequence)).toBe(8);
});

it("S28: what is acknowledged after a restore of the server was announced is known afresh from the storage", async () => {
  const page = await openPage();
  await page.scan("one");
  page.harness.bus.publish({ type: "server_restored" });
  await page.harness.run();
  const emptied = await openFreshDatabase();
  expect(await rescue(emptied, page.kept(), now)).toBe(0);
});
