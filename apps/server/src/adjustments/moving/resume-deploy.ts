import { sql } from "kysely";
import { actorOf } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import {
  isLeftAlone,
  movedSince,
  openDoubtOf,
  readCountedLater,
  readReportContext,
  readReportRows,
  skipReasonOf,
} from "../../reports/reports.ts";
import { lockShopifyLocation, requireReleased, type SessionRow } from "../../sessions/sessions.ts";
import { recordMove } from "../history/audit.ts";
import type { RowToMove } from "../planning/plan-deploy.ts";
import { requireNotSuperseded } from "../planning/plan-rollback.ts";
import { checkShop } from "../planning/shop-check.ts";
import {
  type Direction,
  findSessionOf,
  lockSessionOf,
  partlyDeployed,
  partlyRolledBack,
  requireIdle,
  requireStockIdle,
  resumableRow,
  rollbackLeft,
} from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { conclude } from "./conclude.ts";
import { queueRows } from "./row-queries.ts";
import { startMove } from "./start-move.ts";

/** A rollback, or the resuming of a deploy or a rollback, that has been asked for. */
export interface RequestedMove {
  readonly adjustmentId: string;
  readonly direction: Direction;
  /** Null where nothing is left to move. */
  readonly operationId: string | null;
  /** SKUs that are moved. */
  readonly total: number;
}

/**
 * Records that what a partial deploy or rollback has not moved goes again, as a further run of the same: its deltas are
 * still right, since a deployed report can't be changed. What a later session has counted stays as it is, and so does what was left
 * alone on purpose, what has come into doubt since, as by an undo that arrived after the deploy, what was searched for and speaks for being
 * there since, and what others have moved since so that nobody can tell whether the count includes it.
 * @throws ApiError NOT_FOUND, SESSION_RESTORED, DEPLOY_RUNNING, ROLLBACK_RUNNING, NOTHING_TO_RESUME, UNCLEAR_ROWS,
 * SESSION_ENDING, REPORT_SUPERSEDED, SHOP_CHANGED.
 */
export async function requestResume(
  context: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
): Promise<RequestedMove> {
  const { database } = context;
  const found = await findSessionOf(database, caller, adjustmentId);
  requireReleased(found);
  await requireIdle(database, adjustmentId);
  await requireResumable(database, adjustmentId);
  await checkShop(context, found, []);
  const requested = await database.transaction().execute(async (transaction) => {
    await lockShopifyLocation(transaction, found.shopifyLocationId);
    await lockSessionOf(transaction, caller, adjustmentId);
    await requireIdle(transaction, adjustmentId);
    const direction = await requireResumable(transaction, adjustmentId);
    await requireStockIdle(transaction, found);
    const resume = direction === "deploy" ? resumeDeploy : resumeRollback;
    const resumed = await resume(context, transaction, { caller, session: found, adjustmentId });
    await recordMove(transaction, {
      adjustmentId,
      direction,
      actor: actorOf(caller),
      action: `${direction}.resumed`,
      more: { resumed: resumed.total },
    });
    return resumed;
  });
  context.events.publish({ type: "adjustment", sessionId: found.id, storeId: found.storeId });
  return requested;
}

async function resumeDeploy(
  services: AdjustmentServices,
  transaction: Transaction,
  { caller, session, adjustmentId }: Resumed,
): Promise<RequestedMove> {
  await leaveWhatIsNotSure(transaction, session, adjustmentId);
  const rows = await rowsToResume(transaction, adjustmentId);
  if (rows.length === 0) {
    await conclude(transaction, adjustmentId, "deploy");
    return { adjustmentId, direction: "deploy", operationId: null, total: 0 };
  }
  await queue(transaction, session, adjustmentId, rows);
  const asked = { caller, session, adjustmentId, direction: "deploy", resumes: true } as const;
  const operationId = await startMove(services, transaction, asked);
  return { adjustmentId, direction: "deploy", operationId, total: rows.length };
}

/** @throws ApiError NOTHING_TO_RESUME, UNCLEAR_ROWS. */
async function requireResumable(reader: Database, adjustmentId: string): Promise<Direction> {
  const { rows } = await sql<{ unclear: boolean; direction: Direction | null }>`
    select exists (select from adjustment_rows where adjustment_id = adjustments.id and state = 'unclear') as unclear,
      (select direction from adjustment_rows
        where adjustment_id = adjustments.id and (
          (${partlyDeployed} and direction = 'deploy' and ${resumableRow})
          or (${partlyRolledBack} and ${rollbackLeft})) limit 1) as direction
    from adjustments where id = ${adjustmentId} and status = 'partial'`.execute(reader);
  const [open] = rows;
  if (open?.unclear === true) {
    throw new ApiError(
      "UNCLEAR_ROWS",
      "Some SKUs are unclear. Check in Shopify whether their stock was moved, record the outcome here, then resume.",
    );
  }
  if (open === undefined || open.direction === null) throw nothingToResume();
  return open.direction;
}

