import type { SkipReason } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import {
  deployDelta,
  isNotThere,
  movedSince,
  type ReportRow,
  readReportContext,
  readReportRows,
  readSeekers,
  type Seeker,
  skipReasonOf,
} from "../../reports/reports.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { findActiveAdjustment, readOwnMoves } from "../queries.ts";
import { type ShopState, unaskedShop } from "./shop-check.ts";
import { isFound, type Stocking, stockingOf } from "./stocking.ts";

/** A SKU and by how many units its stock is to be moved. */
export interface RowToMove {
  readonly sku: string;
  readonly inventoryItemId: string;
  readonly delta: number;
  /** On hand as Shopify keeps it, of an item that is to be stocked at the location first; else null or absent. */
  readonly keptOnHand?: number | null;
}

/** A SKU that a deploy leaves alone, and why. */
export interface Skipped {
  readonly sku: string;
  readonly reason: SkipReason;
}

/** A SKU that a deploy moves. */
export interface PlannedRow extends RowToMove {
  readonly productTitle: string;
  readonly size: string | null;
  /** Nobody counted it, so it goes to zero. */
  readonly uncounted: boolean;
  /** Of what nobody counted: it was searched for and is not there. */
  readonly notThere: boolean;
  /** Who has said so, or decided it. */
  readonly seekers: readonly Seeker[];
  /** It was found here, where Shopify did not stock it. */
  readonly found: boolean;
  readonly unitCostCents: number | null;
}

export interface DeployPlan {
  /** In the order of their SKUs, as are those that are skipped. */
  readonly rows: readonly PlannedRow[];
  readonly skipped: readonly Skipped[];
}

/** What the administrator chose. */
export interface DeployChoices {
  /** What nobody counted goes to zero although areas were left open. */
  readonly zeroUncounted: boolean;
  /** So does what was searched for and is not there, whatever becomes of the rest. */
  readonly zeroSearched?: boolean;
  /** What was found and is not stocked at the location is stocked there. */
  readonly stockFound: boolean;
}

export interface Planner {
  /** The items that Shopify has to be asked about before `plan` can tell what it does. */
  itemsToAsk(choices: DeployChoices): string[];
  readonly unitsOnHand: number;
  plan(choices: DeployChoices, shop: ShopState): DeployPlan;
}

/**
 * Reads what a deploy is planned from once, so that it can be planned before and after Shopify was asked. A row's delta
 * is what its ledger lacks of the variance, less what other sessions have moved since the stock was read for it.
 */
export async function openPlanner(reader: Database, session: SessionRow): Promise<Planner> {
  const found = await readReportRows(reader, session);
  const own = await readOwnMoves(reader, session.id);
  const seekers = await readSeekers(reader, session.id);
  const context = await readReportContext(reader, session);
  const candidates = found
    .map((row) => ({ row, movedByOthers: movedSince(row, context) }))
    .toSorted((one, other) => bySku(one.row, other.row));
  const plan: Planner["plan"] = (choices, shop) => {
    const rows: PlannedRow[] = [];
    const skipped: Skipped[] = [];
    for (const { row, movedByOthers } of candidates) {
      const stocking = choices.stockFound
        ? stockingOf(row, context, shop, own.get(row.inventoryItemId) ?? null)
        : null;
      const moved = movedByOthers === null ? null : movedByOthers + (stocking?.beyondReport ?? 0);
      const unmovable = stocking === null ? (shop.unmovable.get(row.inventoryItemId) ?? null) : null;
      const { zeroUncounted, zeroSearched = false } = choices;
      const facts = {
        zeroUncounted,
        zeroSearched,
        movedByOthers: moved,
        unmovable,
        stocking: stocking !== null,
      };
      const reason = skipReasonOf(row, context, facts);
      const delta = deployDelta(row, context, moved);
      if (reason !== null) skipped.push({ sku: row.sku, reason });
      else if (delta !== 0)
        rows.push(plannedRow(row, delta, { stocking, seekers: seekers.get(row.sku) ?? [] }));
      // What Shopify keeps of it unseen is just what was counted: there is nothing to move.
      else if (stocking !== null) skipped.push({ sku: row.sku, reason: "NOT_STOCKED" });
    }
    return { rows, skipped };
  };
  const unstocked = candidates.filter(({ row }) => !row.stocked && isFound(row)).map(({ row }) => row);
  return {
    itemsToAsk: (choices) =>
      [...plan(choices, unaskedShop).rows, ...(choices.stockFound ? unstocked : [])].map(
        ({ inventoryItemId }) => inventoryItemId,
      ),
    unitsOnHand: found.reduce((sum, { endOnHand }) => sum + Math.max(0, endOnHand), 0),
    plan,
  };
}

interface Planned {
  readonly stocking: Stocking | null;
  readonly seekers: readonly Seeker[];
}

function plannedRow(row: ReportRow, delta: number, { stocking, seekers }: Planned): PlannedRow {
  const { sku, inventoryItemId, productTitle, size, hasCount, unitCostCents } = row;
  const notThere = !hasCount && isNotThere(row);
  return {
    ...{ sku, inventoryItemId, productTitle, size, delta, unitCostCents },
    uncounted: !hasCount,
    notThere,
    seekers: notThere ? seekers : [],
    found: stocking !== null,
    keptOnHand: stocking?.keptOnHand ?? null,
  };
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
