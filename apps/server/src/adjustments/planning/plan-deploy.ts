import type {
  CallAnswer,
  previewDeploy as previewDeployCall,
  SkipReason,
  UncountedStock,
} from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { costOfUnits, moneyOf, sumOfCents } from "../../kernel/money.ts";
import {
  deployDelta,
  findEndedSession,
  type ReportRow,
  readReportRows,
  reportContextOf,
  skipReasonOf,
} from "../../reports/reports.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { findActiveAdjustment, requireStockIdle } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { movedSince, readMovedByOthers } from "./moved-by-others.ts";
import { checkShop, type Unmovable } from "./shop-check.ts";

/** A SKU and by how many units its stock is to be moved. */
export interface RowToMove {
  readonly sku: string;
  readonly inventoryItemId: string;
  readonly delta: number;
}

/** A SKU that a deploy leaves alone, and why. */
export interface Skipped {
  readonly sku: string;
  readonly reason: SkipReason;
}

/** A SKU that a deploy moves. */
interface PlannedRow extends RowToMove {
  /** Nobody counted it, so it goes to zero. */
  readonly uncounted: boolean;
  readonly unitCostCents: number | null;
}

interface DeployPlan {
  /** In the order of their SKUs, as are those that are skipped. */
  readonly rows: readonly PlannedRow[];
  readonly skipped: readonly Skipped[];
}

type UnmovableItems = ReadonlyMap<string, Unmovable>;

/** Every plan of a deploy: whether the uncounted go to zero, and what Shopify can't move, by inventory item. */
type Planner = (zeroUncounted: boolean, unmovable: UnmovableItems) => DeployPlan;

/**
 * What a deploy would move and leave alone, given what Shopify was found unable to move by inventory item. A row's delta
 * is what its ledger lacks of the variance, less what other sessions have moved since the stock was read for it.
 */
export async function planDeploy(
  reader: Database,
  session: SessionRow,
  zeroUncounted: boolean,
  unmovable: UnmovableItems,
): Promise<DeployPlan> {
  const plan = await openPlanner(reader, session);
  return plan(zeroUncounted, unmovable);
}

/** Reads what a deploy is planned from once, so that it can be planned before and after Shopify was asked. */
async function openPlanner(reader: Database, session: SessionRow): Promise<Planner> {
  const others = await readMovedByOthers(reader, session);
  const found = await readReportRows(reader, session);
  const context = reportContextOf(session);
  const candidates = found
    .map((row) => ({ row, movedByOthers: movedSince(row, session, others) }))
    .toSorted((one, other) => bySku(one.row, other.row));
  return (zeroUncounted, unmovable) => {
    const rows: PlannedRow[] = [];
    const skipped: Skipped[] = [];
    for (const { row, movedByOthers } of candidates) {
      const facts = { zeroUncounted, movedByOthers, unmovable: unmovable.get(row.inventoryItemId) ?? null };
      const reason = skipReasonOf(row, context, facts);
      const delta = deployDelta(row, context, movedByOthers);
      if (reason !== null) skipped.push({ sku: row.sku, reason });
      else if (delta !== 0) rows.push(plannedRow(row, delta));
    }
    return { rows, skipped };
  };
}

function plannedRow({ sku, inventoryItemId, hasCount, unitCostCents }: ReportRow, delta: number): PlannedRow {
  return { sku, inventoryItemId, delta, uncounted: !hasCount, unitCostCents };
}

function bySku(one: ReportRow, other: ReportRow): number {
  if (one.sku === other.sku) return 0;
  return one.sku < other.sku ? -1 : 1;
}

/** @throws ApiError DEPLOY_RUNNING, REPORT_DEPLOYED. */
export async function requireNotDeployed(reader: Database, sessionId: string): Promise<void> {
  const active = await findActiveAdjustment(reader, sessionId);
  if (active === undefined) return;
  if (active.status === "pending" || active.working !== null) {
    throw new ApiError(
      "DEPLOY_RUNNING",
      active.working === "rollback"
        ? "The last deploy of this report is being rolled back right now. Deploy when that is done."
        : "This report is being deployed right now. Nothing was changed by this request.",
    );
  }
  throw new ApiError(
    "REPORT_DEPLOYED",
    "This report has been deployed to Shopify. Roll the deploy back before you deploy again.",
  );
}

/** Longer than a deploy asks for: nothing else is left to do within the call. */
const askWithinMs = 15_000;

/**
 * What a deploy of the session would do: the deploy's own plans, with and without the uncounted. Changes nothing.
 * @param signal ends the asking of Shopify; the plans go by the report alone then. After `askWithinMs` unless told.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, DEPLOY_RUNNING, REPORT_DEPLOYED, SESSION_ENDING, SHOP_CHANGED.
 */
export async function previewDeploy(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  signal: AbortSignal = AbortSignal.timeout(askWithinMs),
): Promise<CallAnswer<typeof previewDeployCall>> {
  const { database } = context;
  const session = await findEndedSession(database, caller, sessionId);
  await requireNotDeployed(database, sessionId);
  await requireStockIdle(database, session);
  const plan = await openPlanner(database, session);
  const items = plan(true, new Map()).rows.map(({ inventoryItemId }) => inventoryItemId);
  const { unmovable, asked } = await checkShop(context, session, items, signal);
  const { rows, skipped } = plan(true, unmovable);
  return {
    totalAdjustments: plan(false, unmovable).rows.length,
    skipped: [...skipped],
    uncounted: stockOf(rows.filter(({ uncounted }) => uncounted)),
    zeroed: reportContextOf(session).everyAreaClosed ? "always" : "by_choice",
    shopifyAsked: asked,
  };
}

function stockOf(rows: readonly PlannedRow[]): UncountedStock {
  const costs = rows.map(({ delta, unitCostCents }) => costOfUnits(-delta, unitCostCents));
  const known = costs.filter((cents) => cents !== null);
  return {
    items: rows.length,
    units: rows.reduce((sum, { delta }) => sum - delta, 0),
    cost: moneyOf(sumOfCents(known)),
    withoutCost: costs.length - known.length,
  };
}