export function nothingToResume(): ApiError {
  return new ApiError("NOTHING_TO_RESUME", "There is nothing left to send again.");
}

function rowsToResume(transaction: Transaction, adjustmentId: string): Promise<RowToMove[]> {
  return transaction
    .selectFrom("adjustmentRows")
    .select(["sku", "inventoryItemId as inventoryItemId", "delta"])
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .where(resumableRow)
    .orderBy("sku")
    .execute();
}

async function leaveWhatIsNotSure(
  transaction: Transaction,
  session: SessionRow,
  adjustmentId: string,
): Promise<void> {
  const skus = (await rowsToResume(transaction, adjustmentId)).map(({ sku }) => sku);
  const countedLater = await readCountedLater(transaction, session, skus);
  await leave(transaction, adjustmentId, {
    skus: [...countedLater],
    note: "Counted in a later session, so its stock was left unchanged.",
  });
  const context = await readReportContext(transaction, session);
  const rows = await readReportRows(transaction, session, skus);
  // Nothing is left alone any more once a deploy is asked for: such rows are of one that servers of an earlier release had begun.
  await leave(transaction, adjustmentId, {
    skus: rows.filter(isLeftAlone).map(({ sku }) => sku),
    note: "Left alone on purpose after the deploy, so its stock was left unchanged.",
  });
  // Its deploy was planned while nobody else had moved it, or by a known amount. What a hand has moved back since may be the same correction.
  await leave(transaction, adjustmentId, {
    skus: rows.filter((row) => movedSince(row, context) === null).map(({ sku }) => sku),
    note: "Another report moved its stock, or it was moved back by hand, and nobody can tell whether this count includes that. Its stock was left unchanged.",
  });
  const doubtful = rows.filter((row) => openDoubtOf(row, context) !== null);
  await leave(transaction, adjustmentId, {
    skus: doubtful.map(({ sku }) => sku),
    note: "Its count came into doubt after the deploy, so its stock was left unchanged. The report says why.",
  });
  const notCounted = rows.filter((row) => skipReasonOf(row, context) === "NOT_COUNTED");
  await leave(transaction, adjustmentId, {
    skus: notCounted.map(({ sku }) => sku),
    note: "Nobody counted it, and somebody found it or it is contradicted that it is gone, so its stock was left unchanged. The report says which.",
  });
}

async function leave(
  transaction: Transaction,
  adjustmentId: string,
  { skus, note }: { readonly skus: readonly string[]; readonly note: string },
): Promise<void> {
  if (skus.length === 0) return;
  await transaction
    .updateTable("adjustmentRows")
    .set({ note, settledAt: sql<Date>`now()` })
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .where(resumableRow)
    .where(sql<boolean>`sku = any (${skus}::text[])`)
    .execute();
}

async function queue(
  transaction: Transaction,
  session: SessionRow,
  adjustmentId: string,
  rows: readonly RowToMove[],
): Promise<void> {
  await queueRows(transaction, { sessionId: session.id, adjustmentId, direction: "deploy" }, rows);
  await transaction
    .updateTable("adjustments")
    .set({ status: "pending", note: null })
    .where("id", "=", adjustmentId)
    .execute();
}

interface Resumed {
  readonly caller: AdminCaller;
  /** Ended, so that nothing of its row changes any more. */
  readonly session: SessionRow;
  readonly adjustmentId: string;
}

/**
 * Queues what a partial rollback has left, as a further run of it.
 * @throws ApiError REPORT_SUPERSEDED where a later session has counted any of it: that one is settled by hand.
 */
async function resumeRollback(
  services: AdjustmentServices,
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
  await queueRows(transaction, { sessionId: session.id, adjustmentId, direction: "rollback" }, rows);
  await transaction.updateTable("adjustments").set({ note: null }).where("id", "=", adjustmentId).execute();
  const asked = { caller, session, adjustmentId, direction: "rollback", resumes: true } as const;
  const operationId = await startMove(services, transaction, asked);
  return { adjustmentId, direction: "rollback" as const, operationId, total: rows.length };
}
