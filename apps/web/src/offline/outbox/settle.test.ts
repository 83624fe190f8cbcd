import { passOfNoCount } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { isUndoRefused, type PendingOperation } from "../database/records.ts";
import { settings, writeSetting } from "../database/settings.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { type OperationOutcome, type ScanOutcome, settleOperation, settleScans } from "./settle.ts";

const now = "2026-03-01T08:00:00.000Z";
const refusal = { httpStatus: 409, code: "AREA_CLOSED", error: "The area is closed." };
const later = { httpStatus: 403, code: "FORBIDDEN", error: "Not now." };
const counted = { status: "counted", reason: null } as const;
const found = { sku: "SKU-1", productTitle: "Shirt", size: "M" };
const unknown = { sku: null, productTitle: null, size: null };

function acknowledged(id: number, seq: number, product: typeof found | typeof unknown = found): ScanOutcome {
  return { kind: "acknowledged", id, seq, acknowledgement: counted, product };
}

async function lastNumber({ database }: EngineHarness) {
  return (await database.get("settings", "sequence"))?.value;
}

describe("S11 to S14: what becomes of a scan", () => {
  it("is what the server said, with the product that it found, else the one that the device showed", async () => {
    const harness = await createEngineHarness();
    const rows = [await harness.scan("one"), await harness.scan("two")];
    const settled = await settleScans(
      harness.database,
      [acknowledged(1, 1), acknowledged(2, 9, unknown)],
      now,
    );
    const as = { synced: true, syncedAt: now, refusal: null, acknowledgement: counted, isResent: false };
    expect(settled).toEqual([
      { ...rows[0], ...as, ...found, seq: 1 },
      { ...rows[1], ...as, seq: 9 },
    ]);
    expect([await harness.scanRow(1), await harness.scanRow(2)]).toEqual(settled);
    expect(await lastNumber(harness)).toBe(9);
  });

  it("is a refusal, a failed attempt or another number, each noted on the row alone", async () => {
    const harness = await createEngineHarness();
    const [one, two, three, four] = [
      await harness.scan("one"),
      await harness.scan("two"),
      await harness.scan("three"),
      await harness.scan("four"),
    ];
    const settled = await settleScans(
      harness.database,
      [
        { kind: "refused", id: 1, refusal },
        { kind: "failed", id: 2 },
        { kind: "conflict", id: 3, nextSeq: 3 },
        { kind: "unknown_scanner", id: 4 },
        { kind: "failed", id: 99 },
      ],
      now,
    );
    expect(settled).toEqual([
      { ...one, refusal },
      { ...two, retryCount: 1, lastRetryAt: now },
      { ...three, seq: 5, renumbered: 1 },
      { ...four, isScannerUnknown: true },
    ]);
    expect(await lastNumber(harness)).toBe(5);
  });

  it("is never what came after an acknowledgement, and after a refusal only an acknowledgement", async () => {
    const harness = await createEngineHarness();
    for (const input of ["one", "two", "three"]) await harness.scan(input);
    await settleScans(harness.database, [acknowledged(1, 1), { kind: "refused", id: 2, refusal }], now);
    const again = [
      { kind: "refused", id: 1, refusal },
      { kind: "failed", id: 2 },
    ] as const;
    expect(await settleScans(harness.database, again, now)).toEqual([]);
    expect(await settleScans(harness.database, [acknowledged(1, 8)], now)).toEqual([]);
    expect(await lastNumber(harness)).toBe(3);
    expect(await settleScans(harness.database, [acknowledged(2, 2)], now)).toMatchObject([
      { synced: true, refusal: null },
    ]);
  });

  it("is not what a server of another life says", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await writeSetting(harness.database, settings.serverEpoch, "epoch-1", now);
    expect(await settleScans(harness.database, [acknowledged(1, 7)], now, "epoch-2")).toEqual([]);
    expect(await lastNumber(harness)).toBe(1);
    expect(await settleScans(harness.database, [acknowledged(1, 7)], now, "epoch-1")).toHaveLength(1);
  });
});

const drafts = {
  undo: { kind: "undo", area: areaOne, targetId: 1, targetSeq: 1 },
  reset: { kind: "reset", area: areaOne },
  finish: { kind: "finish", area: areaOne, declaredTotal: 1 },
} as const;

async function withOperation(kind: keyof typeof drafts) {
  const harness = await createEngineHarness();
  await harness.scan("one");
  const operation = await harness.operate(drafts[kind]);
  const settle = (
    outcome: OperationOutcome,
    row: PendingOperation = operation,
    epoch: string | null = null,
  ) => settleOperation(harness.database, row, outcome, now, epoch);
  const stored = async () => (await harness.database.getAll("pendingSubmissions"))[0];
  return { ...harness, operation, settle, stored };
}

