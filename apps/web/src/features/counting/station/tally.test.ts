import type { Area, AreaScan } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { isSetAside } from "../../../offline/database/records.ts";
import type { OperationRecord, PendingOperation, PendingScan } from "../../../offline/offline.ts";
import { createEngineHarness } from "../../../offline/testing/engine-harness.ts";
import { messages } from "../messages.ts";
import { mismatchTexts } from "../mismatch.ts";
import { isPassChanging, isRecountNeeded, notesOf, recountSentence } from "../opening/area-notes.ts";
import { initialStation, itemsScanned, stationReducer } from "./station-state.ts";
import { applyRow, rebuildTally, rebuildUnknown, recentScans } from "./tally.ts";

const row = {
  ...{ sessionId: "s", storeId: "st", locationId: "l", areaId: "a", areaCode: "A1", deviceId: "d", pass: 1 },
  ...{
    createdAt: "2026-03-01T08:00:00.000Z",
    retryCount: 0,
    syncedAt: null,
    lastRetryAt: null,
    refusal: null,
  },
};

function scan(id: number, more: Partial<PendingScan> = {}): PendingScan {
  return {
    ...row,
    ...{ id, seq: id, order: id, opId: `op-${id}`, synced: false, input: `code-${id}`, inputType: "barcode" },
    ...{ method: "scan", scannedAt: row.createdAt, timestamp: 0, scannedById: "u", localOutcome: "counted" },
    ...{
      sku: `SKU-${id}`,
      productTitle: `Title ${id}`,
      size: null,
      undone: false,
      acknowledgement: null,
      renumbered: 0,
    },
    ...more,
  };
}

function undo(targetSeq: number, more: Partial<PendingOperation> = {}): PendingOperation {
  const operation = { ...row, id: 90, order: 90, opId: "op-90", synced: false, answer: null, ...more };
  return { ...operation, kind: "undo", targetId: null, targetSeq };
}

function served(seq: number): AreaScan {
  return {
    ...{ _id: String(seq), sku: `SKU-${seq}`, productTitle: `Title ${seq}`, size: null, deviceId: "d", seq },
    ...{ method: "scan", scannedAt: row.createdAt, username: "Mia" },
  };
}

const sequences = (...given: Parameters<typeof rebuildTally>) =>
  rebuildTally(...given).map((entry) => entry.seq);
const nobody = new Set<number>();

