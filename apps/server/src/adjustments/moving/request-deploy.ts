import { groupBy, limits } from "@stocktake/contract";
import { actorOf } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AuditFacts } from "../../database/tables.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { findEndedSession, lockEndedSession } from "../../reports/reports.ts";
import { lockShopifyLocation, requireReleased, type SessionRow } from "../../sessions/sessions.ts";
import { recordMove } from "../history/audit.ts";
import { requireAsShown } from "../planning/fingerprint.ts";
import {
  type DeployChoices,
  openPlanner,
  type RowToMove,
  requireNotDeployed,
  type Skipped,
} from "../planning/plan-deploy.ts";
import { checkShop, checkWithinMs, previewWithinMs } from "../planning/shop-check.ts";
import { requireConfirmed, searchedStock, uncountedStock } from "../planning/zeroing.ts";
import { insertAdjustment, requireStockIdle } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { queueRows } from "./row-queries.ts";
import { startMove } from "./start-move.ts";

/** A deploy that has been asked for; `operationId` and `adjustmentId` are null where there is nothing to move. */
export interface RequestedDeploy {
  readonly adjustmentId: string | null;
  readonly operationId: string | null;
  readonly total: number;
  readonly skipped: readonly Skipped[];
}

/** What a deploy is asked for with. */
export interface DeployOptions extends DeployChoices {
  /** The units that the administrator has confirmed are to be zeroed. */
  readonly confirmUnits: number | undefined;
  /** What the preview that the administrator has seen named its plan by. */
  readonly shownPlan?: string | undefined;
}

/**
 * For how long Shopify is asked before the deploy is recorded, in milliseconds. What is stocked and which number was typed come of what it told
 * the preview: it is asked for as long as then.
 */
function askWithinMs({ stockFound, confirmUnits }: DeployOptions): number {
  return stockFound || confirmUnits !== undefined ? previewWithinMs : checkWithinMs;
}

/**
 * Records that the session's variances are to be moved into Shopify's stock, as a deploy of its own that `wake` starts.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, SESSION_RESTORED, DEPLOY_RUNNING, REPORT_DEPLOYED, SESSION_ENDING,
 * SHOP_CHANGED, PLAN_CHANGED, CONFIRM_ZEROING, and PLATFORM_UNAVAILABLE where what was found is to be stocked and nobody
 * can tell what Shopify does not stock.
 */
export async function requestDeploy(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  options: DeployOptions,
): Promise<RequestedDeploy> {
  const requested = await recordRequest(context, caller, sessionId, options);
  context.events.publish({ type: "adjustment", sessionId });
  return requested;
}

async function recordRequest(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  options: DeployOptions,
): Promise<RequestedDeploy> {
  const { confirmUnits, shownPlan, ...choices } = options;
  const { zeroUncounted, zeroSearched = false, stockFound } = choices;
  const { database } = context;
  const session = await findEndedSession(database, caller, sessionId);
  requireReleased(session);
  await requireNotDeployed(database, sessionId);
  const { itemsToAsk, hasUnstocked } = await openPlanner(database, session);
  const timeout = AbortSignal.timeout(askWithinMs(options));
  const shop = await checkShop(context, session, itemsToAsk(choices), timeout);
  if (stockFound && hasUnstocked && !shop.asked) throw cantBeStocked();
  return database.transaction().execute(async (transaction) => {
    await lockShopifyLocation(transaction, session.shopifyLocationId);
    const locked = await lockEndedSession(transaction, caller, sessionId);
    await requireNotDeployed(transaction, sessionId);
    await requireStockIdle(transaction, locked);
    const { plan: planWith, unitsOnHand, fingerprint } = await openPlanner(transaction, locked);
    requireAsShown(shownPlan, fingerprint, "deploy");
    const plan = planWith(choices, shop);
    const { skipped } = plan;
    requireConfirmed(plan, unitsOnHand, confirmUnits);
    const zeroed = uncountedStock(plan, unitsOnHand);
    const searched = searchedStock(plan, unitsOnHand);
    if (plan.rows.length === 0) return { adjustmentId: null, operationId: null, total: 0, skipped };
    const adjustmentId = await insertDeploy(transaction, caller, locked, zeroUncounted, plan.rows);
    const asked = { caller, session: locked, adjustmentId, direction: "deploy", resumes: false } as const;
    const operationId = await startMove(context, transaction, asked);
    await recordMove(transaction, {
      adjustmentId,
      direction: "deploy",
      actor: actorOf(caller),
      action: "deploy.requested",
      more: {
        ...{ basis: locked.basis, zeroUncounted, stockFound, zeroedUnits: zeroed.units + searched.units },
        ...(searched.items === 0 ? {} : { zeroSearched, searchedUnits: searched.units }),
        skipped: countReasons(skipped),
        ...(skipped.length === 0 ? {} : { skippedSkus: firstOfEach(skipped) }),
      },
    });
    return { adjustmentId, operationId, total: plan.rows.length, skipped };
  });
}

/** Deployed without it, the report could be stocked only after all of it had been rolled back. */
function cantBeStocked(): ApiError {
  return new ApiError(
    "PLATFORM_UNAVAILABLE",
    "Shopify did not say in time which products it stocks at this location, so none could be stocked. Nothing was changed. " +
      "Try again, or deploy without stocking what was found.",
  );
}

async function insertDeploy(
  transaction: Transaction,
  caller: AdminCaller,
  session: SessionRow,
  zeroUncounted: boolean,
  rows: readonly RowToMove[],
): Promise<string> {
  const deploy = { caller, zeroUncounted, totalAdjustments: rows.length };
  const adjustmentId = await insertAdjustment(transaction, session, deploy);
  await queueRows(transaction, { sessionId: session.id, adjustmentId, direction: "deploy" }, rows);
  return adjustmentId;
}

/** The first SKUs that a deploy leaves alone for each reason: a report changes, and after a rollback nothing else tells them. */
function firstOfEach(skipped: readonly Skipped[]): AuditFacts {
  const firsts = Array.from(
    groupBy(skipped, ({ reason }) => reason),
    ([reason, members]) => [reason, members.slice(0, limits.groupedNames).map(({ sku }) => sku)],
  );
  return Object.fromEntries(firsts);
}

/** How many SKUs a deploy leaves alone for each reason. */
function countReasons(skipped: readonly Skipped[]): AuditFacts {
  const counts: Record<string, number> = {};
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
