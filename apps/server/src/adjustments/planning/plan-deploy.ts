import type { SkipReason } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import {
  deployDelta,
  isNotThere,
  mayBeThere,
  movedSince,
  type ReportContext,
  type ReportRow,
  readReportContext,
  readReportRows,
  readSeekers,
  type Seeker,
  skipReasonOf,
} from "../../reports/reports.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { findActiveAdjustment, readOwnMoves } from "../queries.ts";
import { fingerprintOf, type PlannedFact } from "./fingerprint.ts";
import { temporaryAlone } from "./one-word.ts";
import { type ShopState, type Unmovable, unaskedShop } from "./shop-check.ts";
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
  /** Units of it that Shopify has here and that the report leaves out. */
  readonly keptUnseen: number;
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
  /** Whether something was found that by the report is not stocked at the location. */
  readonly hasUnstocked: boolean;
  plan(choices: DeployChoices, shop: ShopState): DeployPlan;
  /**
   * Names what the report has to move and to leave out, whatever is chosen. Shopify's part is not in it: what Shopify can't move is asked
   * again until it is sent, and told then, and in a large report a deploy has not the time to hear it that a preview has.
   */
  fingerprint(): string;
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
    .map((row) => candidateOf(row, context))
    .toSorted((one, other) => bySku(one.row, other.row));
  const plan: Planner["plan"] = (choices, shop) => {
    const rows: PlannedRow[] = [];
    const skipped: Skipped[] = [];
    for (const candidate of candidates) {
      const { row } = candidate;
      const stocking = choices.stockFound
        ? stockingOf(row, context, shop, own.get(row.inventoryItemId) ?? null)
        : null;
      const unmovable = stocking === null ? (shop.unmovable.get(row.inventoryItemId) ?? null) : null;
      const { reason, delta } = becomesOf(candidate, context, { ...choices, stocking, unmovable });
      if (reason !== null) skipped.push({ sku: row.sku, reason });
      else if (delta !== 0)
        rows.push(plannedRow(row, delta, { stocking, seekers: seekers.get(row.sku) ?? [] }));
      // What Shopify keeps of it unseen is just what was counted: there is nothing to move.
      else if (stocking !== null) skipped.push({ sku: row.sku, reason: "NOT_STOCKED" });
    }
    return { rows, skipped };
  };
  const unstocked = context.withoutEndStock
    ? []
    : candidates.filter(({ row }) => !row.stocked && isFound(row)).map(({ row }) => row);
  return {
    itemsToAsk: (choices) =>
      [...plan(choices, unaskedShop).rows, ...(choices.stockFound ? unstocked : [])].map(
        ({ inventoryItemId }) => inventoryItemId,
      ),
    hasUnstocked: unstocked.length > 0,
    unitsOnHand: found.reduce((sum, { endOnHand }) => sum + Math.max(0, endOnHand), 0),
    plan,
    fingerprint: () => fingerprintOf(factsOf(candidates, context, seekers)),
  };
}

/** Why a row is left alone, or by how much it is moved. */
interface Becomes {
  readonly reason: SkipReason | null;
  readonly delta: number;
}

interface Candidate extends Becomes {
  readonly row: ReportRow;
  readonly movedByOthers: number | null;
}

/** What the report alone says of a row where everything that nobody counted goes to zero. */
function candidateOf(row: ReportRow, context: ReportContext): Candidate {
  const movedByOthers = movedSince(row, context);
  const reason = skipReasonOf(row, context, { zeroUncounted: true, movedByOthers });
  return { row, movedByOthers, reason, delta: deployDelta(row, context, movedByOthers) };
}

interface Facts extends DeployChoices {
  readonly stocking: Stocking | null;
  readonly unmovable: Unmovable | null;
}

/** Of most rows neither a choice nor Shopify says anything else than the report. */
function becomesOf(candidate: Candidate, context: ReportContext, facts: Facts): Becomes {
  const { row, movedByOthers } = candidate;
  const { zeroUncounted, zeroSearched = false, stocking, unmovable } = facts;
  if (stocking === null && unmovable === null && (row.hasCount || zeroUncounted)) return candidate;
  const moved = movedByOthers === null ? null : movedByOthers + (stocking?.beyondReport ?? 0);
  const found = { movedByOthers: moved, unmovable, stocking: stocking !== null };
  const reason = skipReasonOf(row, context, { zeroUncounted, zeroSearched, ...found });
  return { reason, delta: deployDelta(row, context, moved) };
}

/** What every choice is made from; of what was found, what would become of it where it is stocked. */
function* factsOf(
  candidates: readonly Candidate[],
  context: ReportContext,
  seekers: ReadonlyMap<string, readonly Seeker[]>,
): Iterable<PlannedFact> {
  for (const { row, movedByOthers, reason, delta } of candidates) {
    if (reason === null && delta === 0) continue;
    const isStockable = reason === "NOT_STOCKED" && isFound(row);
    const asStocked = { zeroUncounted: true, movedByOthers, stocking: true };
    const kept = isStockable ? skipReasonOf(row, context, asStocked) : reason;
    const kind = isStockable
      ? `found ${kept ?? ""}`
      : (kept ?? kindOf(row, context, seekers.get(row.sku) ?? []));
    yield { sku: row.sku, fact: `${kept === null ? delta : ""} ${kind}` };
  }
}

/** What is chosen, and agreed to, of a row with others of its kind. */
function kindOf(row: ReportRow, { everyAreaClosed }: ReportContext, seekers: readonly Seeker[]): string {
  if (row.hasCount) return "counted";
  // Said also where others have a part in it, so that no server of a release that knows nothing of it takes such a plan for its own.
  if (isNotThere(row)) return `not there, by ${temporaryAlone(seekers) ?? "others"}`;
  // Where areas were left open it goes with what nobody has looked for, and stays with it.
  return everyAreaClosed && mayBeThere(row) ? "may be there" : "uncounted";
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
    keptUnseen: stocking?.beyondReport ?? 0,
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
