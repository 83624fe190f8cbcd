import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { requireNotSuperseded } from "../planning/plan-rollback.ts";
import { rollbackLeft } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { queueRows } from "./row-queries.ts";

export interface Resumed {
  readonly caller: AdminCaller;
  /** Ended, so that nothing of its row changes any more. */
  readonly session: SessionRow;
  readonly adjustmentId: string;
}

/**
 * Queues what a partial rollback has left, as a further run of it.
 * @throws ApiError REPORT_SUPERSEDED where a later session has counted any of it: that one is settled by hand.
 */
export async function resumeRollback(
  { operations }: AdjustmentServices,
  transaction: Transaction,
  { caller, session, adjustmentId }: Resumed,
) {
  const rows = await transaction
    .selectFrom("adjustmentRows")
    .select(["sku", "inventoryItemId", "delta"])
    .where("adjustmentId", "=", adjustmentId)
    .where(rollbackLeft)
    .orderBy("sku")
    .execute();
  await requireNotSuperseded(transaction, session, rows);
  const sessionId = session.id;
  await queueRows(transaction, { sessionId, adjustmentId, direction: "rollback" }, rows);
  await transaction.updateTable("adjustments").set({ note: null }).where("id", "=", adjustmentId).execute();
  const operationId = await operations.insert(transaction, {
    kind: "rollback",
    storeId: session.storeId,
    sessionId,
    adjustmentId,
    input: {},
    startedBy: caller.userId,
  });
  return { adjustmentId, direction: "rollback" as const, operationId, total: rows.length };
}