describe("S15, S16, S31, S32: what becomes of an operation", () => {
  const finished = { kind: "finish", matched: true, serverTotal: 1 } as const;

  it.each<[string, OperationOutcome, Partial<PendingOperation>]>([
    [
      "an answer",
      { kind: "answered", answer: finished },
      { synced: true, syncedAt: now, answer: finished, isResent: false },
    ],
    [
      "nothing, where what was said before is kept",
      { kind: "kept", isLeft: true },
      { synced: true, syncedAt: now, answer: null, isResent: false, isLeft: true },
    ],
    ["a refusal", { kind: "refused", refusal }, { refusal }],
    ["a failed attempt", { kind: "failed" }, { retryCount: 1, lastRetryAt: now }],
    [
      "a refusal that may pass",
      { kind: "failed", declined: later },
      { retryCount: 1, lastRetryAt: now, declined: { refusal: later, times: 1 } },
    ],
  ])("is %s", async (_name, outcome, change) => {
    const { operation, settle, stored } = await withOperation("finish");
    const settled = await settle(outcome);
    expect(settled).toEqual({ ...operation, ...change });
    expect(await stored()).toEqual(settled);
  });

  it("counts how often it was declined, and keeps what was said before", async () => {
    const { database, operation, settle, stored } = await withOperation("finish");
    await settle({ kind: "failed", declined: later });
    await settle({ kind: "failed" });
    await settle({ kind: "failed", declined: later });
    expect(await stored()).toMatchObject({ retryCount: 3, declined: { times: 2 } });
    await database.put("pendingSubmissions", { ...operation, answer: finished });
    expect(await settle({ kind: "kept", isLeft: false })).toMatchObject({ answer: finished, isLeft: false });
  });

  it("is nothing where it was settled meanwhile, is gone, or a server of another life responds", async () => {
    const { database, operation, settle, stored } = await withOperation("undo");
    await writeSetting(database, settings.serverEpoch, "epoch-1", now);
    expect(await settle({ kind: "refused", refusal }, operation, "epoch-2")).toBeNull();
    expect(await settle({ kind: "failed" }, { ...operation, id: 99 })).toBeNull();
    expect(await stored()).toEqual(operation);
    expect(await settle({ kind: "refused", refusal: later }, operation, "epoch-1")).not.toBeNull();
    expect(await settle({ kind: "refused", refusal })).toBeNull();
    expect(await stored()).toMatchObject({ refusal: later });
  });

  it.each([
    ["AREA_CLOSED", false],
    ["SESSION_CLOSED", false],
    ["PASS_OVER", true],
  ])(
    "brings the scan of an undo back where that was refused with %s only if it came too late",
    async (code, undone) => {
      const { settle, scanRow } = await withOperation("undo");
      await settle({ kind: "failed", declined: { ...refusal, code } });
      expect(await scanRow(1)).toMatchObject({ undone: true });
      await settle({ kind: "refused", refusal: { ...refusal, code } });
      expect(await scanRow(1)).toMatchObject({ undone });
    },
  );

  it.each([
    [
      { status: "late", reason: "SESSION_CLOSED" },
      { undone: true, isTakenBack: true },
    ],
    // An administrator may have decided on it since, and then it counts on.
    [
      { status: "unresolved", reason: "UNKNOWN_CODE" },
      { undone: true, isTakenBack: false },
    ],
    [
      { status: "compared", reason: null },
      { undone: true, isTakenBack: false },
    ],
    [
      { status: "counted", reason: null },
      { undone: false, isTakenBack: false },
    ],
  ] as const)(
    "leaves a scan that counted nothing undone, and takes that for the server's only if it came too late: one that was %o",
    async (acknowledgement, { undone, isTakenBack }) => {
      const { database, settle, scanRow } = await withOperation("undo");
      const scan = await database.get("pendingScans", 1);
      if (scan !== undefined) await database.put("pendingScans", { ...scan, acknowledgement });
      expect(await settle({ kind: "refused", refusal })).toMatchObject({ isTakenBack });
      expect(await scanRow(1)).toMatchObject({ undone });
    },
  );

  it.each(["counted", "late", "unresolved"] as const)(
    "believes a server that says whether a scan counts all the same, whatever it said at first: %s",
    async (status) => {
      for (const countsOn of [true, false]) {
        const { database, settle, scanRow } = await withOperation("undo");
        const scan = await database.get("pendingScans", 1);
        if (scan !== undefined)
          await database.put("pendingScans", { ...scan, acknowledgement: { status, reason: null } });
        const settled = await settle({ kind: "refused", refusal: { ...refusal, countsOn } });
        expect(settled).toMatchObject({ isTakenBack: !countsOn });
        expect(settled?.kind === "undo" && isUndoRefused(settled)).toBe(countsOn);
        expect(await scanRow(1)).toMatchObject({ undone: !countsOn });
      }
    },
  );

  it("brings nothing back of an undo whose scan is not on this device, and of no other operation", async () => {
    const { database, operate, settle } = await withOperation("undo");
    const elsewhere = await operate({ ...drafts.undo, targetId: null });
    const gone = await operate({ ...drafts.undo, targetId: 77 });
    const finish = await operate(drafts.finish);
    for (const row of [elsewhere, gone, finish]) {
      expect(await settle({ kind: "refused", refusal }, row)).toMatchObject({ refusal });
    }
    expect(await database.getAll("pendingScans")).toMatchObject([{ undone: true }]);
  });
});

