import type { SkipReason } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import {
  deployDelta,
  type ReportRow,
  readReportRows,
  reportContextOf,
  skipReasonOf,
} from "../reports/reports.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import type { RowToMove } from "./insert-rows.ts";
import { movedSince, readMovedByOthers } from "./moved-by-others.ts";
import { findStanding, readLedger } from "./standing.ts";
import type { Unmovable } from "./unmovable.ts";

/** A SKU that a deploy leaves alone, and why. */
export interface Skipped {
  readonly sku: string;
  readonly reason: SkipReason;
}

/** A SKU that a deploy moves. */
export interface PlannedRow extends RowToMove {
  /** Nobody counted it, so it goes to zero. */
  readonly uncounted: boolean;
  readonly unitCostCents: number | null;
}

export interface Plan {
  readonly rows: readonly PlannedRow[];
  readonly skipped: readonly Skipped[];
}

/**
 * What a deploy would move and leave alone, given what Shopify was found unable to move by inventory item. A row's delta
 * is what its ledger lacks of the variance, less what other sessions have moved since the stock was read for it.
 */
export async function planDeploy(
  reader: Database,
  session: SessionRow,
  zeroUncounted: boolean,
  unmovable: ReadonlyMap<string, Unmovable>,
): Promise<Plan> {
  const context = reportContextOf(session);
  const booked = await readLedger(reader, session.id);
  const others = await readMovedByOthers(reader, session);
  const rows: PlannedRow[] = [];
  const skipped: Skipped[] = [];
  for (const row of await readReportRows(reader, session)) {
    const { sku, inventoryItemId } = row;
    const byOthers = movedSince(row, session, others);
    const delta = deployDelta(row, context) - (booked.get(inventoryItemId) ?? 0) - (byOthers ?? 0);
    const found = skipReasonOf(row, context, zeroUncounted);
    const nothingToMove = delta === 0 && byOthers !== null;
    const reason = found ?? (nothingToMove ? null : leftAlone(row, byOthers, unmovable));
    if (reason !== null) skipped.push({ sku, reason });
    else if (delta !== 0) rows.push({ sku, inventoryItemId, delta, ...whatIsZeroed(row) });
  }
  return { rows: rows.toSorted(bySku), skipped: skipped.toSorted(bySku) };
}

/** Why a row that is to be moved is not, besides what its report says. */
function leftAlone(
  { countedLater, inventoryItemId }: ReportRow,
  byOthers: number | null,
  unmovable: ReadonlyMap<string, Unmovable>,
): SkipReason | null {
  if (countedLater) return "COUNTED_LATER";
  if (byOthers === null) return "AMBIGUOUS_MOVEMENT";
  return unmovable.get(inventoryItemId) ?? null;
}

function whatIsZeroed({
  hasCount,
  unitCostCents,
}: ReportRow): Pick<PlannedRow, "uncounted" | "unitCostCents"> {
  return { uncounted: !hasCount, unitCostCents };
}

function bySku(one: { readonly sku: string }, other: { readonly sku: string }): number {
  if (one.sku === other.sku) return 0;
  return one.sku < other.sku ? -1 : 1;
}

/** @throws ApiError DEPLOY_RUNNING, REPORT_DEPLOYED. */
export async function requireNotDeployed(reader: Database, sessionId: string): Promise<void> {
  const standing = await findStanding(reader, sessionId);
  if (standing === undefined) return;
  if (standing.status === "pending" || standing.working !== null) {
    throw new ApiError(
      "DEPLOY_RUNNING",
      standing.working === "rollback"
        ? "The last deploy of this report is being rolled back right now. Deploy when that is done."
        : "This report is being deployed right now. Nothing was changed by this request.",
    );
  }
  throw new ApiError(
    "REPORT_DEPLOYED",
    "This report has been deployed to Shopify. Roll the deploy back before you deploy again.",
  );
}
