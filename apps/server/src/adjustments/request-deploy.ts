import type { SkipReason } from "@stocktake/contract";
import type { AdminCaller } from "../auth/caller.ts";
import type { AppContext } from "../context.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../http/api-error.ts";
import { findEndedSession, lockEndedSession } from "../reports/ended-session.ts";
import { deployDelta, reportContextOf, skipReasonOf } from "../reports/report.ts";
import { readReportRows } from "../reports/report-rows.ts";
import type { SessionRow } from "../sessions/queries.ts";
import { nextChunkNumber } from "./chunk-queries.ts";
import { insertRows, type RowToMove } from "./insert-rows.ts";
import { checkShop } from "./shop-check.ts";
import { findStanding, lockStoreOf, readLedger, requireNoEndSnapshot } from "./standing.ts";
import type { Unmovable } from "./unmovable.ts";

/** A SKU that a deploy leaves alone, and why. */
export interface Skipped {
  readonly sku: string;
  readonly reason: SkipReason;
}

interface Plan {
  readonly rows: readonly RowToMove[];
  readonly skipped: readonly Skipped[];
}

/** A deploy that has been asked for; `operationId` and `adjustmentId` are null where there is nothing to move. */
export interface RequestedDeploy {
  readonly adjustmentId: string | null;
  readonly operationId: string | null;
  readonly total: number;
  readonly skipped: readonly Skipped[];
}

/**
 * Records that the session's variances are to be moved into Shopify's stock, as a deploy of its own that `wake` starts.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, DEPLOY_RUNNING, REPORT_DEPLOYED, SESSION_ENDING, SHOP_CHANGED.
 */
export async function requestDeploy(
  context: AppContext,
  caller: AdminCaller,
  sessionId: string,
  zeroUncounted: boolean,
): Promise<RequestedDeploy> {
  const { database } = context;
  const session = await findEndedSession(database, caller, sessionId);
  await requireNotDeployed(database, sessionId);
  const first = await planDeploy(database, session, zeroUncounted, new Map());
  const items = first.rows.map(({ inventoryItemId }) => inventoryItemId);
  const unmovable = await checkShop(context, session, items);
  return database.transaction().execute(async (transaction) => {
    await lockStoreOf(transaction, session);
    const locked = await lockEndedSession(transaction, caller, sessionId);
    await requireNotDeployed(transaction, sessionId);
    await requireNoEndSnapshot(transaction, locked);
    const plan = await planDeploy(transaction, locked, zeroUncounted, unmovable);
    const { skipped } = plan;
    if (plan.rows.length === 0) return { adjustmentId: null, operationId: null, total: 0, skipped };
    const adjustmentId = await insertDeploy(transaction, caller, locked, zeroUncounted, plan.rows);
    const operationId = await context.operations.insert(transaction, {
      kind: "deploy",
      storeId: locked.store_id,
      sessionId,
      adjustmentId,
      input: {},
      startedBy: caller.userId,
    });
    return { adjustmentId, operationId, total: plan.rows.length, skipped };
  });
}

/** A row's delta is what its ledger lacks of the variance. */
async function planDeploy(
  reader: Database,
  session: SessionRow,
  zeroUncounted: boolean,
  unmovable: ReadonlyMap<string, Unmovable>,
): Promise<Plan> {
  const context = reportContextOf(session);
  const booked = await readLedger(reader, session.id);
  const rows: RowToMove[] = [];
  const skipped: Skipped[] = [];
  for (const row of await readReportRows(reader, session)) {
    const { sku, inventoryItemId } = row;
    const delta = deployDelta(row, context) - (booked.get(inventoryItemId) ?? 0);
    const found = skipReasonOf(row, context, zeroUncounted);
    const reason = found ?? (delta === 0 ? null : (unmovable.get(inventoryItemId) ?? null));
    if (reason !== null) skipped.push({ sku, reason });
    else if (delta !== 0) rows.push({ sku, inventoryItemId, delta });
  }
  return { rows: rows.toSorted(bySku), skipped: skipped.toSorted(bySku) };
}

function bySku(one: { readonly sku: string }, other: { readonly sku: string }): number {
  if (one.sku === other.sku) return 0;
  return one.sku < other.sku ? -1 : 1;
}

async function requireNotDeployed(reader: Database, sessionId: string): Promise<void> {
  const standing = await findStanding(reader, sessionId);
  if (standing === undefined) return;
  if (standing.status === "pending" || standing.working !== null) {
    throw new ApiError(
      "DEPLOY_RUNNING",
      standing.working === "rollback"
        ? "The last deploy of this report is being rolled back just now. Deploy when that is done."
        : "This report is being deployed just now. Nothing was changed by this request.",
    );
  }
  throw new ApiError(
    "REPORT_DEPLOYED",
    "This report has been deployed to Shopify. Roll the deploy back before you deploy again.",
  );
}

async function insertDeploy(
  transaction: Transaction,
  caller: AdminCaller,
  session: SessionRow,
  zeroUncounted: boolean,
  rows: readonly RowToMove[],
): Promise<string> {
  const { id } = await transaction
    .insertInto("adjustments")
    .values({
      session_id: session.id,
      basis: session.basis,
      zero_uncounted: zeroUncounted,
      total_adjustments: rows.length,
      note: null,
      applied_by: caller.userId,
      rollback_requested_by: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertRows(transaction, id, "deploy", rows, await nextChunkNumber(transaction, session.id));
  return id;
}