describe("S15: after a reset", () => {
  const refusedWith = (code: string) => ({ kind: "refused", refusal: { ...refusal, code } }) as const;

  /** Rows before and after it, of its area and others; the passes that they have once it is settled. */
  async function passesAfter(outcome: OperationOutcome) {
    const { database, operate, operation, scan, settle } = await withOperation("reset");
    const since = { ...areaOne, pass: 2 };
    await scan("since", since);
    const sent = await scan("sent", since);
    await database.put("pendingScans", { ...sent, synced: true });
    await scan("other pass", { ...areaOne, pass: 3 });
    await scan("of none", { ...areaOne, pass: passOfNoCount });
    await scan("other area", { ...since, areaId: "area-2" });
    await scan("other session", { ...since, sessionId: "session-2" });
    const before = await scan("before", since);
    await database.put("pendingScans", { ...before, order: 0 });
    await operate({ kind: "finish", area: since, declaredTotal: 1 });
    await operate({ kind: "finish", area: { ...since, areaId: "area-2" }, declaredTotal: 1 });
    await settle(outcome, operation);
    const scans = await database.getAll("pendingScans");
    const operations = await database.getAll("pendingSubmissions");
    return {
      scans: Object.fromEntries(scans.map(({ input, pass }) => [input, pass])),
      operations: operations.map(({ pass }) => pass),
    };
  }

  const kept = {
    scans: {
      ...{ one: 1, since: 2, sent: 2, before: 2, "of none": passOfNoCount },
      ...{ "other pass": 3, "other area": 2, "other session": 2 },
    },
    operations: [1, 2, 2],
  };
  const movedTo = (pass: number) => ({ scans: { ...kept.scans, since: pass }, operations: [1, pass, 2] });
  const answer = (pass: number) => ({ kind: "reset", pass, deletedScans: 0 }) as const;

  it.each<[string, OperationOutcome, typeof kept]>([
    ["that the server carried out as expected", { kind: "answered", answer: answer(2) }, kept],
    ["into another pass, they move there", { kind: "answered", answer: answer(7) }, movedTo(7)],
    ["that was refused, they move back", refusedWith("AREA_AMBIGUOUS"), movedTo(1)],
    ["that came too late, they stay", refusedWith("PASS_OVER"), kept],
    ["that others' area refused, they are of no count", refusedWith("AREA_ASSIGNED"), movedTo(passOfNoCount)],
    ["that the end refused, they are of no count", refusedWith("SESSION_CLOSED"), movedTo(passOfNoCount)],
    ["that a closed area refused, they are of none", refusedWith("AREA_CLOSED"), movedTo(passOfNoCount)],
    ["that failed for now, they stay", { kind: "failed", declined: later }, kept],
  ])("%s: only what is unsent of its area and pass since", async (_name, outcome, expected) => {
    expect(await passesAfter(outcome)).toEqual(expected);
  });

  it("begins again with the next reset where others' area refused one: what is scanned after that is of the count it begins", async () => {
    const { database, operate, operation, scan, settle } = await withOperation("reset");
    await scan("after the first", { ...areaOne, pass: 2 });
    const second = await operate({ kind: "reset", area: { ...areaOne, pass: 2 } });
    await scan("after the second", { ...areaOne, pass: 3 });
    await settle(refusedWith("AREA_ASSIGNED"), operation);
    expect(await database.get("pendingSubmissions", second.id)).toMatchObject({ pass: areaOne.pass });
    await settle(refusedWith("AREA_ASSIGNED"), second);
    const passes = async () => (await database.getAll("pendingScans")).slice(1).map(({ pass }) => pass);
    expect(await passes()).toEqual([passOfNoCount, passOfNoCount]);
    const third = await operate({ kind: "reset", area: areaOne });
    await scan("after the third", { ...areaOne, pass: 2 });
    await settle({ kind: "answered", answer: { kind: "reset", pass: 5, deletedScans: 0 } }, third);
    expect(await passes()).toEqual([passOfNoCount, passOfNoCount, 5]);
  });
});
