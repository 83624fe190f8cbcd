import { describe, expect, it } from "vitest";
import { settings, writeSetting } from "../database/settings.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { beginReport, endReport, owedReports } from "./queue-reports.ts";
import { rescue } from "./rescue.ts";
import { adoptEpoch } from "./server-epoch.ts";

/** What the server was told with each call: how many rows remain, nothing where it was told none. */
const told = ({ server }: EngineHarness) =>
  server.calls.map(({ path, body }) => [path, Object(body).pending]);

const ofOne = { sessionId: "session-1", deviceId: "device-1" };
const ofTwo = { ...ofOne, sessionId: "session-2" };

/** The sessions of which something is owed. */
const owedOf = async ({ database }: Pick<EngineHarness, "database">) =>
  (await owedReports(database)).map(({ sessionId }) => sessionId);

const orders = ({ server }: EngineHarness) => server.calls.map(({ body }) => Object(body).pendingOrder);

describe("S10: how many rows remain on the device", () => {
  it("counts undos, resets and finishes with the scans, and is zero with the last of them", async () => {
    const harness = await createEngineHarness();
    const { id: targetId, seq: targetSeq } = await harness.scan("one");
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.operate({ kind: "reset", area: areaOne });
    await harness.scan("two", { ...areaOne, pass: 2 });
    await harness.operate({ kind: "finish", area: { ...areaOne, pass: 2 }, declaredTotal: 1 });
    await harness.run();
    expect(told(harness)).toEqual([
      ["/api/scan/batch", 4],
      ["/api/undo", 3],
      ["/api/area/reset", 2],
      ["/api/scan/batch", 1],
      ["/api/area/finish", 0],
    ]);
    const reset = harness.server.calls.find(({ path }) => path === "/api/area/reset");
    expect(reset?.body).toMatchObject({ deviceId: "device-1" });
  });

  it("is of the session alone", async () => {
    const harness = await createEngineHarness();
    harness.server.reachable.add("session-2");
    await harness.scan("one");
    await harness.operate({ kind: "reset", area: { ...areaOne, sessionId: "session-2" } });
    await harness.run();
    expect(told(harness)).toEqual([
      ["/api/scan", undefined],
      ["/api/area/reset", undefined],
    ]);
  });

  it("is told by an operation that the server refuses too", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    harness.server.chance = ({ path }) => {
      if (path === "/api/area/finish") harness.server.closedAreas.add("A1");
      return null;
    };
    await harness.run();
    expect(told(harness).map(([, pending]) => pending)).toEqual([1, 0]);
    expect(await owedOf(harness)).toEqual([]);
  });

  it("is told again after an answer that was lost", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    const faults = [null, { kind: "answer_lost" } as const];
    harness.server.chance = () => faults.shift() ?? null;
    await harness.run();
    harness.engine.retryNow();
    await harness.engine.settled();
    expect(told(harness).map(([, pending]) => pending)).toEqual([1, 0, 0]);
    const [first, second, third] = orders(harness);
    expect([second > first, third > second]).toEqual([true, true]);
  });
});

/** Two scans, of which the server refuses the second, and the undo of that, which is then not sent. */
async function endWithoutCall(harness: EngineHarness): Promise<void> {
  await harness.scan("one");
  const { id: targetId, seq: targetSeq } = await harness.scan("two", { ...areaOne, areaCode: "A9" });
  await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
  harness.server.missingAreas.add("A9");
}

describe("S10: a queue whose last row is not sent", () => {
  it("is told to be empty by itself, and once", async () => {
    const harness = await createEngineHarness();
    await endWithoutCall(harness);
    await harness.run();
    expect(harness.server.calls.map(({ path }) => path)).toEqual([
      "/api/scan/batch",
      "/api/session",
      "/api/device-queue",
    ]);
    const told = { ...ofOne, pending: 0, pendingOrder: expect.any(Number) };
    expect(harness.server.calls.at(-1)?.body).toEqual(told);
    expect(harness.server.total("A1")).toBe(1);
    await harness.run();
    expect(harness.server.calls).toHaveLength(3);
  });

  it("is told so after the wait where nobody answered, though everything is sent", async () => {
    const harness = await createEngineHarness();
    await endWithoutCall(harness);
    const faults = [null, null, { kind: "request_lost" } as const];
    harness.server.chance = () => faults.shift() ?? null;
    await harness.run();
    expect(harness.events.at(-1)).toMatchObject({ type: "drained" });
    expect(await owedOf(harness)).toEqual(["session-1"]);
    harness.clock.advance(1_000);
    await harness.engine.settled();
    expect(await owedOf(harness)).toEqual([]);
  });

  it("is told so no sooner than a busy server asks for", async () => {
    const harness = await createEngineHarness();
    await endWithoutCall(harness);
    harness.server.chance = ({ path }) =>
      path === "/api/device-queue" && harness.clock.now() < Date.parse("2026-03-01T08:00:20.000Z")
        ? { kind: "answers", status: 429, body: null, retryAfterMs: 20_000 }
        : null;
    await harness.run();
    harness.clock.advance(19_000);
    await harness.run();
    expect(harness.server.calls).toHaveLength(3);
    harness.clock.advance(1_000);
    await harness.engine.settled();
    expect(harness.server.calls).toHaveLength(4);
    expect(await owedOf(harness)).toEqual([]);
  });

  it("is told so where this device keeps nothing that the server has", async () => {
    const harness = await createEngineHarness();
    await endWithoutCall(harness);
    harness.server.missingAreas.add("A1");
    await harness.run();
    expect(told(harness).at(-1)).toEqual(["/api/device-queue", 0]);
    expect(await owedOf(harness)).toEqual([]);
  });

  it("stays owed to a server of an earlier release, which has no such call", async () => {
    const harness = await createEngineHarness();
    await endWithoutCall(harness);
    harness.server.chance = ({ path }) =>
      path === "/api/device-queue"
        ? { kind: "answers", status: 404, body: { error: "No such call.", code: "NOT_FOUND" } }
        : null;
    await harness.run();
    expect(harness.events.at(-1)).toMatchObject({ type: "drained" });
    expect(await owedOf(harness)).toEqual(["session-1"]);
    await harness.scan("three");
    await harness.run();
    expect(told(harness).at(-1)).toEqual(["/api/scan/batch", 0]);
    expect(await owedOf(harness)).toEqual([]);
  });

  it("waits where this login has no access to the session", async () => {
    const harness = await createEngineHarness();
    await beginReport(harness.database, { ...ofTwo, pending: 2 }, 0);
    await harness.run();
    expect(await owedOf(harness)).toEqual(["session-2"]);
    harness.server.reachable.add("session-2");
    harness.engine.setLogin("user-2");
    await harness.engine.settled();
    expect(await owedOf(harness)).toEqual([]);
    harness.server.reachable.delete("session-2");
    await harness.scan("theirs", { ...areaOne, sessionId: "session-2" });
    await beginReport(harness.database, { ...ofTwo, pending: 2 }, 0);
    await harness.run();
    expect(await owedOf(harness)).toEqual(["session-2"]);
  });
});

