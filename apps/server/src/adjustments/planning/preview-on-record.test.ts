import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../database/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type KeptSessions, openKeptSessions } from "../../reports/testing/kept-sessions.ts";
import { type LiveLevel, PlatformUnavailableError, rowsPerCall } from "../../shopify/shopify.ts";
import { addBareAdjustment } from "../testing/bare-adjustment.ts";
import { previewRollback } from "./preview-rollback.ts";

let db: TestDatabase;
let sessions: KeptSessions;
let caller: AdminCaller;
let places = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
  caller = { role: "admin", userId: sessions.userId, username: "admin", loginHash: Buffer.alloc(32) };
});
afterAll(() => db.drop());

/** A session at a Shopify location of its own. */
async function session(): Promise<string> {
  places += 1;
  return (await sessions.keep({ shopifyLocationId: `gid://place/${places}` })).id;
}

const failed = (sessionId: string) => addBareAdjustment(db.database, sessionId, "deploy", []);

async function apply(adjustmentId: string): Promise<string> {
  const adjustments = db.database.updateTable("adjustments").set({ status: "applied" });
  await adjustments.where("id", "=", adjustmentId).execute();
  return adjustmentId;
}

const applied = async (sessionId: string) => apply(await failed(sessionId));

interface Booked {
  readonly sessionId: string;
  readonly adjustmentId: string;
}

/** Books SKUs as moved up by one from what was available of each, in one chunk. */
async function book(
  { sessionId, adjustmentId }: Booked,
  before: Readonly<Record<string, number>>,
  chunkId: string = randomUUID(),
): Promise<void> {
  const changes = Object.entries(before).map(([sku, changeFromQuantity]) => ({
    ...{ sku, inventoryItemId: `item ${sku}`, delta: 1, changeFromQuantity },
    ...{ onHand: 0, committed: 0, availableUpdatedAt: null },
  }));
  await db.database
    .insertInto("adjustmentChunks")
    .values({
      ...{ id: chunkId, adjustmentId, direction: "deploy", chunk: 1, attempt: 1, state: "confirmed" },
      ...{ idempotencyKey: randomUUID(), referenceUri: "gid://1", groupId: null, error: null },
      changes: JSON.stringify(changes),
    })
    .execute();
  await db.database
    .insertInto("stockLedger")
    .values(
      changes.map(({ sku, inventoryItemId, delta }) => ({
        ...{ sessionId, adjustmentId, chunkId, direction: "deploy", sku, inventoryItemId, delta },
      })),
    )
    .execute();
}

/** An item of a session with the title that it had there. */
async function item(sessionId: string, sku: string, productTitle: string): Promise<void> {
  await sessions.item(sessionId, sku);
  await db.database
    .updateTable("sessionItems")
    .set({ productTitle })
    .where("sessionId", "=", sessionId)
    .where("sku", "=", sku)
    .execute();
}

/** A shop that has five of everything. It can't be reached any more for the reading of that number. */
function shop({ domain = "shop", failing }: { domain?: string; failing?: number } = {}) {
  const readings: number[] = [];
  const level: LiveLevel = {
    ...{ tracked: true, stocked: true, onHand: 5, available: 5, committed: 0 },
    ...{ availableUpdatedAt: null, levelUpdatedAt: null },
  };
  return {
    readings,
    platform: {
      shop: async () => ({ id: "gid://shop/1", name: "Linden", domain, currency: "USD" }),
      async liveLevels(_location: string, ids: readonly string[]) {
        readings.push(ids.length);
        if (readings.length === failing) throw new PlatformUnavailableError("unreachable", "no route");
        return new Map(ids.map((id) => [id, level]));
      },
    },
  };
}

function preview(sessionId: string, { platform } = shop(), database: Database = db.database) {
  const services = { database, clock: systemClock, platform };
  return previewRollback(services, caller, sessionId, new AbortController().signal);
}

/** Three of a kind in the order of their ids: in whatever order the database has them, the second comes between the others. */
async function three(make: () => string | Promise<string>): Promise<[string, string, string]> {
  const [first = "", second = "", third = ""] = [await make(), await make(), await make()].toSorted();
  return [first, second, third];
}

test("the preview of a rollback is by what is on record of its own deploy, SKU by SKU", async () => {
  const [earlier, sessionId, later] = await three(session);
  const skus = ["cap", "hat", "tee"];
  for (const sku of skus) await item(earlier, sku, "Of another session");
  for (const sku of skus) await item(sessionId, sku, `Title of ${sku}`);
  for (const sku of skus) await item(later, sku, "Of another session");
  const [before, own, after] = await three(() => failed(sessionId));
  const chunks = await three(randomUUID);
  await apply(own);
  await book({ sessionId, adjustmentId: before }, { cap: 70, hat: 80, tee: 90 }, chunks[0]);
  await book({ sessionId, adjustmentId: own }, { cap: 1, hat: 2, tee: 3 }, chunks[1]);
  await book({ sessionId, adjustmentId: after }, { cap: 70, hat: 80, tee: 90 }, chunks[2]);
  const { rows } = await db.database.transaction().execute(async (transaction) => {
    for (const way of ["mergejoin", "hashjoin"]) {
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction);
    }
    return preview(sessionId, shop(), transaction);
  });
  const shown = rows.map(({ sku, productTitle, movedSince }) => ({ sku, productTitle, movedSince }));
  expect(shown).toEqual([
    { sku: "cap", productTitle: "Title of cap", movedSince: 3 },
    { sku: "hat", productTitle: "Title of hat", movedSince: 2 },
    { sku: "tee", productTitle: "Title of tee", movedSince: 1 },
  ]);
});

test("the preview of a rollback asks nothing of another shop than the session's", async () => {
  const sessionId = await session();
  await book({ sessionId, adjustmentId: await applied(sessionId) }, { cap: 5 });
  const another = shop({ domain: "another" });
  await expect(preview(sessionId, another)).rejects.toMatchObject({ code: "SHOP_CHANGED" });
  expect(another.readings).toEqual([]);
});

describe("the preview of many SKUs", () => {
  let sessionId: string;

  /** Just as many as two readings hold. */
  beforeAll(async () => {
    sessionId = await session();
    const skus = Array.from({ length: 2 * rowsPerCall }, (_nothing, index) => [`sku ${index}`, 6] as const);
    await book({ sessionId, adjustmentId: await applied(sessionId) }, Object.fromEntries(skus));
  });

  test("takes as many readings as their number needs", async () => {
    const asked = shop();
    expect(await preview(sessionId, asked)).toMatchObject({ checked: 2 * rowsPerCall });
    expect(asked.readings).toEqual([rowsPerCall, rowsPerCall]);
  });

  test("fails where a reading failed while there was time, though others had not", async () => {
    await expect(preview(sessionId, shop({ failing: 2 }))).rejects.toMatchObject({ kind: "unreachable" });
  });
});
