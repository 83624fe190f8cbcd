import type {
  CallAnswer,
  previewRollback as previewRollbackCall,
  RollbackPreviewRow,
} from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findEndedSession } from "../reports/reports.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { PlatformUnavailableError, rowsPerCall, shopChanged } from "../shopify/shopify.ts";
import { planRollback, type RollbackPlan } from "./plan-rollback.ts";
import { type DeployedRow, rollbackOutlook, rollbackRow } from "./rollback-outlook.ts";
import type { AdjustmentServices } from "./services.ts";

/** A call may take 25 seconds; what is not read of Shopify by then is left out and said to be. */
export const previewWithinMs = 18_000;

/**
 * What a rollback of the session's deploy would meet in Shopify now. Changes nothing.
 * @param signal ends the reading; what was read by then is answered
 * @throws ApiError as a rollback does; PlatformUnavailableError or PlatformRejectedError where Shopify gives no answer
 */
export async function previewRollback(
  { database, platform, clock }: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  signal: AbortSignal,
): Promise<CallAnswer<typeof previewRollbackCall>> {
  const session = await findEndedSession(database, caller, sessionId);
  const plan = await planRollback(database, session);
  const deployed = await readDeployed(database, session, plan);
  const read: RollbackPreviewRow[] = [];
  try {
    const shop = await platform.shop(signal);
    if (shop.domain !== session.shop_domain) throw shopChanged(session.shop_domain, shop.domain);
    for (let begin = 0; begin < plan.rows.length; begin += rowsPerCall) {
      const part = plan.rows.slice(begin, begin + rowsPerCall);
      const items = part.map(({ inventoryItemId }) => inventoryItemId);
      const levels = await platform.liveLevels(session.shopify_location_id, items, signal);
      for (const row of part) {
        read.push(rollbackRow(withRecord(row, deployed), levels.get(row.inventoryItemId) ?? null));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    if (read.length === 0) throw new PlatformUnavailableError("timeout", "no stock was read in time");
  }
  return {
    adjustmentId: plan.adjustmentId,
    totalAdjustments: plan.rows.length,
    ...rollbackOutlook(read),
    readAt: new Date(clock.now()).toISOString(),
  };
}

type Recorded = Omit<DeployedRow, "delta">;

function withRecord(
  { sku, delta }: RollbackPlan["rows"][number],
  deployed: ReadonlyMap<string, Recorded>,
): DeployedRow {
  const record = deployed.get(sku) ?? { sku, productTitle: sku, size: null, availableAfterDeploy: null };
  return { ...record, delta };
}

/** What is on record of the SKUs that the adjustment deployed, by SKU. Each chunk's changes are unpacked once. */
async function readDeployed(
  reader: Database,
  session: SessionRow,
  { adjustmentId }: RollbackPlan,
): Promise<Map<string, Recorded>> {
  const { rows } = await sql<Recorded>`
    with sent as (
      select chunk.id, change->>'sku' as sku, (change->>'changeFromQuantity')::integer as available
      from adjustment_chunks chunk, jsonb_array_elements(chunk.changes) change
      where chunk.adjustment_id = ${adjustmentId} and chunk.direction = 'deploy')
    select moved.sku, item.product_title as "productTitle", item.size,
      sent.available + moved.delta as "availableAfterDeploy"
    from stock_ledger moved
    join session_items item on item.session_id = moved.session_id and item.sku = moved.sku
    left join sent on sent.id = moved.chunk_id and sent.sku = moved.sku
    where moved.adjustment_id = ${adjustmentId} and moved.direction = 'deploy'
      and moved.session_id = ${session.id}`.execute(reader);
  return new Map(rows.map((row) => [row.sku, row]));
}
