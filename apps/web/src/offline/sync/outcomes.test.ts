import { passOfNoCount } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { isCountedHere } from "../database/records.ts";
import { pruneOutbox, retrySetAside } from "../outbox/maintenance.ts";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";

describe("sync engine: sessions and logins", () => {
  const elsewhere = { ...areaOne, sessionId: "session-2", areaId: "area-9", areaCode: "B1" };

  it("S17: scans of a session that this login has no access to wait and do not block others", async () => {
    const harness = await createEngineHarness();
    await harness.scan("theirs", elsewhere);
    await harness.scan("mine");
    await harness.run();
    expect(harness.server.inputs()).toEqual(["mine"]);
    expect(await harness.unsettledInputs()).toEqual(["theirs"]);
  });

  it("S17: a clock that is set back blocks such a session no longer than five minutes", async () => {
    const harness = await createEngineHarness();
    await harness.scan("theirs", elsewhere);
    await harness.run();
    harness.server.reachable.add("session-2");
    harness.clock.setBy(-24 * 60 * 60 * 1000);
    await harness.run();
    expect(harness.server.inputs()).toEqual(["theirs"]);
  });

  it("S17: such a session is tried again after five minutes, and not before", async () => {
    const harness = await createEngineHarness();
    await harness.scan("theirs", elsewhere);
    await harness.run();
    harness.server.reachable.add("session-2");
    harness.clock.advance(5 * 60 * 1000 - 1);
    await harness.run();
    expect(harness.server.inputs()).toEqual([]);
    harness.clock.advance(1);
    await harness.run();
    expect(harness.server.inputs()).toEqual(["theirs"]);
  });

  it("S18: every scan names who scanned it, whichever login sends it", async () => {
    const harness = await createEngineHarness();
    await harness.scan("mine");
    await harness.scan("theirs", areaOne, "user-2");
    await harness.run();
    expect(harness.server.scans.map(({ payload }) => payload.scannedById)).toEqual(["user-1", "user-2"]);
  });

  it("S17, S18: another login with access to the session sends them and names who scanned", async () => {
    const harness = await createEngineHarness();
    await harness.scan("theirs", elsewhere);
    await harness.run();
    harness.server.reachable.add("session-2");
    harness.engine.setLogin("admin");
    await harness.engine.settled();
    expect(harness.server.scans[0]?.payload).toMatchObject({ input: "theirs", scannedById: "user-1" });
  });

  it("S18: after a logout in the middle of sending nothing more is sent", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    harness.server.chance = () => {
      harness.engine.setLogin(null);
      return null;
    };
    await harness.run();
    expect(harness.server.calls).toHaveLength(1);
    expect(await harness.database.getAll("pendingSubmissions")).toMatchObject([{ synced: false }]);
  });

  it("S18: logging out stops sending and keeps every row", async () => {
    const harness = await createEngineHarness();
    harness.engine.setLogin(null);
    await harness.scan("one");
    await harness.run();
    expect(harness.server.calls).toEqual([]);
    expect(await harness.unsettledInputs()).toEqual(["one"]);
    harness.engine.setLogin("user-1");
    await harness.engine.settled();
    expect(harness.server.inputs()).toEqual(["one"]);
  });
});

