import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { type KeptSession, type KeptSessions, openKeptSessions } from "../testing/kept-sessions.ts";
import { readReportRows } from "./report-row-queries.ts";

let db: TestDatabase;
let sessions: KeptSessions;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
});
afterAll(() => db.drop());

const hour = (hours: number) => new Date(Date.UTC(2026, 2, 1, hours));

/** A session with items of these SKUs in stock, beside another one with the same and its own of everything. */
async function keepTwo(
  ...skus: readonly string[]
): Promise<{ readonly own: KeptSession; readonly other: KeptSession }> {
  const [own, other] = [await sessions.keep(), await sessions.keep()];
  for (const { id } of [own, other])
    for (const sku of skus) await sessions.item(id, sku, { start: 5, end: 4 });
  return { own, other };
}

async function rowOf(session: KeptSession, sku: string) {
  const row = (await readReportRows(db.database, session)).find((each) => each.sku === sku);
  if (row === undefined) throw new Error(`${sku} is not in the report.`);
  return row;
}

describe("what is in the scope of a session", () => {
  /** Every kind of row, by name. */
  async function keepKinds(scope: "full" | "partial") {
    const session = await sessions.keep({ scope });
    const other = await sessions.keep();
    const stock = {
      ...{ nothing: {}, "not read": { end: null }, "at the start": { start: 1 }, "at the end": { end: -1 } },
      ...{
        scanned: {},
        "scanned as none": {},
        "by hand": {},
        "scanned elsewhen": {},
        "by hand elsewhen": {},
      },
    };
    for (const [sku, { start, end }] of Object.entries<{ start?: number; end?: number | null }>(stock)) {
      await sessions.item(session.id, sku, {
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
      });
      await sessions.item(other.id, `${sku} too`, { start: 1 });
    }
    await sessions.scanned(session.id, "scanned", 1);
    await sessions.scanned(session.id, "scanned as none", 0);
    await sessions.byHand(session.id, "by hand", 0);
    await sessions.scanned(other.id, "scanned elsewhen", 1);
    await sessions.byHand(other.id, "by hand elsewhen", 1);
    return session;
  }

  test.each([
    ["full", ["at the end", "at the start", "by hand", "scanned"]],
    ["partial", ["by hand", "scanned"]],
  ] as const)("%s", async (scope, expected) => {
    const rows = await readReportRows(db.database, await keepKinds(scope));
    expect(rows.map(({ sku }) => sku).sort()).toEqual(expected);
  });

  test("does not matter where SKUs are asked for", async () => {
    const rows = await readReportRows(db.database, await keepKinds("partial"), ["nothing", "scanned"]);
    expect(rows.map(({ sku }) => sku).sort()).toEqual(["nothing", "scanned"]);
  });
});

