import { describe, expect, it, vi } from "vitest";
import { ensureDeviceId } from "../database/device-identity.ts";
import { readDeviceKeys } from "../database/device-keys.ts";
import { readSetting, settings, settingsOf, writeSetting } from "../database/settings.ts";
import { exportQueue, readQueueFile } from "../saved-queue/saved-queue.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { raiseSequence } from "./append.ts";
import { beginReport, owedReports } from "./queue-reports.ts";
import { keepUnsent, rescue } from "./rescue.ts";

const clock = createManualClock();
const random = createSeededRandomness();
const now = "2026-03-01T08:00:00.000Z";
const aKey = /^[0-9a-f]{64}$/;

type Database = EngineHarness["database"];

const keysOf = (database: Database) => readDeviceKeys(settingsOf(database));

describe("S46: a device's key", () => {
  it("is random, and made once with the id, whichever of two tabs comes first", async () => {
    const database = await openFreshDatabase();
    const bytes = vi.spyOn(random, "bytes");
    const open = () => ensureDeviceId(database, clock, random);
    const [deviceId] = await Promise.all([open(), open()]);
    expect(await keysOf(database)).toEqual({ [deviceId]: expect.stringMatching(aKey) });
    expect(bytes.mock.calls.filter(([length]) => length === 32)).toHaveLength(1);
  });

  it("is made for the id that a page of an earlier release has left", async () => {
    const database = await openFreshDatabase();
    await writeSetting(database, settings.deviceId, "device-1", now);
    expect(await ensureDeviceId(database, clock, random)).toBe("device-1");
    expect(await keysOf(database)).toEqual({ "device-1": expect.stringMatching(aKey) });
  });

  it("stays with the id that rows were made under, where numbers have run out and the device has another", async () => {
    const database = await openFreshDatabase();
    const first = await ensureDeviceId(database, clock, random);
    const before = await keysOf(database);
    await raiseSequence(database, 2 ** 52, now);
    await database.put("settings", { key: settings.sequence.key, value: 2 ** 52 + 1, updatedAt: now });
    const renewed = await ensureDeviceId(database, clock, random);
    const after = await keysOf(database);
    expect(after).toEqual({ ...before, [renewed]: expect.stringMatching(aKey) });
    expect(after[renewed]).not.toBe(after[first]);
  });

  it("is another one in storage that was evicted, as the id is", async () => {
    const first = await openFreshDatabase();
    await ensureDeviceId(first, clock, random);
    const emptied = await openFreshDatabase();
    await ensureDeviceId(emptied, clock, random);
    const [before, after] = [await keysOf(first), await keysOf(emptied)];
    expect(Object.keys(after)).not.toEqual(Object.keys(before));
    expect(Object.values(after)).not.toEqual(Object.values(before));
  });

  it("is rescued with the id from a page whose storage was deleted, and holds against one that was made since", async () => {
    const harness = await createEngineHarness();
    const deviceId = await ensureDeviceId(harness.database, clock, random);
    const kept = (await keepUnsent(harness.database, deviceId, harness.bus))();
    const emptied = await openFreshDatabase();
    await rescue(emptied, kept, now);
    await ensureDeviceId(emptied, clock, random);
    expect(await keysOf(emptied)).toEqual(kept.deviceKeys);

    const byAnOldTab = await openFreshDatabase();
    await writeSetting(byAnOldTab, settings.deviceId, deviceId, now);
    await ensureDeviceId(byAnOldTab, clock, random);
    expect(await keysOf(byAnOldTab)).not.toEqual(kept.deviceKeys);
    await ensureDeviceId(byAnOldTab, clock, random, kept.deviceKeys);
    expect(await keysOf(byAnOldTab)).toEqual(kept.deviceKeys);
  });
});

const ofOne = { sessionId: "session-1", deviceId: "device-1" };

/** A device whose id has a key. */
async function keyedDevice(): Promise<EngineHarness> {
  const harness = await createEngineHarness();
  await writeSetting(
    harness.database,
    settings.deviceKeys,
    { "device-1": "key-1", "device-0": "key-0" },
    now,
  );
  return harness;
}