describe("what the outbox keeps", () => {
  it("S7: a row is sent in the pass it was made in", async () => {
    const harness = await createEngineHarness();
    harness.server.nextPass("A1", "AREA_RESET");
    const scan = await harness.scan("one");
    await harness.run();
    expect((await harness.scanRow(scan.id)).acknowledgement).toEqual({ status: "late", reason: "PASS_OVER" });
  });

  it("S27: acknowledged rows are deleted after fourteen days, unacknowledged ones never", async () => {
    const harness = await createEngineHarness();
    await harness.scan("sent");
    await harness.run();
    await harness.scan("unsent");
    const days = 24 * 60 * 60 * 1000;
    await pruneOutbox(harness.database, harness.clock.now() + 13.9 * days);
    expect(await harness.database.count("pendingScans")).toBe(2);
    await pruneOutbox(harness.database, harness.clock.now() + 400 * days);
    expect(await harness.unsettledInputs()).toEqual(["unsent"]);
    expect(await harness.database.count("pendingScans")).toBe(1);
  });

  it("S27: the days count by the server's clock, from when it acknowledged", async () => {
    const harness = await createEngineHarness();
    const days = 24 * 60 * 60 * 1000;
    await harness.scan("one");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    const now = harness.clock.now() + 20 * days;
    harness.measure(20 * days);
    await harness.run();
    await pruneOutbox(harness.database, now + 14 * days);
    expect(await harness.database.count("pendingScans")).toBe(1);
    expect(await harness.database.count("pendingSubmissions")).toBe(1);
  });

  it("S27: a scan whose undo is not acknowledged is kept, because the undo needs its number", async () => {
    const harness = await createEngineHarness();
    const scan = await harness.scan("one");
    await harness.run();
    await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
    await pruneOutbox(harness.database, harness.clock.now() + 400 * 24 * 60 * 60 * 1000);
    expect(await harness.database.count("pendingScans")).toBe(1);
  });

  it("S13: rows that were set aside can be put back, in their original position", async () => {
    const harness = await createEngineHarness();
    harness.server.missingAreas.add("A1");
    await harness.scan("one");
    await harness.run();
    harness.server.missingAreas.clear();
    await retrySetAside(harness.database);
    harness.reader.startOver();
    await harness.scan("two");
    await harness.run();
    expect(harness.server.inputs()).toEqual(["one", "two"]);
  });
});

