import { describe, expect, it } from "vitest";
import { readSetting, settings } from "../database/settings.ts";
import { retrySetAside } from "../outbox/maintenance.ts";
import { owedReports } from "../outbox/queue-reports.ts";
import { readSetAside } from "../outbox/read.ts";
import { hear, restore, sendAll } from "../testing/after-restore.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";

async function readHeld({ database }: EngineHarness): Promise<string[]> {
  return (await readSetAside(database)).scans.map(({ input }) => input);
}

describe("after a restore of the server", () => {
  it("S30: what it had acknowledged since the backup is sent again, in order and once", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await sendAll(harness, "one", "two");
    await restore(harness, bringBack);
    expect(harness.server.inputs()).toEqual([]);
    await hear(harness);
    expect(harness.server.inputs()).toEqual(["one", "two", "next"]);
    expect(await harness.unsettledInputs()).toEqual([]);
    expect(await readSetting(harness.database, settings.restored)).toMatchObject({ rows: 2 });
  });

  it("S30: what the backup had already is not counted twice, and a second restore is noticed too", async () => {
    const harness = await createEngineHarness();
    const empty = harness.server.backup();
    await sendAll(harness, "one");
    const full = harness.server.backup();
    await sendAll(harness, "two");
    await restore(harness, full);
    await hear(harness);
    await restore(harness, empty);
    await hear(harness);
    expect(harness.server.inputs()).toEqual(["one", "two", "next", "next"]);
  });

  it("S30: an undo is made again, and a scan that was undone does not come back", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    const { id: targetId, seq: targetSeq } = await harness.scan("undone");
    await harness.run();
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.run();
    await restore(harness, bringBack);
    await hear(harness);
    expect(harness.server.scans.map(({ payload, status }) => [payload.input, status])).toEqual([
      ["undone", "voided"],
      ["next", "counted"],
    ]);
  });

  it("S30: an undo that came after the session's end is made again where the session counts on", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    const { id: targetId, seq: targetSeq } = await harness.scan("undone");
    await harness.run();
    harness.server.closedSessions.add(areaOne.sessionId);
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.run();
    expect(await harness.database.get("pendingScans", targetId)).toMatchObject({ undone: false });
    await restore(harness, bringBack);
    await hear(harness);
    expect(harness.server.scans.map(({ payload, status }) => [payload.input, status])).toEqual([
      ["undone", "voided"],
      ["next", "counted"],
    ]);
    expect(await harness.database.get("pendingScans", targetId)).toMatchObject({ undone: true });
  });

  it("S30: an undo that was refused twice is made again where a second restore counts its scan", async () => {
    const harness = await createEngineHarness();
    harness.server.backup();
    const { id: targetId, seq: targetSeq } = await harness.scan("undone");
    await harness.run();
    const early = harness.server.backup();
    harness.server.nextPass("A1", "AREA_RESET");
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.run();
    await restore(harness, harness.server.backup());
    await hear(harness, { ...areaOne, pass: 2 });
    await restore(harness, early);
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    expect(harness.server.scans[0]).toMatchObject({ payload: { input: "undone" }, status: "voided" });
  });

  it("S30: an undo that came after the session's end is refused again where the session is over", async () => {
    const harness = await createEngineHarness();
    const { id: targetId, seq: targetSeq } = await harness.scan("undone");
    await harness.run();
    harness.server.closedSessions.add(areaOne.sessionId);
    const bringBack = harness.server.backup();
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.run();
    await restore(harness, bringBack);
    await hear(harness);
    expect(harness.server.scans[0]).toMatchObject({ status: "counted" });
    expect(await harness.database.get("pendingScans", targetId)).toMatchObject({ undone: false });
  });

  it("S30: a late response of the server before it acknowledges nothing", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await sendAll(harness, "one");
    const { send } = harness.server;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    harness.hold(async (call) => {
      const response = await send(call);
      await held;
      return response;
    });
    await harness.scan("two");
    const running = harness.run();
    await harness.sent("two");
    await restore(harness, bringBack);
    harness.hold(null);
    await harness.openSecondTab().engine.settled();
    release();
    await running;
    await hear(harness);
    expect([...harness.server.inputs()].sort()).toEqual(["next", "one", "two"]);
  });

  it("S30: a proxy's page while the server is away is no word of it: a row that waited is sent after those before it", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await sendAll(harness, "one", "two");
    harness.hold(async () => ({ kind: "answer", status: 502, body: null, retryAfterMs: null, epoch: null }));
    harness.clock.advance(60_000);
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 2 });
    await harness.run();
    bringBack();
    harness.hold(null);
    for (let wait = harness.clock.nextIn(); wait !== null; wait = harness.clock.nextIn()) {
      harness.clock.advance(wait);
      await harness.engine.settled();
    }
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    expect(harness.server.inputs()).toEqual(["one", "two", "next"]);
    expect([...harness.server.closedAreas]).toEqual(["A1"]);
  });

  it("S30: rows of a session that the backup does not have wait, and hold up no others", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    harness.server.reachable.add("session-2");
    await harness.scan("gone", { ...areaOne, sessionId: "session-2" });
    await sendAll(harness, "one");
    await restore(harness, () => {
      bringBack();
      harness.server.reachable.delete("session-2");
    });
    await hear(harness);
    expect(harness.server.inputs()).toEqual(["one", "next"]);
    expect(await harness.unsettledInputs()).toEqual(["gone"]);
  });

  it("S10, S30: what the restored server refuses for good is told as held, until it is taken after all", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await sendAll(harness, "one", "two");
    await harness.scan("of a new area", { ...areaOne, areaId: "area-2", areaCode: "A2" });
    await harness.run();
    const told = () =>
      harness.server.calls.map(({ body }) => Object(body).pending).filter((pending) => pending !== undefined);
    await restore(harness, bringBack);
    const before = told().length;
    harness.server.missingAreas.add("A2");
    await hear(harness);
    expect(await readHeld(harness)).toEqual(["of a new area"]);
    expect(told().slice(before)).not.toContain(0);
    expect(told().at(-1)).toBe(1);
    // A scan after that says how many remain by itself.
    await hear(harness);
    expect(harness.server.calls.filter(({ path }) => path === "/api/device-queue")).toHaveLength(1);
    harness.server.missingAreas.clear();
    await retrySetAside(harness.database);
    harness.reader.startOver();
    await harness.run();
    expect(harness.server.inputs()).toContain("of a new area");
    expect(told().at(-1)).toBe(0);
    expect(await owedReports(harness.database)).toEqual([]);
  });

  it("S18, S30: a scan of a person whom the backup does not hold is sent in the name of who is signed in", async () => {
    const harness = await createEngineHarness();
    harness.server.unknownUsers.add("user-1");
    await sendAll(harness, "one");
    expect(harness.server.scans.map(({ payload }) => payload.scannedById)).toEqual([undefined]);
    expect(await harness.unsettledInputs()).toEqual([]);
  });
});
