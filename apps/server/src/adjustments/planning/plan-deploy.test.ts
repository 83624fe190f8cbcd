import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { type KeptSessions, openKeptSessions } from "../../reports/testing/kept-sessions.ts";
import type { LiveLevel } from "../../shopify/shopify.ts";
import { addBareAdjustment } from "../testing/bare-adjustment.ts";
import { type DeployChoices, openPlanner } from "./plan-deploy.ts";
import { type ShopState, type Unmovable, unaskedShop } from "./shop-check.ts";

let db: TestDatabase;
let sessions: KeptSessions;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
});
afterAll(() => db.drop());

const plain: DeployChoices = { zeroUncounted: false, stockFound: false };

/** A session whose areas were left open, with items that have two on hand and were counted so often; null: by nobody. */
async function counted(counts: Readonly<Record<string, number | null>>, unstocked: readonly string[] = []) {
  const session = await sessions.keep();
  for (const [sku, count] of Object.entries(counts)) {
    const isStocked = !unstocked.includes(sku);
    await sessions.item(session.id, sku, isStocked ? { start: 2, end: 2 } : {});
    if (count !== null) await sessions.scanned(session.id, sku, count);
  }
  await db.database
    .updateTable("sessionItems")
    .set({ stocked: false })
    .where("sessionId", "=", session.id)
    .where("sku", "in", ["", ...unstocked])
    .execute();
  const planner = await openPlanner(db.database, { ...session, storeName: "High Street" });
  return { planner, sessionId: session.id };
}

async function sessionOf(id: string) {
  const sessions = db.database.selectFrom("sessions").selectAll();
  return { ...(await sessions.where("id", "=", id).executeTakeFirstOrThrow()), storeName: "High Street" };
}

