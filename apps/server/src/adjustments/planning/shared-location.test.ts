import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { wholeReport } from "../../reports/testing/whole-report.ts";
import { requestEnd } from "../../sessions/end-session.ts";
import { isDeployed, lockSession } from "../../sessions/queries.ts";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, shelf, skuOf } from "../testing/stock-room.ts";
import { openPlanner } from "./plan-deploy.ts";
import { unaskedShop } from "./shop-check.ts";

const sku = skuOf(0);
const committed = 2;
const counted = availableAtStart + committed + deltaOf(0);

const scene = new StockRoomScene(1);

/** An ended session that nobody counted anything in. */
async function countNothing(): Promise<string> {
  const sessionId = await scene.count();
  const { database } = scene.room.database;
  await database.deleteFrom("countAdjustments").where("sessionId", "=", sessionId).execute();
  await change(sessionId, { scope: "partial" });
  return sessionId;
}

async function change(sessionId: string, set: { scope: "partial" } | { status: "active" | "closed" }) {
  await scene.database.updateTable("sessions").set(set).where("id", "=", sessionId).execute();
}

async function countByHand(sessionId: string, newCount: number): Promise<void> {
  await scene.database
    .insertInto("countAdjustments")
    .values({
      sessionId,
      sku,
      previousCount: 0,
      newCount,
      reason: null,
      userId: scene.room.admin.userId,
    })
    .execute();
}