const shown = ({ server }: EngineHarness) =>
  server.calls.map(({ path, body }) => [path, Object(body).pending, Object(body).deviceKey]);

describe("S46, S10: the key", () => {
  it("goes along with every report of the queue", async () => {
    const harness = await keyedDevice();
    await harness.scan("alone");
    await harness.run();
    const { id: targetId, seq: targetSeq } = await harness.scan("one");
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.operate({ kind: "reset", area: areaOne });
    await harness.operate({ kind: "finish", area: { ...areaOne, pass: 2 }, declaredTotal: 0 });
    await harness.run();
    expect(shown(harness)).toEqual([
      ["/api/scan", undefined, undefined],
      ["/api/scan/batch", 3, "key-1"],
      ["/api/undo", 2, "key-1"],
      ["/api/area/reset", 1, "key-1"],
      ["/api/area/finish", 0, "key-1"],
    ]);
  });

  it("goes along with every undo, of the id that its scan was made under, and with no other row that tells nothing", async () => {
    const harness = await keyedDevice();
    const { id: targetId, seq: targetSeq } = await harness.scan("one");
    await harness.run();
    const before = await harness.scan("rescued");
    await harness.run();
    await harness.database.put("pendingScans", {
      ...(await harness.scanRow(before.id)),
      deviceId: "device-0",
    });
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.run();
    await harness.operate({ kind: "undo", area: areaOne, targetId: before.id, targetSeq: before.seq });
    await harness.run();
    await harness.operate({ kind: "reset", area: areaOne });
    await harness.run();
    expect(shown(harness)).toEqual([
      ["/api/scan", undefined, undefined],
      ["/api/scan", undefined, undefined],
      ["/api/undo", undefined, "key-1"],
      ["/api/undo", undefined, "key-0"],
      ["/api/area/reset", undefined, undefined],
    ]);
  });

  it("is that of the id which the report is of, also by itself", async () => {
    const { database, server, run } = await keyedDevice();
    for (const deviceId of ["device-0", "device-2"])
      await beginReport(database, { ...ofOne, deviceId, pending: 3 }, 0);
    await run();
    expect(server.calls.map(({ body }) => [Object(body).deviceId, Object(body).deviceKey])).toEqual([
      ["device-0", "key-0"],
      ["device-2", undefined],
    ]);
  });

  it("makes the word of this page follow that of a page of an earlier release, which ends what is owed without one", async () => {
    const harness = await keyedDevice();
    await beginReport(harness.database, { ...ofOne, pending: 2 }, 0);
    const numbered = await readSetting(harness.database, settings.queueReports);
    const last = (numbered?.last ?? 0) + 1;
    await writeSetting(harness.database, settings.queueReports, { last, owed: [] }, now);
    expect(await owedReports(harness.database)).toMatchObject([ofOne]);
    await harness.run();
    expect(shown(harness)).toEqual([["/api/device-queue", 0, "key-1"]]);
    expect(Object(harness.server.calls[0]?.body).pendingOrder).toBeGreaterThan(last);
    expect(await owedReports(harness.database)).toEqual([]);
  });

  it("is owed for what a page of an earlier release has told, too", async () => {
    const harness = await keyedDevice();
    await writeSetting(
      harness.database,
      settings.queueReports,
      { last: 4, owed: [{ ...ofOne, since: 4 }] },
      now,
    );
    await harness.run();
    expect(shown(harness)).toEqual([["/api/device-queue", 0, "key-1"]]);
    expect(await owedReports(harness.database)).toEqual([]);
  });

  it("is in a saved queue for the ids of its rows, and for no others", async () => {
    const harness = await keyedDevice();
    harness.engine.setLogin(null);
    await harness.scan("one");
    const { text } = await exportQueue(harness.database, "device-1", harness.clock.now());
    expect(readQueueFile(text)?.deviceKeys).toEqual({ "device-1": "key-1" });
  });
});