/** Books an item as moved up by three and back again at a time. */
async function moveThereAndBack(sessionId: string, sku: string, at: Date): Promise<void> {
  const adjustmentId = await addBareAdjustment(db.database, sessionId, "deploy", []);
  for (const direction of ["deploy", "rollback"] as const) {
    const { id: chunkId } = await db.database
      .insertInto("adjustmentChunks")
      .values({
        ...{ adjustmentId, direction, chunk: 1, attempt: 1, state: "confirmed", changes: "[]", sentAt: at },
        ...{ idempotencyKey: randomUUID(), referenceUri: "gid://1", groupId: null, error: null },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const delta = direction === "deploy" ? 3 : -3;
    await db.database
      .insertInto("stockLedger")
      .values({
        ...{ sessionId, adjustmentId, chunkId, direction, sku, delta },
        ...{ inventoryItemId: `item ${sku}`, createdAt: at },
      })
      .execute();
  }
}

/** Shopify, where these items' levels are inactive and hold so much, and where those can't be moved. */
function shop(
  kept: Readonly<Record<string, number>>,
  unmovable: Readonly<Record<string, Unmovable>> = {},
): ShopState {
  const level = (onHand: number): LiveLevel => ({
    ...{ tracked: true, stocked: false, onHand, available: onHand, committed: 0 },
    ...{ availableUpdatedAt: null, levelUpdatedAt: null },
  });
  const items = <Value>(byName: Readonly<Record<string, Value>>) =>
    new Map(Object.entries(byName).map(([sku, value]) => [`item ${sku}`, value]));
  return {
    ...unaskedShop,
    levels: new Map([...items(kept)].map(([id, onHand]) => [id, level(onHand)])),
    unmovable: items(unmovable),
  };
}

const deltas = (rows: readonly { readonly sku: string; readonly delta: number }[]) =>
  rows.map(({ sku, delta }) => [sku, delta]);

describe("a deploy", () => {
  test("moves what differs, in the order of the SKUs, and leaves alone what can't or must not be moved", async () => {
    const { planner } = await counted({
      "b more": 3,
      "d gone": 1,
      "a less": 1,
      "c same": 2,
      "e nobody": null,
    });
    const { rows, skipped } = planner.plan(plain, shop({}, { "d gone": "DELETED" }));
    expect(deltas(rows)).toEqual([
      ["a less", -1],
      ["b more", 1],
    ]);
    expect(rows[0]).toEqual({
      ...{ sku: "a less", inventoryItemId: "item a less", productTitle: "Tee", size: null, delta: -1 },
      ...{
        unitCostCents: null,
        uncounted: false,
        notThere: false,
        seekers: [],
        found: false,
        keptOnHand: null,
        keptUnseen: 0,
      },
    });
    expect(skipped).toEqual([
      { sku: "d gone", reason: "DELETED" },
      { sku: "e nobody", reason: "NOT_COUNTED" },
    ]);
  });

  test("is in the order of the SKUs, in whatever order the database has them", async () => {
    const { sessionId } = await counted({ b: 1, d: 1, a: 1, c: 1 });
    const session = await sessionOf(sessionId);
    const rows = await db.database.transaction().execute(async (transaction) => {
      for (const way of ["indexscan", "indexonlyscan", "bitmapscan", "mergejoin", "sort"]) {
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction);
      }
      return (await openPlanner(transaction, session)).plan(plain, unaskedShop).rows;
    });
    expect(rows.map(({ sku }) => sku)).toEqual(["a", "b", "c", "d"]);
  });

  test("zeroes what nobody counted only where that was chosen", async () => {
    const { planner } = await counted({ one: null });
    expect(planner.plan({ ...plain, zeroUncounted: true }, unaskedShop).rows).toMatchObject([
      { sku: "one", delta: -2, uncounted: true },
    ]);
  });

  test("is asked about what it would move, and knows how many units there are", async () => {
    const { planner, sessionId } = await counted({ less: 1, same: 2, found: 1, "found none": 0 }, [
      "found",
      "found none",
    ]);
    expect(planner.itemsToAsk(plain)).toEqual(["item less"]);
    expect(planner.itemsToAsk({ ...plain, stockFound: true })).toEqual(["item less", "item found"]);
    expect(planner.unitsOnHand).toBe(4);
    await sessions.item(sessionId, "below zero", { end: -5 });
    expect((await openPlanner(db.database, await sessionOf(sessionId))).unitsOnHand).toBe(4);
  });
});

describe("what was found where Shopify does not stock it", () => {
  const choice = { ...plain, stockFound: true };

  test("is stocked only where that was chosen, with what its level keeps unseen", async () => {
    const { planner } = await counted({ empty: 3, kept: 3, unknown: 3 }, ["empty", "kept", "unknown"]);
    const state = shop({ empty: 0, kept: 1 });
    expect(planner.plan(plain, state)).toMatchObject({
      rows: [],
      skipped: ["empty", "kept", "unknown"].map((sku) => ({ sku, reason: "NOT_STOCKED" })),
    });
    const { rows, skipped } = planner.plan(choice, state);
    expect(rows).toMatchObject([
      { sku: "empty", delta: 3, found: true, keptOnHand: 0 },
      { sku: "kept", delta: 2, found: true, keptOnHand: 1 },
    ]);
    expect(skipped).toEqual([{ sku: "unknown", reason: "NOT_STOCKED" }]);
  });

  test("is not moved where just that is kept, and then named", async () => {
    const { planner } = await counted({ kept: 3 }, ["kept"]);
    expect(planner.plan(choice, shop({ kept: 3 }))).toEqual({
      rows: [],
      skipped: [{ sku: "kept", reason: "NOT_STOCKED" }],
    });
  });

  test("is moved again where it is stocked and empty since this session itself has moved it back", async () => {
    const { planner, sessionId } = await counted({ back: 3 }, ["back"]);
    const since = new Date(Date.now() - 3_600_000);
    const stocked: LiveLevel = {
      ...{ tracked: true, stocked: true, onHand: 0, available: 0, committed: 0 },
      ...{ availableUpdatedAt: null, levelUpdatedAt: since.toISOString() },
    };
    const state: ShopState = {
      unmovable: new Map(),
      levels: new Map([["item back", stocked]]),
      shopTime: { byOurClock: (at) => ({ earliest: at, latest: at }) },
    };
    expect(planner.plan(choice, state).rows).toEqual([]);
    await moveThereAndBack(sessionId, "back", since);
    const again = await openPlanner(db.database, await sessionOf(sessionId));
    expect(again.plan(choice, state).rows).toMatchObject([{ sku: "back", delta: 3, keptOnHand: null }]);
  });

  test("is moved although Shopify would not move it as it is", async () => {
    const { planner } = await counted({ empty: 3 }, ["empty"]);
    const state = shop({ empty: 0 }, { empty: "NOT_STOCKED" });
    expect(deltas(planner.plan(choice, state).rows)).toEqual([["empty", 3]]);
  });
});
