import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { countedStock, mayVary, readCountedDuring } from "./counted-stock-queries.ts";
import { type KeptSession, type KeptSessions, openKeptSessions } from "./testing/kept-sessions.ts";

let db: TestDatabase;
let sessions: KeptSessions;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
});
afterAll(() => db.drop());

const hour = (hours: number) => new Date(Date.UTC(2026, 2, 1, hours));

const closed = { declaredTotal: 0, serverTotal: 0, finishedByDevice: "phone", endedBy: null };
const close = (
  sessionId: string,
  pass: number,
  endedAt: Date,
  endedAs: "closed" | "mismatched" = "closed",
  declaredAt: Date | null = null,
) =>
  db.database
    .insertInto("areaPasses")
    .values({ sessionId, areaId: sessions.areas.Front, pass, endedAs, endedAt, declaredAt, ...closed })
    .execute();

describe("when a session was counted", () => {
  test("is nothing where nobody counted", async () => {
    const [own, other] = [await sessions.keep(), await sessions.keep()];
    await sessions.scanned(own.id, "TEE", 0, { from: 7, to: 13, unknownTimes: 1 });
    await sessions.scanned(other.id, "TEE", 1, { unknownTimes: 1 });
    await close(own.id, 1, hour(11), "mismatched");
    await close(other.id, 1, hour(11));
    expect(await readCountedDuring(db.database, own.id)).toEqual({
      first: null,
      last: null,
      unknownTimes: false,
    });
  });

  test("is from the first scan to the last, and known unless a scan's time is not", async () => {
    const { id } = await sessions.keep();
    await sessions.scanned(id, "TEE", 1, { from: 9, to: 10 });
    await sessions.scanned(id, "CAP", 1, { from: 10, to: 11 });
    expect(await readCountedDuring(db.database, id)).toEqual({
      first: hour(9),
      last: hour(11),
      unknownTimes: false,
    });
    await sessions.scanned(id, "SOCK", 1, { from: 10, unknownTimes: 1 });
    expect(await readCountedDuring(db.database, id)).toMatchObject({ unknownTimes: true });
  });

  test("begins when a total was declared on a device that could send it only later", async () => {
    const { id } = await sessions.keep();
    await sessions.scanned(id, "TEE", 1, { from: 10 });
    await close(id, 1, hour(11), "closed", hour(9));
    const during = { first: hour(9), last: hour(11), unknownTimes: false };
    expect(await readCountedDuring(db.database, id)).toEqual(during);
  });

  test.each([
    ["before the session's stock was read", 7],
    ["after it had arrived", 12],
  ])("is not known where a total was declared %s", async (_name, declaredAt) => {
    const { id } = await sessions.keep();
    await close(id, 1, hour(11), "closed", hour(declaredAt));
    expect(await readCountedDuring(db.database, id)).toMatchObject({ unknownTimes: true });
  });

  test.each([
    ["five seconds before it was read, as clocks differ", 8, -5_000, false],
    ["any earlier", 8, -5_001, true],
    ["five seconds after it had arrived, as clocks differ", 11, 5_000, false],
    ["any later", 11, 5_001, true],
  ])("is known where a total was declared %s, or not", async (_name, hours, milliseconds, unknownTimes) => {
    const { id } = await sessions.keep();
    // The stock of another session was read at another time.
    const other = await sessions.keep();
    await db.database
      .updateTable("sessions")
      .set({ startSnapshotAt: hour(20) })
      .where("id", "=", other.id)
      .execute();
    const declaredAt = new Date(hour(hours).getTime() + milliseconds);
    await close(id, 1, hour(11), "closed", declaredAt);
    expect(await readCountedDuring(db.database, id)).toMatchObject({ unknownTimes });
  });

  test("begins or ends by the closing of an area too", async () => {
    const { id } = await sessions.keep();
    await sessions.scanned(id, "TEE", 1, { from: 10 });
    await close(id, 1, hour(9));
    await close(id, 2, hour(11));
    expect(await readCountedDuring(db.database, id)).toMatchObject({ first: hour(9), last: hour(11) });
  });
});