describe("S10: reports", () => {
  it("go on with larger numbers in storage that was lost, and with a clock that was set back", async () => {
    const numbers: number[] = [];
    for (const database of [(await createEngineHarness()).database, (await createEngineHarness()).database]) {
      for (const now of [5_000, 4_000]) {
        const later = now + numbers.length;
        const report = await beginReport(database, { ...ofOne, pending: 1 }, later);
        numbers.push(report?.pendingOrder ?? 0);
      }
    }
    expect(numbers).toEqual([5_000, 5_001, 5_002, 5_003]);
  });

  it("are owed of a server that was restored, and of storage that was rescued", async () => {
    const { database, scan, run, server } = await createEngineHarness();
    server.epoch = "epoch-1";
    await writeSetting(database, settings.serverEpoch, "epoch-1", "2026-03-01T08:00:00.000Z");
    await scan("one");
    await run();
    expect(await owedOf({ database })).toEqual([]);
    await adoptEpoch(database, "epoch-2", "2026-03-01T09:00:00.000Z");
    expect(await owedOf({ database })).toEqual(["session-1"]);
    const kept = {
      deviceId: "device-1",
      ...{ deviceKeys: {}, sequence: 1, lastReport: 0, lastAnswer: 0 },
      operations: [],
      scans: await database.getAll("pendingScans"),
    };
    expect(server.calls).toHaveLength(1);
    const emptied = await openFreshDatabase();
    await rescue(
      emptied,
      { ...kept, scans: kept.scans.map((row) => ({ ...row, id: row.id ?? 0 })) },
      "2026-03-01T09:00:00.000Z",
    );
    expect(await owedOf({ database: emptied })).toEqual(["session-1"]);
  });

  it("are of each device id by itself, where rows were rescued under another one", async () => {
    const harness = await createEngineHarness();
    const { id } = await harness.scan("rescued");
    const row = await harness.scanRow(id);
    await harness.database.put("pendingScans", { ...row, deviceId: "device-0" });
    await harness.scan("one");
    await harness.operate({ kind: "undo", area: areaOne, targetId: id, targetSeq: 1 });
    await beginReport(harness.database, { ...ofOne, deviceId: "device-0", pending: 3 }, 0);
    await harness.run();
    const tellings = harness.server.calls.map(({ path, body }) => {
      const { scans, deviceId = scans?.[0]?.deviceId, pending } = Object(body);
      return [path, deviceId, pending];
    });
    expect(tellings).toEqual([
      ["/api/scan/batch", "device-0", 0],
      ["/api/scan/batch", "device-1", 1],
      ["/api/undo", "device-0", undefined],
      ["/api/device-queue", "device-1", 0],
    ]);
    expect(await owedReports(harness.database)).toEqual([]);
  });

  it("of another tab that came later are not ended by an earlier one", async () => {
    const { database } = await createEngineHarness();
    await beginReport(database, { ...ofOne, pending: 1 }, 0);
    const zero = await beginReport(database, { ...ofOne, pending: 0 }, 0);
    await beginReport(database, { ...ofOne, pending: 2 }, 0);
    if (zero !== null) await endReport(database, ofOne, zero, 0);
    expect(await owedOf({ database })).toEqual(["session-1"]);
  });

  it("of another tab that tells the same is not waited for", async () => {
    const { database } = await createEngineHarness();
    await beginReport(database, { ...ofOne, pending: 1 }, 0);
    const zero = await beginReport(database, { ...ofOne, pending: 0 }, 0);
    await beginReport(database, { ...ofOne, pending: 0 }, 0);
    if (zero !== null) await endReport(database, ofOne, zero, 0);
    expect(await owedOf({ database })).toEqual([]);
  });

  it("that an earlier release owes are owed still", async () => {
    const { database } = await createEngineHarness();
    const updatedAt = "2026-03-01T08:00:00.000Z";
    await writeSetting(database, settings.reportedPending, { "session-1": 7 }, updatedAt);
    await writeSetting(database, settings.deviceId, "device-1", updatedAt);
    const report = await beginReport(database, { ...ofOne, pending: 0 }, 0);
    expect(report).toMatchObject({ pending: 0 });
    if (report !== null) await endReport(database, ofOne, report, 0);
    expect(await owedOf({ database })).toEqual([]);
    expect(await beginReport(database, { ...ofOne, pending: 0 }, 0)).toBeNull();
  });
});