/** Longer than a device's clock may be wrong: what was done before it was not done just now. */
async function letSecondsPass(): Promise<void> {
  const times = {
    sessions: ["started_at", "start_snapshot_at", "ended_at", "end_snapshot_at"],
    adjustment_chunks: ["sent_at", "finished_at"],
    scan_totals: ["first_counted_at", "last_counted_at"],
    stock_readings: ["read_at"],
  };
  for (const [table, columns] of Object.entries(times)) {
    const earlier = columns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(column)} - interval '10 seconds'`,
    );
    await sql`update ${sql.table(table)} set ${sql.join(earlier)}`.execute(scene.database);
  }
}

async function readStock(sessionId: string): Promise<void> {
  await sql`
    insert into stock_readings (session_id, sku, read_at, on_hand)
    select session_id, sku, clock_timestamp(), start_on_hand from session_items
    where session_id = ${sessionId} and sku = ${sku}`.execute(scene.database);
}

/** The session runs, and scanned so many some seconds ago, with readings of stock around it. */
async function countByScans(sessionId: string, quantity: number): Promise<void> {
  const { database } = scene.room.database;
  await letSecondsPass();
  await readStock(sessionId);
  await letSecondsPass();
  await change(sessionId, { status: "active" });
  const { storeId } = await lock(sessionId);
  const location = await database
    .insertInto("locations")
    .values({ storeId, name: shelf })
    .returning("id")
    .executeTakeFirstOrThrow();
  const area = await database
    .insertInto("areas")
    .values({ storeId, locationId: location.id, code: "A1", name: "A1", closedBy: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`
    insert into scan_totals (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at)
    values (${sessionId}, ${area.id}, 1, ${sku}, ${quantity}, now(), now())`.execute(database);
  await letSecondsPass();
  await readStock(sessionId);
  await letSecondsPass();
}

/** Ends the session now, with this on hand, to be deployed by what was on hand when it was counted. */
async function endAtCount(sessionId: string, onHand: number): Promise<void> {
  await sql`
    update sessions set status = 'closed', basis = 'count', ended_at = clock_timestamp(), end_snapshot_at = clock_timestamp()
    where id = ${sessionId}`.execute(scene.database);
  await sql`update session_items set end_on_hand = ${onHand} where session_id = ${sessionId}`.execute(
    scene.database,
  );
}

const lock = (sessionId: string) =>
  scene.database.transaction().execute((transaction) => lockSession(transaction, sessionId));

async function plan(sessionId: string) {
  const session = { ...(await lock(sessionId)), storeName: shelf };
  const planner = await openPlanner(scene.database, session);
  const planned = planner.plan({ zeroUncounted: false, stockFound: false }, unaskedShop);
  expect(await toldByReport(sessionId)).toEqual({
    rows: planned.rows.map(({ sku, delta }) => ({ sku, delta })),
    skipped: planned.skipped,
  });
  return planned;
}

/** What the report says that a deploy does: its page lists every row that the deploy's plan has. */
async function toldByReport(sessionId: string) {
  const { items } = await wholeReport(scene.database, scene.room.admin, sessionId, "variances");
  const rows = [...items];
  return {
    rows: rows.flatMap(({ sku, wouldMove: delta }) => (delta ? [{ sku, delta }] : [])),
    skipped: rows.flatMap(({ sku, skipReason: reason }) => (reason === null ? [] : [{ sku, reason }])),
  };
}

const waiting = () => countWaiting(scene.database);

describe("sessions of one Shopify location", () => {
  test("move a SKU once that is counted in the later one after the earlier one was deployed", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    await letSecondsPass();
    await scene.move(earlier, "deploy");
    await countByHand(later, counted);
    expect(await plan(later)).toEqual({ rows: [], skipped: [] });
    await countByHand(later, counted + 4);
    await scene.move(later, "deploy");
    const { on_hand } = await scene.room.shop.stock({ item: sku, location: shelf });
    expect(on_hand).toBe(counted + 4);
  });

  test("count a row as moved when its chunk was, however late a person settles it", async () => {
    const earlier = await scene.count();
    await scene.move(earlier, "deploy");
    const later = await countNothing();
    await sql`update stock_ledger set created_at = now() + interval '1 hour'`.execute(scene.database);
    await countByHand(later, counted + 1);
    expect((await plan(later)).rows).toMatchObject([{ delta: 1 }]);
  });

  test("move a SKU once that was counted in the later one before the earlier one was deployed", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    await countByScans(later, counted);
    await scene.move(earlier, "deploy");
    await endAtCount(later, counted);
    expect(await plan(later)).toEqual({ rows: [], skipped: [] });
  });

  test("leave alone what was counted just while the other one moved it", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    await countByScans(later, counted);
    await scene.move(earlier, "deploy");
    await sql`update adjustment_chunks set sent_at = sent_at - interval '1 day'`.execute(scene.database);
    await endAtCount(later, counted);
    expect(await plan(later)).toEqual({ rows: [], skipped: [{ sku, reason: "AMBIGUOUS_MOVEMENT" }] });
  });

  test("leave alone what was counted between a deploy and its rollback that no reading saw", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    await scene.move(earlier, "deploy");
    await countByScans(later, counted);
    await scene.move(earlier, "rollback");
    await sql`delete from stock_readings where session_id = ${later}`.execute(scene.database);
    await endAtCount(later, availableAtStart + committed);
    expect(await plan(later)).toEqual({ rows: [], skipped: [{ sku, reason: "AMBIGUOUS_MOVEMENT" }] });
  });

  test("leave alone what the other one has perhaps moved since it was counted, until somebody settles that", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    await countByScans(later, counted);
    await scene.move(earlier, "deploy");
    await endAtCount(later, counted);
    const settle = (state: "unclear" | "not_moved") =>
      scene.database
        .updateTable("adjustmentRows")
        .set({ state })
        .where("adjustmentId", "in", (query) =>
          query.selectFrom("adjustments").select("id").where("sessionId", "=", earlier),
        )
        .execute();
    await settle("unclear");
    expect(await plan(later)).toEqual({ rows: [], skipped: [{ sku, reason: "AMBIGUOUS_MOVEMENT" }] });
    await settle("not_moved");
    expect((await plan(later)).rows).toMatchObject([{ delta: deltaOf(0) }]);
  });

  test("name what was counted without a difference, where the other one has perhaps made one since", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    await countByScans(later, availableAtStart + committed);
    await scene.move(earlier, "deploy");
    await endAtCount(later, counted);
    expect((await plan(later)).rows).toMatchObject([{ delta: -deltaOf(0) }]);
    await scene.database
      .updateTable("adjustmentRows")
      .set({ state: "unclear" })
      .where("adjustmentId", "in", (query) =>
        query.selectFrom("adjustments").select("id").where("sessionId", "=", earlier),
      )
      .execute();
    expect(await plan(later)).toEqual({ rows: [], skipped: [{ sku, reason: "AMBIGUOUS_MOVEMENT" }] });
  });

  test("leave alone what a later one has counted, even where the earlier one has nothing to move itself", async () => {
    const earlier = await scene.count();
    await scene.move(earlier, "deploy");
    await scene.database
      .updateTable("adjustments")
      .set({ rolledBackAt: new Date() })
      .where("sessionId", "=", earlier)
      .execute();
    await countByHand(earlier, availableAtStart + committed);
    expect((await plan(earlier)).rows).toMatchObject([{ delta: -deltaOf(0) }]);
    await scene.count();
    expect(await plan(earlier)).toEqual({ rows: [], skipped: [{ sku, reason: "COUNTED_LATER" }] });
  });

  test("are moved one after the other", async () => {
    const [earlier, later] = [await scene.count(), await countNothing()];
    const operationId = await scene.request(earlier, "deploy");
    await countByHand(later, counted);
    await expect(scene.request(later, "deploy")).rejects.toMatchObject({
      code: "DEPLOY_RUNNING",
    });
    expect(await scene.takeOver(operationId)).toMatchObject({ status: "done" });
    expect(await plan(later)).toMatchObject({ rows: [] });
  });

  test("are never deployed and ended at once, whatever stores they are of", async () => {
    const { database } = scene.room.database;
    const [ended, running] = [await scene.count(), await countNothing()];
    await change(running, { status: "active" });
    const session = await lock(running);
    await database.updateTable("stores").set({ deletedAt: null }).where("id", "=", session.storeId).execute();
    await database.insertInto("auditChains").values({ chain: ended, lastHash: null }).execute();
    // The end of the chain is the last thing that a deploy locks: by then it has read everything.
    const { deploying, ending } = await database.transaction().execute(async (transaction) => {
      await sql`select from audit_chains where chain = ${ended} for update`.execute(transaction);
      const deploying = scene.request(ended, "deploy");
      await vi.waitFor(async () => expect(await waiting()).toBe(1));
      const ending = requestEnd(scene.context, session, {
        withoutEndStock: false,
        userId: scene.room.admin.userId,
      }).catch((error) => error);
      await vi.waitFor(async () => {
        const { status } = await database
          .selectFrom("sessions")
          .select("status")
          .where("id", "=", running)
          .executeTakeFirstOrThrow();
        expect(status === "ending" || (await waiting()) === 2).toBe(true);
      });
      return { deploying, ending };
    });
    expect(await ending).toMatchObject({ code: "DEPLOY_RUNNING" });
    await scene.takeOver(await deploying);
  });
});

test("a report stays deployed although a clock that was set back dates an earlier failure after it", async () => {
  const sessionId = await scene.count();
  await scene.move(sessionId, "deploy");
  const { database } = scene.room.database;
  await database
    .insertInto("adjustments")
    .values({
      sessionId,
      status: "failed",
      basis: "end",
      zeroUncounted: false,
      totalAdjustments: 1,
      note: null,
      appliedBy: null,
      rollbackRequestedBy: null,
      appliedAt: new Date(Date.now() + 3_600_000),
    })
    .execute();
  expect(await database.transaction().execute((transaction) => isDeployed(transaction, sessionId))).toBe(
    true,
  );
});
