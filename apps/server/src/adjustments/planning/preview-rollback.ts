import {
  type CallAnswer,
  limits,
  type previewRollback as previewRollbackCall,
  type RollbackPreviewRow,
} from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { findEndedSession } from "../../reports/reports.ts";
import {
  type LiveLevel,
  PlatformUnavailableError,
  rowsPerCall,
  type ShopifyPlatform,
} from "../../shopify/shopify.ts";
import type { AdjustmentServices } from "../services.ts";
import type { RowToMove } from "./plan-deploy.ts";
import { nameOfRollback, planRollback } from "./plan-rollback.ts";
import { requireSameShop, unmovableReason } from "./shop-check.ts";

/** A call may take 25 seconds; what is not read of Shopify by then is left out and `checked` counts the rest. */
const previewWithinMs = 18_000;

interface Asking extends Pick<AdjustmentServices, "database" | "clock"> {
  readonly platform: Pick<ShopifyPlatform, "shop" | "liveLevels">;
}

/**
 * What a rollback of the session's deploy would meet in Shopify now. Changes nothing.
 * @param signal ends the reading; what was read by then is returned. After `previewWithinMs` unless told.
 * @throws ApiError as a rollback does; PlatformUnavailableError or PlatformRejectedError where Shopify gives no answer
 */
export async function previewRollback(
  { database, platform, clock }: Asking,
  caller: AdminCaller,
  sessionId: string,
  signal: AbortSignal = AbortSignal.timeout(previewWithinMs),
): Promise<CallAnswer<typeof previewRollbackCall>> {
  const session = await findEndedSession(database, caller, sessionId);
  const plan = await planRollback(database, session);
  const deployed = await readDeployed(database, plan.adjustmentId);
  const read: RollbackPreviewRow[] = [];
  try {
    await requireSameShop(platform, session, signal);
    for (let begin = 0; begin < plan.rows.length; begin += rowsPerCall) {
      const part = plan.rows.slice(begin, begin + rowsPerCall);
      const items = part.map(({ inventoryItemId }) => inventoryItemId);
      const levels = await platform.liveLevels(session.shopifyLocationId, items, signal);
      for (const row of part) {
        read.push(previewRow(withRecord(row, deployed), levels.get(row.inventoryItemId) ?? null));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    if (read.length === 0) throw new PlatformUnavailableError("timeout", "no stock was read in time");
  }
  return {
    adjustmentId: plan.adjustmentId,
    totalAdjustments: plan.rows.length,
    ...summariseRollback(read),
    readAt: new Date(clock.now()).toISOString(),
    plan: nameOfRollback(plan),
  };
}

type Recorded = Omit<DeployedRow, "delta">;

function withRecord({ sku, delta }: RowToMove, deployed: ReadonlyMap<string, Recorded>): DeployedRow {
  const record = deployed.get(sku) ?? { sku, productTitle: sku, size: null, availableAfterDeploy: null };
  return { ...record, delta };
}

/** What is on record of the SKUs that the adjustment deployed, by SKU. Each chunk's changes are unpacked once. */
async function readDeployed(reader: Database, adjustmentId: string): Promise<Map<string, Recorded>> {
  const { rows } = await sql<Recorded>`
    with sent as (
      select chunk.id, change->>'sku' as sku, (change->>'changeFromQuantity')::integer as available
      from adjustment_chunks chunk, jsonb_array_elements(chunk.changes) change
      where chunk.adjustment_id = ${adjustmentId})
    select moved.sku, item.product_title, item.size,
      sent.available + moved.delta as available_after_deploy
    from stock_ledger moved
    join session_items item on item.session_id = moved.session_id and item.sku = moved.sku
    left join sent on sent.id = moved.chunk_id and sent.sku = moved.sku
    where moved.adjustment_id = ${adjustmentId} and moved.direction = 'deploy'`.execute(reader);
  return new Map(rows.map((row) => [row.sku, row]));
}

/** A SKU that a rollback moves, with what is on record of it. Units. */
export interface DeployedRow {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  /** What the rollback adds. */
  readonly delta: number;
  /** Available as the confirmed deploy left it; null where a person settled the row. */
  readonly availableAfterDeploy: number | null;
}

interface RollbackSummary {
  readonly checked: number;
  readonly moved: number;
  readonly negative: number;
  readonly cannotMove: number;
  readonly unknown: number;
  readonly affected: number;
  readonly rows: RollbackPreviewRow[];
}

/**
 * What a rollback makes of one SKU, given its level now (null: it no longer exists). Movement is measured in available:
 * that is what the deploy was compared with and confirmed by, while on hand is known from a reading a moment earlier.
 */
export function previewRow(row: DeployedRow, level: LiveLevel | null): RollbackPreviewRow {
  const { sku, productTitle, size, delta, availableAfterDeploy } = row;
  const named = { sku, productTitle, size, delta, cannotMove: unmovableReason(level, "rollback") };
  if (level === null || named.cannotMove !== null) {
    const unread = { onHandNow: null, afterRollback: null, availableNow: null, availableAfter: null };
    return { ...named, ...unread, movedSince: null, wouldGoNegative: false };
  }
  const { onHand: onHandNow, available: availableNow } = level;
  const [afterRollback, availableAfter] = [onHandNow + delta, availableNow + delta];
  return {
    ...named,
    onHandNow,
    afterRollback,
    availableNow,
    availableAfter,
    movedSince: availableAfterDeploy === null ? null : availableNow - availableAfterDeploy,
    wouldGoNegative: delta < 0 && Math.min(afterRollback, availableAfter) < 0,
  };
}

/** Sums up the SKUs that were read; the rows are those that a person should look at, the most serious first. */
export function summariseRollback(read: readonly RollbackPreviewRow[]): RollbackSummary {
  const affected = read.filter((row) => severity(row) > 0);
  const count = (holds: (row: RollbackPreviewRow) => boolean) => read.filter(holds).length;
  return {
    checked: read.length,
    moved: count(({ movedSince }) => movedSince !== null && movedSince !== 0),
    negative: count(({ wouldGoNegative }) => wouldGoNegative),
    cannotMove: count(({ cannotMove }) => cannotMove !== null),
    unknown: count(isUnknown),
    affected: affected.length,
    rows: affected.toSorted(bySeverity).slice(0, limits.previewRows),
  };
}

function isUnknown({ cannotMove, movedSince }: RollbackPreviewRow): boolean {
  return cannotMove === null && movedSince === null;
}

function severity(row: RollbackPreviewRow): number {
  if (row.wouldGoNegative) return 4;
  if (row.cannotMove !== null) return 3;
  if (isUnknown(row)) return 2;
  return row.movedSince === 0 ? 0 : 1;
}

function bySeverity(one: RollbackPreviewRow, other: RollbackPreviewRow): number {
  const moreSerious = severity(other) - severity(one);
  if (moreSerious !== 0) return moreSerious;
  const further = Math.abs(other.movedSince ?? 0) - Math.abs(one.movedSince ?? 0);
  if (further !== 0) return further;
  return one.sku < other.sku ? -1 : 1;
}
