import type { Adjustment } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { lockSessionOf, requireAtRest } from "./at-rest.ts";
import { conclude } from "./conclude.ts";
import { readAdjustment } from "./history.ts";
import { presentAdjustment } from "./present.ts";
import { recordMove } from "./record-move.ts";
import { partlyDeployed, resumableRow } from "./resumable.ts";
import { nothingToResume } from "./resume-deploy.ts";
import type { AdjustmentServices } from "./services.ts";

/**
 * Takes a person's word that what a partial deploy has not moved stays as it is. It is applied then, unless rows are
 * unclear too.
 * @throws ApiError NOT_FOUND, DEPLOY_RUNNING, ROLLBACK_RUNNING, NOTHING_TO_RESUME.
 */
export async function leaveUnmovedRows(
  { database, events }: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
): Promise<Adjustment> {
  const { adjustment, session } = await database.transaction().execute(async (transaction) => {
    const session = await lockSessionOf(transaction, caller, adjustmentId);
    await requireAtRest(transaction, adjustmentId);
    await leave(transaction, caller, adjustmentId);
    await conclude(transaction, adjustmentId, "deploy");
    await recordMove(transaction, {
      adjustmentId,
      direction: "deploy",
      actor: actorOf(caller),
      action: "deploy.rows_left",
    });
    return { adjustment: await readAdjustment(transaction, adjustmentId), session };
  });
  events.publish({ type: "adjustment", sessionId: session.id, storeId: session.store_id });
  return presentAdjustment(adjustment);
}

async function leave(transaction: Transaction, caller: AdminCaller, adjustmentId: string): Promise<void> {
  const partial = transaction
    .selectFrom("adjustments")
    .select("id")
    .where("id", "=", adjustmentId)
    .where(partlyDeployed);
  const { numUpdatedRows } = await transaction
    .updateTable("adjustment_rows")
    .set({ settled_by: caller.userId, settled_at: sql<Date>`now()` })
    .where("adjustment_id", "in", partial)
    .where("direction", "=", "deploy")
    .where(resumableRow)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw nothingToResume();
}
