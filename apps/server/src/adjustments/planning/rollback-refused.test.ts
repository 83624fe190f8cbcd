import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import {
  type KeptSession,
  type KeptSessions,
  openKeptSessions,
} from "../../reports/testing/kept-sessions.ts";
import { addBareAdjustment } from "../testing/bare-adjustment.ts";
import { planRollback } from "./plan-rollback.ts";

let db: TestDatabase;
let sessions: KeptSessions;
let places = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
});
afterAll(() => db.drop());

const hour = (hours: number) => new Date(Date.UTC(2026, 2, 1, hours));

/** A session at a Shopify location of its own that has deployed these SKUs, and how others of the location are made. */
async function deployed(...skus: readonly string[]) {
  places += 1;
  const there = { shopifyLocationId: `gid://place/${places}` };
  const keep = (change: Parameters<KeptSessions["keep"]>[0] = {}) => sessions.keep({ ...there, ...change });
  const own = await keep();
  const adjustmentId = await addBareAdjustment(db.database, own.id, "deploy", []);
  await db.database
    .updateTable("adjustments")
    .set({ status: "applied" })
    .where("id", "=", adjustmentId)
    .execute();
  const booked = { sessionId: own.id, adjustmentId, chunkId: null, direction: "deploy" as const, delta: 2 };
  for (const sku of skus) {
    await sessions.item(own.id, sku);
    await db.database
      .insertInto("stockLedger")
      .values({ ...booked, sku, inventoryItemId: `item ${sku}` })
      .execute();
  }
  return { own, adjustmentId, keep };
}

const plan = (own: KeptSession, reader = db.database) =>
  planRollback(reader, { ...own, storeName: "High Street" });

test("a rollback moves back what was deployed, in the order of the SKUs however the database has them", async () => {
  const { own, adjustmentId } = await deployed("b", "c", "a");
  const planned = await db.database.transaction().execute(async (transaction) => {
    for (const way of ["indexscan", "indexonlyscan", "bitmapscan", "mergejoin"]) {
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction);
    }
    return plan(own, transaction);
  });
  const rows = ["a", "b", "c"].map((sku) => ({ sku, inventoryItemId: `item ${sku}`, delta: -2 }));
  expect(planned).toEqual({ adjustmentId, rows });
});

test("a rollback of nothing is none", async () => {
  const { own } = await deployed();
  await expect(plan(own)).rejects.toMatchObject({
    code: "NOTHING_TO_ROLL_BACK",
    message: "This report has no deploy that can be rolled back.",
  });
});

test("a rollback of what a later session has counted is refused, and names one", async () => {
  const { own, keep } = await deployed("cap", "tee");
  const later = await keep({ endedAt: hour(13), scope: "partial" });
  await sessions.item(later.id, "tee");
  await plan(own);
  await sessions.scanned(later.id, "tee", 1);
  await expect(plan(own)).rejects.toMatchObject({
    code: "REPORT_SUPERSEDED",
    message:
      "A later session of this Shopify location has tee in its count; a full count has everything in stock. " +
      "Rolling back this deploy would falsify that count. Nothing was changed.",
  });
});

test("a rollback waits while the stock of the location is read at the end of another session", async () => {
  const { own, keep } = await deployed("tee");
  await keep({ status: "ending", endedAt: null });
  await expect(plan(own)).rejects.toMatchObject({ code: "SESSION_ENDING" });
});
