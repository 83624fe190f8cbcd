import type { CallAnswer, previewDeploy as previewDeployCall, UncountedStock } from "@stocktake/contract";
import type { AdminCaller } from "../kernel/caller.ts";
import { findEndedSession, reportContextOf } from "../reports/reports.ts";
import { type PlannedRow, planDeploy, requireNotDeployed } from "./plan-deploy.ts";
import type { AdjustmentServices } from "./services.ts";
import { checkShop } from "./shop-check.ts";
import { requireStockAtRest } from "./standing.ts";

/** Longer than a deploy asks for: nothing else is left to do within the call. */
export const askWithinMs = 15_000;

/**
 * What a deploy of the session would do, by the very plan that a deploy follows. Changes nothing.
 * @param signal ends the asking of Shopify; the report's own knowledge speaks then
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, DEPLOY_RUNNING, REPORT_DEPLOYED, SESSION_ENDING, SHOP_CHANGED.
 */
export async function previewDeploy(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  signal: AbortSignal,
): Promise<CallAnswer<typeof previewDeployCall>> {
  const { database } = context;
  const session = await findEndedSession(database, caller, sessionId);
  await requireNotDeployed(database, sessionId);
  await requireStockAtRest(database, session);
  const whole = await planDeploy(database, session, true, new Map());
  const items = whole.rows.map(({ inventoryItemId }) => inventoryItemId);
  const { unmovable, asked } = await checkShop(context, session, items, signal);
  const rows = whole.rows.filter(({ inventoryItemId }) => !unmovable.has(inventoryItemId));
  const found = whole.rows.flatMap(({ sku, inventoryItemId }) => {
    const reason = unmovable.get(inventoryItemId);
    return reason === undefined ? [] : [{ sku, reason }];
  });
  const zeroed = reportContextOf(session).everyAreaClosed ? "always" : "by_choice";
  const uncounted = rows.filter((row) => row.uncounted);
  return {
    totalAdjustments: zeroed === "always" ? rows.length : rows.length - uncounted.length,
    skipped: [...whole.skipped, ...found],
    uncounted: stockOf(uncounted),
    zeroed,
    shopifyAsked: asked,
  };
}

function stockOf(rows: readonly PlannedRow[]): UncountedStock {
  const known = rows.map(({ delta, unitCostCents }) => -delta * (unitCostCents ?? 0));
  return {
    items: rows.length,
    units: rows.reduce((sum, { delta }) => sum - delta, 0),
    cost: known.reduce((sum, cents) => sum + cents, 0) / 100,
    withoutCost: rows.filter(({ unitCostCents }) => unitCostCents === null).length,
  };
}
