import type { Adjustment } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { actorOf } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import type { AdjustmentRowsTable } from "../database/tables.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { lockSessionOf, requireAtRest } from "./at-rest.ts";
import { conclude } from "./conclude.ts";
import { readAdjustment } from "./history.ts";
import { presentAdjustment } from "./present.ts";
import { recordSettlement } from "./record-move.ts";
import type { AdjustmentServices } from "./services.ts";

/** What a person found in Shopify: whether the SKU's stock was moved. */
export interface Settlement {
  readonly sku: string;
  readonly applied: boolean;
}

type Row = Selectable<AdjustmentRowsTable>;

/**
 * Settles an unclear row by what a person says of it. The last one settled ends the deploy or the rollback.
 * @throws ApiError NOT_FOUND, DEPLOY_RUNNING, ROLLBACK_RUNNING, ROW_NOT_UNCLEAR.
 */
export async function settleUnclearRow(
  { database, events }: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
  settlement: Settlement,
): Promise<Adjustment> {
  const { adjustment, session } = await database.transaction().execute(async (transaction) => {
    const session = await lockSessionOf(transaction, caller, adjustmentId);
    await requireAtRest(transaction, adjustmentId);
    const row = await requireUnclear(transaction, adjustmentId, settlement.sku);
    await settle(transaction, session.id, row, settlement.applied, caller);
    await conclude(transaction, adjustmentId, row.direction);
    const { direction, delta } = row;
    await recordSettlement(transaction, actorOf(caller), { adjustmentId, direction, delta, ...settlement });
    return { adjustment: await readAdjustment(transaction, adjustmentId), session };
  });
  events.publish({ type: "adjustment", sessionId: session.id, storeId: session.store_id });
  return presentAdjustment(adjustment);
}

async function requireUnclear(transaction: Transaction, adjustmentId: string, sku: string): Promise<Row> {
  const rows = await transaction
    .selectFrom("adjustment_rows")
    .selectAll()
    .where("adjustment_id", "=", adjustmentId)
    .where("sku", "=", sku)
    .execute();
  if (rows.length === 0) throw notFound(`The SKU ${sku}`);
  const unclear = rows.find(({ state }) => state === "unclear");
  if (unclear === undefined) {
    throw new ApiError("ROW_NOT_UNCLEAR", `${sku} is not unclear: there is nothing to settle about it.`);
  }
  return unclear;
}

async function settle(
  transaction: Transaction,
  sessionId: string,
  row: Row,
  applied: boolean,
  caller: AdminCaller,
): Promise<void> {
  const { adjustment_id, direction, sku, inventory_item_id, delta } = row;
  await transaction
    .updateTable("adjustment_rows")
    .set({
      state: applied ? "confirmed" : "not_moved",
      note: applied ? "Settled by hand: it was moved." : "Settled by hand: it was not moved.",
      settled_by: caller.userId,
      settled_at: sql<Date>`now()`,
    })
    .where("adjustment_id", "=", adjustment_id)
    .where("direction", "=", direction)
    .where("sku", "=", sku)
    .execute();
  if (!applied) return;
  const booked = { adjustment_id, direction, sku, inventory_item_id, delta };
  await transaction
    .insertInto("stock_ledger")
    .values({ session_id: sessionId, chunk_id: null, ...booked })
    .execute();
}
