import type { CallAnswer, MovingStock, previewDeploy as previewDeployCall } from "@stocktake/contract";
import type { AdminCaller } from "../../kernel/caller.ts";
import { costOfUnits, moneyOf, sumOfCents } from "../../kernel/money.ts";
import { findEndedSession, wasEveryAreaClosed } from "../../reports/reports.ts";
import { requireStockIdle } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { openPlanner, type PlannedRow, requireNotDeployed } from "./plan-deploy.ts";
import { checkShop, previewWithinMs } from "./shop-check.ts";
import { searchedStock, uncountedStock } from "./zeroing.ts";

/**
 * What a deploy of the session would do: the deploy's own plans, with and without the uncounted; where every area was closed they go without being
 * chosen, but for what somebody found or is contradicted, which is among what is skipped. Changes nothing.
 * @param signal ends the asking of Shopify; the plans go by the report alone then. After `previewWithinMs` unless told.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, DEPLOY_RUNNING, REPORT_DEPLOYED, SESSION_ENDING, SHOP_CHANGED.
 */
export async function previewDeploy(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  signal: AbortSignal = AbortSignal.timeout(previewWithinMs),
): Promise<CallAnswer<typeof previewDeployCall>> {
  const { database } = context;
  const session = await findEndedSession(database, caller, sessionId);
  await requireNotDeployed(database, sessionId);
  await requireStockIdle(database, session);
  const { itemsToAsk, plan, unitsOnHand, fingerprint } = await openPlanner(database, session);
  const items = itemsToAsk({ zeroUncounted: true, stockFound: true });
  const shop = await checkShop(context, session, items, signal);
  const zeroed = wasEveryAreaClosed(session) ? "always" : "by_choice";
  const whole = plan({ zeroUncounted: zeroed === "by_choice", stockFound: false }, shop);
  const searched = searchedStock(whole, unitsOnHand);
  const stocked = plan({ zeroUncounted: false, stockFound: true }, shop).rows.filter(({ found }) => found);
  const { rows } = plan({ zeroUncounted: false, stockFound: false }, shop);
  return {
    totalAdjustments: rows.length,
    moving: movingStock(rows),
    skipped: [...whole.skipped],
    uncounted: uncountedStock(whole, unitsOnHand),
    ...(searched.items === 0 ? {} : { searched }),
    found: foundStock(stocked),
    zeroed,
    shopifyAsked: shop.asked,
    plan: fingerprint(),
  };
}

function foundStock(stocked: readonly PlannedRow[]): CallAnswer<typeof previewDeployCall>["found"] {
  const moving = movingStock(stocked);
  const kept = stocked.filter(({ keptUnseen }) => keptUnseen !== 0);
  const unseen = kept.reduce((sum, { keptUnseen }) => sum + keptUnseen, 0);
  return {
    items: stocked.length,
    units: moving.above + moving.below,
    skus: stocked.map(({ sku }) => sku),
    moving,
    ...(kept.length === 0 ? {} : { keptUnseen: { items: kept.length, units: unseen } }),
  };
}

function movingStock(rows: readonly PlannedRow[]): MovingStock {
  const known = rows.flatMap(({ delta, unitCostCents }) => {
    const cents = costOfUnits(delta, unitCostCents);
    return cents === null ? [] : [cents];
  });
  const sum = (unitsOf: (row: PlannedRow) => number) => rows.reduce((all, row) => all + unitsOf(row), 0);
  return {
    above: sum(({ delta }) => Math.max(0, delta)),
    below: sum(({ delta }) => Math.min(0, delta)),
    cost: known.length === 0 && rows.length > 0 ? null : moneyOf(sumOfCents(known)),
    withoutCost: rows.length - known.length,
  };
}