describe("what may vary", () => {
  /** A session with a SKU of each kind, all of which were counted as they are. */
  async function keepKinds(basis: "end" | "count"): Promise<KeptSession> {
    const [own, other] = [await sessions.keep({ basis }), await sessions.keep()];
    const kinds = [
      "as it is",
      "less",
      "by hand",
      "unknown time",
      "uncertain",
      "touched",
      "read",
      "moved",
      "by others",
      "counts differ",
    ];
    for (const sku of kinds) {
      await sessions.item(own.id, sku, { start: sku === "moved" ? 3 : 2, end: 2 });
      if (sku !== "by hand") {
        await sessions.scanned(own.id, sku, sku === "less" ? 1 : 2, {
          unknownTimes: sku === "unknown time" ? 1 : 0,
        });
      }
    }
    await sessions.byHand(own.id, "by hand", 2);
    const figure = (sessionId: string, sku: string) => ({
      sessionId,
      sku,
      reason: "MOVED_DURING_END" as const,
    });
    await db.database
      .insertInto("uncertainFigures")
      .values([figure(own.id, "uncertain"), figure(other.id, "as it is")])
      .execute();
    const reading = (sessionId: string, sku: string, touched: boolean) => ({
      sessionId,
      sku,
      readAt: hour(10),
      onHand: 2,
      touched,
    });
    await db.database
      .insertInto("stockReadings")
      .values([
        reading(own.id, "touched", true),
        reading(own.id, "read", false),
        reading(other.id, "as it is", true),
      ])
      .execute();
    // Of what nobody counted the end tells, or a mark.
    for (const sku of ["nobody, marked", "nobody, touched", "nobody, read"])
      await sessions.item(own.id, sku, { start: 1 });
    await db.database
      .insertInto("stockReadings")
      .values([reading(own.id, "nobody, touched", true), reading(own.id, "nobody, read", false)])
      .execute();
    await db.database.insertInto("uncertainFigures").values(figure(own.id, "nobody, marked")).execute();
    await addUnstocked(own.id);
    await addDiffering(own.id, "counts differ");
    return own;
  }

  /** What nobody counted and is not stocked since the start, and what was counted as it is and never was. */
  async function addUnstocked(sessionId: string): Promise<void> {
    await sessions.item(sessionId, "no longer stocked", { start: 2 });
    await sessions.item(sessionId, "never stocked", { end: 2 });
    await sessions.scanned(sessionId, "never stocked", 2);
    const items = db.database.updateTable("sessionItems").set({ stocked: false });
    await items.where("sessionId", "=", sessionId).where("sku", "like", "%stocked").execute();
  }

  /** A SKU whose two counts of a closed area differ. */
  async function addDiffering(sessionId: string, sku: string): Promise<void> {
    await close(sessionId, 1, hour(11));
    const counts = { ofPass: 1, first: 2, second: 3, third: null };
    const open = { settledAs: null, settledBy: null, reason: null };
    await db.database
      .insertInto("comparedCounts")
      .values({ sessionId, areaId: sessions.areas.Front, sku, ...counts, ...open })
      .execute();
  }

  const always = [
    ...["by hand", "by others", "counts differ", "less", "no longer stocked", "nobody, marked", "touched"],
    ...["uncertain", "unknown time"],
  ];
  test.each([
    ["end", always],
    ["count", [...always, "moved", "never stocked", "read"]],
  ] as const)("by the comparison with the %s", async (basis, expected) => {
    const session = await keepKinds(basis);
    const others = new Set(["item by others"]);
    const { rows } = await sql<{ sku: string }>`
      with ${countedStock(session, null)} select sku from stock where ${mayVary(session, others)}`.execute(
      db.database,
    );
    expect(rows.map(({ sku }) => sku).sort()).toEqual([...expected].sort());
  });
});