describe("a row", () => {
  test("sums up what was scanned in its session, and says where and when", async () => {
    const { own, other } = await keepTwo("TEE");
    await sessions.scanned(own.id, "TEE", 2, { area: "Front", from: 9, to: 10, unknownTimes: 1 });
    await sessions.scanned(own.id, "TEE", 3, { area: "Back", from: 10, to: 11, unknownTimes: 2 });
    await sessions.scanned(own.id, "TEE", 1, { area: "Back", pass: 2, from: 10 });
    await sessions.scanned(other.id, "TEE", 9, { from: 7, to: 12, unknownTimes: 9 });
    expect(await rowOf(own, "TEE")).toMatchObject({
      ...{ counted: 6, hasCount: true, manual: false, areas: ["Back", "Front"], unknownTimes: 3 },
      ...{ firstCountedAt: hour(9), lastCountedAt: hour(11), startOnHand: 5, endOnHand: 4 },
    });
  });

  test("of which nothing is left scanned was found nowhere", async () => {
    const { own } = await keepTwo("TEE");
    await sessions.scanned(own.id, "TEE", 0, { unknownTimes: 1 });
    expect(await rowOf(own, "TEE")).toMatchObject({
      ...{ counted: 0, hasCount: false, manual: false, areas: null, unknownTimes: 0 },
      ...{ firstCountedAt: null, lastCountedAt: null },
    });
  });

  test("has the last count by hand of its session, whatever was scanned", async () => {
    const { own, other } = await keepTwo("TEE", "CAP");
    await sessions.scanned(own.id, "TEE", 2);
    for (const count of [8, 3]) await sessions.byHand(own.id, "TEE", count);
    await sessions.byHand(other.id, "TEE", 7);
    await sessions.byHand(own.id, "CAP", 0);
    expect(await rowOf(own, "TEE")).toMatchObject({ counted: 3, hasCount: true, manual: true });
    expect(await rowOf(own, "CAP")).toMatchObject({ counted: 0, hasCount: true, manual: true });
  });

  test("that was not read at the end had nothing on hand", async () => {
    const { own } = await keepTwo();
    await sessions.item(own.id, "TEE", { start: 2, end: null });
    expect(await rowOf(own, "TEE")).toMatchObject({
      endOnHand: 0,
      booked: 0,
      countedLater: false,
      readings: [],
    });
  });

  test("has the readings of its stock in order of time", async () => {
    const { own, other } = await keepTwo("TEE", "CAP");
    const reading = { onHand: 4, touched: true };
    const at = (sessionId: string, sku: string, hours: number) => ({
      sessionId,
      sku,
      readAt: hour(hours),
      ...reading,
    });
    await db.database
      .insertInto("stockReadings")
      .values([at(own.id, "TEE", 11), at(own.id, "TEE", 9), at(own.id, "CAP", 10), at(other.id, "TEE", 10)])
      .execute();
    expect((await rowOf(own, "TEE")).readings).toEqual(
      [9, 11].map((hours) => ({ ...reading, sku: "TEE", at: hour(hours).getTime() })),
    );
    const [alone] = await readReportRows(db.database, own, ["CAP"]);
    expect(alone?.readings).toHaveLength(1);
  });

  test("has booked what its session's deploys moved, less what was taken back", async () => {
    const { own, other } = await keepTwo("TEE", "CAP");
    for (const { id: sessionId } of [own, other]) {
      const { id: adjustmentId } = await db.database
        .insertInto("adjustments")
        .values({
          ...{ sessionId, status: "applied", basis: "end", zeroUncounted: false, totalAdjustments: 1 },
          ...{ note: null, appliedBy: null, rollbackRequestedBy: null },
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const booked = { sessionId, adjustmentId, chunkId: null };
      const tee = { ...booked, sku: "TEE", inventoryItemId: "item TEE" };
      await db.database
        .insertInto("stockLedger")
        .values([
          { ...tee, direction: "deploy", delta: 5 },
          { ...tee, direction: "rollback", delta: -3 },
          { ...booked, sku: "CAP", inventoryItemId: "item CAP", direction: "deploy", delta: 7 },
        ])
        .execute();
    }
    expect((await rowOf(own, "TEE")).booked).toBe(2);
  });
});

describe("what was decided about a row", () => {
  test("is what was found uncertain in its session, and what an administrator included there", async () => {
    const { own, other } = await keepTwo("TEE", "CAP", "SOCK");
    const found = (sessionId: string, sku: string, reason: "MOVED_DURING_END" | "COUNTED_AFTER_END") => ({
      sessionId,
      sku,
      reason,
    });
    await db.database
      .insertInto("uncertainFigures")
      .values([
        found(own.id, "TEE", "MOVED_DURING_END"),
        found(own.id, "TEE", "COUNTED_AFTER_END"),
        found(other.id, "SOCK", "MOVED_DURING_END"),
      ])
      .execute();
    const again = { reason: "COUNTED_AFTER_END", counted: 3 };
    const included = (sessionId: string, sku: string) => ({
      sessionId,
      sku,
      reason: "MOVED_DURING_END",
      counted: 4,
      includedBy: sessions.userId,
    });
    await db.database
      .insertInto("includedFigures")
      .values([included(own.id, "CAP"), { ...included(own.id, "CAP"), ...again }, included(other.id, "SOCK")])
      .execute();
    const none = { found: new Set(), movedBefore: null, inclusions: new Map() };
    expect(await rowOf(own, "TEE")).toMatchObject({
      ...none,
      found: new Set(["MOVED_DURING_END", "COUNTED_AFTER_END"]),
    });
    expect(await rowOf(own, "CAP")).toMatchObject({
      ...none,
      inclusions: new Map(Object.entries({ MOVED_DURING_END: 4, COUNTED_AFTER_END: 3 })),
    });
    expect(await rowOf(own, "SOCK")).toMatchObject(none);
  });

  test("is that its counts differ, while the count that they are of is its area's and nobody has settled it", async () => {
    const { own } = await keepTwo("TEE", "CAP", "SOCK");
    const closed = { declaredTotal: 0, serverTotal: 0, finishedByDevice: "phone", endedBy: null };
    const pass = { sessionId: own.id, areaId: sessions.areas.Front, endedAt: hour(11), ...closed };
    await db.database
      .insertInto("areaPasses")
      .values([
        { ...pass, pass: 1, endedAs: "closed" },
        { ...pass, pass: 2, endedAs: "reopened" },
      ])
      .execute();
    const differs = { sessionId: own.id, areaId: pass.areaId, ofPass: 1, first: 2, second: 3, third: null };
    const open = { settledAs: null, settledBy: null, reason: null };
    await db.database
      .insertInto("comparedCounts")
      .values([
        { ...differs, ...open, sku: "TEE" },
        { ...differs, ...open, sku: "CAP", settledAs: "first" },
        { ...differs, ...open, sku: "SOCK", ofPass: 2 },
      ])
      .execute();
    const found = async (sku: string) => [...(await rowOf(own, sku)).found];
    expect([await found("TEE"), await found("CAP"), await found("SOCK")]).toEqual([
      ["COUNTS_DIFFER"],
      [],
      [],
    ]);
  });

  test("of what moved since a backup keeps until when it holds, though it was included", async () => {
    const { own } = await keepTwo("TEE");
    const figure = { sessionId: own.id, sku: "TEE", reason: "MOVED_SINCE_BACKUP" as const };
    await db.database
      .insertInto("uncertainFigures")
      .values({ ...figure, countedBefore: hour(10) })
      .execute();
    await db.database
      .insertInto("includedFigures")
      .values({ ...figure, counted: 4, includedBy: sessions.userId })
      .execute();
    expect(await rowOf(own, "TEE")).toMatchObject({
      movedBefore: hour(10),
      inclusions: new Map([["MOVED_SINCE_BACKUP", 4]]),
    });
  });

  test.each([
    ["until then", [hour(10)], hour(10)],
    ["at any time", [null], null],
  ])("of what moved since a backup holds of a count %s", async (_when, before, expected) => {
    const { own } = await keepTwo("TEE");
    const figure = { sessionId: own.id, sku: "TEE" };
    await db.database
      .insertInto("uncertainFigures")
      .values([
        ...before.map((countedBefore) => ({
          ...figure,
          reason: "MOVED_SINCE_BACKUP" as const,
          countedBefore,
        })),
        { ...figure, reason: "MOVED_DURING_END", countedBefore: expected === null ? hour(9) : null },
      ])
      .execute();
    expect((await rowOf(own, "TEE")).movedBefore).toEqual(expected);
  });
});
