import type { Adjustment } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { actorOf } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AdjustmentRowsTable } from "../../database/tables.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { requireReleased } from "../../sessions/sessions.ts";
import { recordMove, recordSettlement } from "../history/audit.ts";
import { readAdjustment } from "../history/history.ts";
import {
  lockSessionOf,
  partlyDeployed,
  partlyRolledBack,
  requireIdle,
  resumableRow,
  rollbackLeft,
} from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { conclude } from "./conclude.ts";
import { nothingToResume } from "./resume-deploy.ts";
import { dateRows } from "./row-queries.ts";

/** What a person found in Shopify: whether the SKU's stock was moved. */
interface Settlement {
  readonly sku: string;
  readonly applied: boolean;
}

type Row = Selectable<AdjustmentRowsTable>;

/**
 * Settles an unclear row by what a person found, or a row that a rollback could not move by what they decide: it was
 * moved back by hand, or stays as it is. The last one settled ends the deploy or the rollback.
 * @throws ApiError NOT_FOUND, SESSION_RESTORED, DEPLOY_RUNNING, ROLLBACK_RUNNING, ROW_NOT_UNCLEAR.
 */
export function settleUnclearRow(
  context: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
  settlement: Settlement,
): Promise<Adjustment> {
  return decide(context, caller, adjustmentId, async (transaction, sessionId) => {
    const row = await requireOpen(transaction, adjustmentId, settlement.sku);
    await settle(transaction, sessionId, row, settlement.applied, caller);
    await conclude(transaction, adjustmentId, row.direction);
    const { direction, delta, state } = row;
    await recordSettlement(transaction, actorOf(caller), {
      ...{ adjustmentId, direction, delta, state },
      ...settlement,
    });
  });
}

/**
 * Records a person's decision that what a partial deploy has not moved stays as it is. It is applied then, unless rows
 * are unclear too.
 * @throws ApiError NOT_FOUND, SESSION_RESTORED, DEPLOY_RUNNING, ROLLBACK_RUNNING, NOTHING_TO_RESUME.
 */
export function leaveUnmovedRows(
  context: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
): Promise<Adjustment> {
  return decide(context, caller, adjustmentId, async (transaction) => {
    await leave(transaction, caller, adjustmentId);
    await conclude(transaction, adjustmentId, "deploy");
    await recordMove(transaction, {
      adjustmentId,
      direction: "deploy",
      actor: actorOf(caller),
      action: "deploy.rows_left",
    });
  });
}

/** Changes rows of an idle adjustment; resolves to what it has become. */
async function decide(
  { database, events }: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
  change: (transaction: Transaction, sessionId: string) => Promise<void>,
): Promise<Adjustment> {
  const { adjustment, session } = await database.transaction().execute(async (transaction) => {
    const session = await lockSessionOf(transaction, caller, adjustmentId);
    requireReleased(session);
    await requireIdle(transaction, adjustmentId);
    await change(transaction, session.id);
    return { adjustment: await readAdjustment(transaction, adjustmentId), session };
  });
  events.publish({ type: "adjustment", sessionId: session.id, storeId: session.storeId });
  return adjustment;
}

async function requireOpen(transaction: Transaction, adjustmentId: string, sku: string): Promise<Row> {
  const rows = await transaction
    .selectFrom("adjustmentRows")
    .innerJoin("adjustments", "adjustments.id", "adjustmentRows.adjustmentId")
    .selectAll("adjustmentRows")
    .select(sql<boolean>`state = 'unclear' or (${rollbackLeft} and ${partlyRolledBack})`.as("open"))
    .where("adjustmentId", "=", adjustmentId)
    .where("sku", "=", sku)
    .execute();
  if (rows.length === 0) throw notFound(`The SKU ${sku}`);
  const row = rows.find(({ open }) => open);
  if (row === undefined) {
    throw new ApiError("ROW_NOT_UNCLEAR", `The outcome of ${sku} is clear, so there is nothing to settle.`);
  }
  return row;
}

function settledNote({ state }: Row, applied: boolean): string {
  if (state === "unclear") {
    return applied ? "Confirmed by hand: it was moved." : "Confirmed by hand: it was not moved.";
  }
  return applied ? "Confirmed by hand: it was moved back in Shopify." : "Left by hand: it stays as it is.";
}

async function settle(
  transaction: Transaction,
  sessionId: string,
  row: Row,
  applied: boolean,
  caller: AdminCaller,
): Promise<void> {
  const { adjustmentId, direction, sku, inventoryItemId, delta } = row;
  const decided = { settledBy: caller.userId, settledAt: sql<Date>`now()` };
  await transaction
    .updateTable("adjustmentRows")
    .set({
      state: applied ? "confirmed" : "not_moved",
      note: settledNote(row, applied),
      // What a rollback is now known not to have moved can go again: nobody has decided to leave it.
      ...(direction === "rollback" && row.state === "unclear" && !applied ? {} : decided),
    })
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("sku", "=", sku)
    .execute();
  if (!applied) return;
  if (row.state === "not_moved") await dateByHand(transaction, sessionId, row);
  const booked = { adjustmentId, direction, sku, inventoryItemId, delta };
  await transaction
    .insertInto("stockLedger")
    .values({ sessionId, chunkId: null, ...booked })
    .execute();
}

/** No attempt of ours has moved it back: a person has, at some moment since it was deployed. */
async function dateByHand(transaction: Transaction, sessionId: string, row: Row): Promise<void> {
  const { adjustmentId, direction, sku } = row;
  const { now } = await transaction.selectNoFrom(sql<Date>`now()`.as("now")).executeTakeFirstOrThrow();
  const note = settledNote(row, true);
  await dateRows(transaction, { sessionId, adjustmentId, direction, skus: [sku], to: now, note });
}

async function leave(transaction: Transaction, caller: AdminCaller, adjustmentId: string): Promise<void> {
  const partial = transaction
    .selectFrom("adjustments")
    .select("id")
    .where("id", "=", adjustmentId)
    .where(partlyDeployed);
  const { numUpdatedRows } = await transaction
    .updateTable("adjustmentRows")
    .set({ settledBy: caller.userId, settledAt: sql<Date>`now()` })
    .where("adjustmentId", "in", partial)
    .where("direction", "=", "deploy")
    .where(resumableRow)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw nothingToResume();
}