describe("sync engine: the server's outcomes", () => {
  it("S22: a late outcome reverts the local success", async () => {
    const harness = await createEngineHarness();
    harness.server.closedAreas.add("A1");
    const scan = await harness.scan("one");
    await harness.run();
    const row = await harness.scanRow(scan.id);
    expect(row.acknowledgement).toEqual({ status: "late", reason: "AREA_CLOSED" });
    expect(isCountedHere(row)).toBe(false);
  });

  it("S22: a code that only the server recognises is counted", async () => {
    const harness = await createEngineHarness();
    harness.server.knownCodes.add("unknown-but-new");
    const scan = await harness.scan("unknown-but-new");
    await harness.run();
    expect(isCountedHere(await harness.scanRow(scan.id))).toBe(true);
  });

  it("S15: scans made offline after a reset move to the pass that the server returns", async () => {
    const harness = await createEngineHarness();
    await harness.operate({ kind: "reset", area: areaOne });
    const scan = await harness.scan("one", { ...areaOne, pass: 2 });
    const area = {
      ...{ _id: "area-1", code: "A1", name: "A1", locationId: "location-1", status: "not_started", pass: 7 },
      ...{ closedBy: null, closedAt: null, activity: null },
    };
    harness.server.faults.push({ kind: "answers", status: 200, body: { area, deletedScans: 0 } });
    await harness.run();
    expect((await harness.scanRow(scan.id)).pass).toBe(7);
    expect(harness.server.calls.at(-1)).toMatchObject({ body: { scans: [{ pass: 7 }] } });
  });

  it.each([
    ["the area is closed", "AREA_CLOSED", { pass: passOfNoCount, acknowledgement: { status: "late" } }],
    ["its code is in two places", "AREA_AMBIGUOUS", { pass: 1, acknowledgement: { status: "counted" } }],
  ])(
    "S15: after a reset that was refused as %s, the scans since then are stored",
    async (_why, code, stored) => {
      const harness = await createEngineHarness();
      harness.server.faults.push({ kind: "answers", status: 409, body: { error: "Refused.", code } });
      await harness.operate({ kind: "reset", area: areaOne });
      const scan = await harness.scan("one", { ...areaOne, pass: 2 });
      await harness.run();
      expect(await harness.scanRow(scan.id)).toMatchObject({ ...stored, synced: true });
    },
  );

  it.each(["reset", "undo", "finish"] as const)(
    "S13, S15: a 403 behind a changed address is no refusal of a %s: it is sent again, and what was scanned since waits behind it",
    async (kind) => {
      const harness = await createEngineHarness();
      const before = await harness.scan("before");
      await harness.run();
      const drafts = {
        reset: { kind: "reset", area: areaOne },
        undo: { kind: "undo", area: areaOne, targetId: before.id, targetSeq: before.seq },
        finish: { kind: "finish", area: areaOne, declaredTotal: 9 },
      } as const;
      await harness.operate(drafts[kind]);
      const pass = kind === "undo" ? 1 : 2;
      const scan = await harness.scan("since", { ...areaOne, pass });
      const body = { error: "This request came from another site and was refused.", code: "FORBIDDEN" };
      harness.server.faults.push({ kind: "answers", status: 403, body });
      await harness.run();
      expect(await harness.database.getAll("pendingSubmissions")).toMatchObject([
        { synced: false, refusal: null, retryCount: 1 },
      ]);
      expect(await harness.scanRow(scan.id)).toMatchObject({ pass, synced: false });
      harness.engine.retryNow();
      await harness.engine.settled();
      expect(await harness.scanRow(scan.id)).toMatchObject({
        ...{ pass, synced: true, acknowledgement: { status: "counted" } },
      });
    },
  );

  it("S15: after a reset that is refused because the area has reached that pass, the scans since then keep it", async () => {
    const harness = await createEngineHarness();
    harness.server.nextPass("A1", "AREA_RESET");
    await harness.operate({ kind: "reset", area: areaOne });
    const scan = await harness.scan("one", { ...areaOne, pass: 2 });
    await harness.run();
    expect(await harness.database.getAll("pendingSubmissions")).toMatchObject([
      { refusal: { code: "PASS_OVER" } },
    ]);
    const row = await harness.scanRow(scan.id);
    expect(row).toMatchObject({ pass: 2, synced: true, acknowledgement: { status: "counted" } });
  });

  it("S16: a scan can be undone offline whether the server has it already or not", async () => {
    const harness = await createEngineHarness();
    const sent = await harness.scan("sent");
    await harness.run();
    const unsent = await harness.scan("unsent");
    for (const { id: targetId, seq: targetSeq } of [unsent, sent]) {
      await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    }
    const here = [await harness.scanRow(sent.id), await harness.scanRow(unsent.id)];
    expect(here.map(isCountedHere)).toEqual([false, false]);
    await harness.run();
    expect(harness.server.scans.map(({ status }) => status)).toEqual(["voided", "voided"]);
  });

  it("S18, S22: scans sent after the session's end, with whichever login, are late and wait for an administrator", async () => {
    const harness = await createEngineHarness();
    const scan = await harness.scan("one");
    harness.engine.setLogin(null);
    harness.server.closedSessions.add("session-1");
    harness.engine.setLogin("somebody-else");
    await harness.engine.settled();
    const late = { status: "late", reason: "SESSION_CLOSED" };
    expect(harness.server.scans).toMatchObject([{ ...late, payload: { scannedById: "user-1" } }]);
    expect((await harness.scanRow(scan.id)).acknowledgement).toEqual(late);
  });

  it("S16: an undo that arrives after the area was closed leaves its scan counted", async () => {
    const harness = await createEngineHarness();
    const scan = await harness.scan("one");
    await harness.run();
    harness.server.closedAreas.add("A1");
    await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
    expect(isCountedHere(await harness.scanRow(scan.id))).toBe(false);
    await harness.run();
    expect(isCountedHere(await harness.scanRow(scan.id))).toBe(true);
  });

  it("S16: an undo that arrives after the session's end leaves its scan as the server has it", async () => {
    const harness = await createEngineHarness();
    const scan = await harness.scan("one");
    await harness.run();
    harness.server.closedSessions.add("session-1");
    await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
    await harness.run();
    expect(isCountedHere(await harness.scanRow(scan.id))).toBe(true);
    expect(harness.server.total("A1")).toBe(1);
  });

  it("S16: the undo of a scan that the server refused is not sent", async () => {
    const harness = await createEngineHarness();
    harness.server.missingAreas.add("A1");
    const scan = await harness.scan("one");
    await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
    await harness.run();
    expect(harness.server.calls.map((call) => call.path)).not.toContain("/api/undo");
    expect(harness.events.at(-1)).toEqual({ type: "drained" });
  });
});