describe("the tally", () => {
  it("S25: without the server it is this device's counted rows", () => {
    const scans = [scan(1), scan(2, { undone: true }), scan(3, { localOutcome: "unresolved" }), scan(4)];
    expect(sequences({ scans, operations: [], server: null, settledBefore: nobody })).toEqual([1, 4]);
  });

  it("counts units: a row's own number, the server's for a scan without a row, and one where none is named", () => {
    const known = { scans: [scan(1, { quantity: 48 }), scan(2)], operations: [], settledBefore: nobody };
    const tally = rebuildTally({ ...known, server: [served(1), { ...served(7), quantity: 12 }] });
    expect(tally.map(({ quantity }) => quantity)).toEqual([48, 1, 12]);
    const elsewhere = {
      accepted: 3,
      acceptedHere: 0,
      othersCounted: false,
      counted: 3,
      unknown: 0,
      devices: [],
      sharedWith: [],
    };
    expect(itemsScanned({ tally, elsewhere })).toBe(64);
  });

  it("S25: with the server, its list and what it has not heard of yet", () => {
    const scans = [scan(2, { synced: true }), scan(3)];
    const server = [served(1), served(2)];
    expect(sequences({ scans, operations: [], server, settledBefore: new Set([2]) })).toEqual([1, 2, 3]);
  });

  it("S25: what the server no longer counts is not counted here", () => {
    const acknowledgement = { status: "counted", reason: null } as const;
    const scans = [scan(1, { synced: true, acknowledgement })];
    expect(sequences({ scans, operations: [], server: [], settledBefore: new Set([1]) })).toEqual([]);
  });

  it("S25: what was acknowledged while the server was being asked stays counted", () => {
    const acknowledgement = { status: "counted", reason: null } as const;
    const scans = [scan(1, { synced: true, acknowledgement })];
    expect(sequences({ scans, operations: [], server: [], settledBefore: nobody })).toEqual([1]);
  });

  it("S16: an undo that has not reached the server takes its scan out of the server's list", () => {
    const server = [served(1), served(2)];
    expect(sequences({ scans: [], operations: [undo(2)], server, settledBefore: nobody })).toEqual([1]);
    const refusal = { httpStatus: 409, code: "AREA_CLOSED", error: "Closed." };
    const refused = [undo(2, { refusal })];
    expect(sequences({ scans: [], operations: refused, server, settledBefore: nobody })).toEqual([1, 2]);
  });

  it("S16: an undo of a row that is here hides no other scan that has its old number by now", () => {
    const undone = scan(7, { undone: true });
    const operations = [{ ...undo(2), kind: "undo", targetId: undone.id, targetSeq: 2 } as const];
    const server = [served(1), served(2)];
    expect(sequences({ scans: [undone], operations, server, settledBefore: nobody })).toEqual([1, 2]);
  });

  it("S22: a row is in it once while it is counted, and not at all once it is not", () => {
    const first = applyRow([], scan(1));
    expect(applyRow(first, scan(1))).toBe(first);
    expect(applyRow(first, scan(9, { id: 1 }))).toMatchObject([{ id: 1, seq: 9 }]);
    const acknowledgement = { status: "late", reason: "AREA_CLOSED" } as const;
    expect(applyRow(first, scan(1, { synced: true, acknowledgement }))).toEqual([]);
  });

  it("S25: a scan that an administrator accepted is counted here, with the product that it was accepted as", () => {
    const acknowledgement = { status: "unresolved", reason: "UNKNOWN_CODE" } as const;
    const product = { sku: null, productTitle: null, size: null };
    const scans = [scan(1, { synced: true, localOutcome: "unresolved", acknowledgement, ...product })];
    const known = { scans, operations: [], settledBefore: new Set([1]) };
    expect(rebuildTally({ ...known, server: [served(1)] })).toMatchObject([
      { id: 1, sku: "SKU-1", isUnknown: false },
    ]);
    expect(rebuildUnknown({ ...known, server: [] })).toEqual([]);
    expect(rebuildUnknown({ ...known, server: null })).toMatchObject([{ id: 1, isUnknown: true }]);
  });

  it("a scan that the server counted after all is listed where it was scanned", () => {
    const tally = applyRow(applyRow([], scan(1)), scan(3));
    expect(applyRow(tally, scan(2)).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("returns the last five for the screen, the newest first", () => {
    const scans = Array.from({ length: 8 }, (_none, index) => scan(index + 1));
    const tally = rebuildTally({ scans, operations: [], server: null, settledBefore: nobody });
    expect(recentScans(tally).map((entry) => entry.seq)).toEqual([8, 7, 6, 5, 4]);
  });
});

describe("the station", () => {
  it("S16: an acknowledgement that was under way does not bring an undone scan back", () => {
    const notice = { kind: "success", text: "Counted" } as const;
    const scanned = stationReducer(initialStation({ pass: 1 }, false), {
      type: "scanned",
      scan: scan(1),
      notice,
    });
    const [entry] = scanned.tally;
    if (entry === undefined) throw new Error("The scan is not in the tally.");
    const undone = stationReducer(scanned, { type: "undone", entry, notice });
    const acknowledgement = { status: "counted", reason: null } as const;
    const late = scan(1, { synced: true, acknowledgement });
    expect(stationReducer(undone, { type: "row_changed", scan: late, notice: null }).tally).toEqual([]);
    const refused = stationReducer(undone, { type: "undo_refused", id: 1 });
    expect(stationReducer(refused, { type: "row_changed", scan: late, notice: null }).tally).toHaveLength(1);
  });
});

describe("this device's notes on an area", () => {
  const base = { ...row, opId: "op", synced: true, answer: null };
  const finish = (order: number, matched: boolean): OperationRecord & { kind: "finish" } => ({
    ...{ ...base, order, kind: "finish", declaredTotal: 9 },
    answer: { kind: "finish", matched, serverTotal: 7 },
  });

  it("S26: a mismatched finish leaves Recount needed and a later pass, until one matches", () => {
    expect(notesOf([finish(1, false)], "s").get("a")).toEqual({
      isFinishWaiting: false,
      mismatch: { declared: 9, counted: 7, isTogether: false },
      isCountChanged: false,
      knownPass: 2,
    });
    expect(notesOf([finish(2, true), finish(1, false)], "s").get("a")).toMatchObject({ mismatch: null });
  });

  it("S37: a total of one's own that is kept leaves nothing to count again", () => {
    const kept = { kind: "finish", matched: false, serverTotal: 0, waitingFor: ["Tom"] } as const;
    const own = { ...finish(1, false), ownOf: "ada", answer: kept };
    expect(notesOf([own], "s").get("a")).toMatchObject({
      mismatch: null,
      isFinishWaiting: false,
      knownPass: 0,
    });
  });

  it("S37: own totals that did not match are read together; what an older server left out is not made up", () => {
    const sentence = (together?: { declared: number; people: number }) => {
      const answer = {
        kind: "finish",
        matched: false,
        serverTotal: 23,
        ...(together && { together }),
      } as const;
      const note = notesOf([{ ...finish(1, false), ownOf: "ada", answer }], "s").get("a");
      return note?.mismatch && mismatchTexts.short(note.mismatch);
    };
    expect(sentence({ declared: 24, people: 2 })).toBe(
      "Recount from 0: together you declared 24 but scanned 23.",
    );
    expect(sentence({ declared: 9, people: 1 })).toBe("Recount from 0: you declared 9 but scanned 23.");
    expect(sentence()).toBe("Recount from 0: your totals together are not what was scanned.");
  });

  it("S26: the server has for every device's finish whether a recount is needed; the own note counts before it", () => {
    const noted = {
      ...{ isFinishWaiting: false, mismatch: { declared: 9, counted: 7, isTogether: false } },
      ...{ isCountChanged: false, knownPass: 2 },
    };
    const area: Area = {
      ...{ _id: "a", code: "A1", name: "A1", locationId: "l", status: "in_progress", pass: 2 },
      ...{ closedBy: null, closedAt: null, activity: null },
    };
    expect(isRecountNeeded({ ...area, recountNeeded: true }, undefined)).toBe(true);
    expect(isRecountNeeded({ ...area, recountNeeded: false }, noted)).toBe(false);
    expect(isRecountNeeded({ ...area, pass: 1, recountNeeded: false }, noted)).toBe(true);
    expect(isRecountNeeded(area, noted)).toBe(true);
    expect(isRecountNeeded({ ...area, status: "closed", recountNeeded: false }, noted)).toBe(false);
    expect(recountSentence(area, noted)).toBe(
      `You declared 9 but scanned 7. Count the area again from zero. ${messages.scansKept}`,
    );
    const ofOthers = `The declared total did not match. Count the area again from zero. ${messages.scansKept}`;
    expect(recountSentence({ ...area, recountNeeded: true }, undefined)).toBe(ofOthers);
    expect(recountSentence({ ...area, pass: 3, recountNeeded: true }, noted)).toBe(ofOthers);
    expect(recountSentence({ ...area, recountNeeded: false }, noted)).toBeNull();
  });

  it("S26: a finish that the count had changed before is declared again, until it is or the area is reset", () => {
    const refusal = { httpStatus: 409, code: "COUNT_CHANGED", error: "Changed." };
    const refused: OperationRecord = {
      ...{ ...base, synced: false, order: 1, kind: "finish", declaredTotal: 9 },
      refusal,
    };
    const noteAfter = (...operations: OperationRecord[]) => notesOf(operations, "s").get("a");
    expect(noteAfter(refused)).toMatchObject({
      isFinishWaiting: false,
      isCountChanged: true,
      mismatch: null,
    });
    expect(noteAfter(refused, finish(2, true))).toMatchObject({ isCountChanged: false });
    const reset = { ...base, order: 2, kind: "reset", expectedPass: 2 } as const;
    expect(noteAfter(refused, reset)).toMatchObject({ isCountChanged: false });
    expect(isSetAside(refused)).toBe(false);
  });

  it("S15: a reset that waits or was answered names the pass to count in", () => {
    const reset = { ...base, order: 1, kind: "reset", expectedPass: 2 } as const;
    expect(notesOf([{ ...reset, synced: false }], "s").get("a")?.knownPass).toBe(2);
    const answer = { kind: "reset", pass: 5, deletedScans: 0 } as const;
    expect(notesOf([{ ...reset, answer }], "s").get("a")?.knownPass).toBe(5);
  });

  it("S15: while a reset or finish of its own is under way, a new pass is no surprise", async () => {
    const harness = await createEngineHarness();
    const area = {
      sessionId: "session-1",
      storeId: "st",
      locationId: "l",
      areaId: "a",
      areaCode: "A1",
      pass: 1,
    };
    await harness.operate({ kind: "reset", area });
    expect(await isPassChanging(harness.database, "session-1", "a")).toBe(true);
    await harness.run();
    expect(await isPassChanging(harness.database, "session-1", "a")).toBe(false);
  });
});
