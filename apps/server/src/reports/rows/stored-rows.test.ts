import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { type KeptSession, openKeptSessions } from "../testing/kept-sessions.ts";
import { storedRow, storedRows } from "./stored-rows.ts";

let db: TestDatabase;
let session: KeptSession;

beforeAll(async () => {
  db = await createTestDatabase();
  const sessions = await openKeptSessions(db.database);
  session = await sessions.keep();
  await sessions.item(session.id, "TEE", { start: -5, end: 4 });
  await sessions.scanned(session.id, "TEE", 3, { area: "Front" });
  await sessions.scanned(session.id, "TEE", 2, { area: "Back", unknownTimes: 1 });
  await sessions.item(session.id, "CAP", { start: 1 });
});
afterAll(() => db.drop());

async function readRow(sku: string) {
  const { rows } = await storedRows(session, [sku]).execute(db.database);
  return rows.map(storedRow)[0];
}

test("a row is what is stored, whatever its texts are written in and however fine its times are", async () => {
  const text = `"Größe" \\ 5', tab \t line \n {a,b} null NULL \u2028 👕`;
  await db.database
    .updateTable("sessionItems")
    .set({ productTitle: text, size: text, image: text, unitCostCents: 1999 })
    .where("sku", "=", "TEE")
    .execute();
  await db.database.updateTable("areas").set({ name: text }).where("name", "=", "Back").execute();
  const first = "2026-03-01T09:00:00.123999Z";
  await sql`update scan_totals set first_counted_at = ${first}::timestamptz, last_counted_at = ${first}::timestamptz + interval '1 hour'`.execute(
    db.database,
  );
  expect(await readRow("TEE")).toEqual({
    ...{ sku: "TEE", inventoryItemId: "item TEE", productTitle: text, size: text, image: text },
    ...{ startOnHand: -5, endOnHand: 4, counted: 5, hasCount: true, manual: false, unitCostCents: 1999 },
    ...{ areas: [text, "Front"], unknownTimes: 1 },
    firstCountedAt: new Date("2026-03-01T09:00:00.123Z"),
    lastCountedAt: new Date("2026-03-01T10:00:00.123Z"),
    ...{ tracked: true, bundle: false, stocked: true, gone: false },
  });
});

test("a row that nobody counted has neither areas nor times", async () => {
  expect(await readRow("CAP")).toMatchObject({
    ...{ size: null, image: null, unitCostCents: null, counted: 0, hasCount: false },
    ...{ areas: null, firstCountedAt: null, lastCountedAt: null, unknownTimes: 0 },
  });
});

test("a figure that a number can't hold exactly is refused, and not rounded in silence", async () => {
  await db.database
    .updateTable("sessionItems")
    .set({ unitCostCents: sql<number>`9007199254740993` })
    .where("sku", "=", "CAP")
    .execute();
  await expect(readRow("CAP")).rejects.toThrow("too large to be worked with exactly");
});
