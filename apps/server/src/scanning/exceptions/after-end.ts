import { type Selectable, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { ScansTable } from "../../database/tables.ts";
import { deviceErrorMs } from "../../kernel/clock.ts";
import { isAsAtEnd } from "../../sessions/sessions.ts";
import { isPlatformError, type LiveLevel } from "../../shopify/shopify.ts";
import type { ScanningServices } from "../services.ts";

type Scan = Pick<Selectable<ScansTable>, "id" | "sessionId">;

/**
 * Condition over `scan` and its `session`: the scan may have been made after the end stock of its item was read, so that
 * it is compared with stock of an earlier moment. A time that is not known may be any until the scan was received.
 */
export const madeAfterEnd = sql<boolean>`coalesce(scan.received_at >= session.end_read_from
  and (not scan.time_known or scan.scanned_at >= session.end_read_from
    - ${deviceErrorMs}::double precision * interval '1 millisecond'), false)`;

/** What Shopify said of an item before a scan of it is accepted; `isAsAtEnd` false too where Shopify said nothing. */
export interface AskedLevel {
  readonly sku: string;
  readonly level: LiveLevel | null;
}

/** A person waits for the answer. */
const askWithinMs = 5_000;

/** Asks Shopify for the stock of a SKU now, where a scan was made after the end; null where nothing is to be asked. */
export async function askAfterEnd(
  { database, platform }: Pick<ScanningServices, "database" | "platform">,
  scan: Scan,
  sku: string,
): Promise<AskedLevel | null> {
  const { rows } = await sql<{ itemId: string; shopifyLocationId: string }>`
    select item.inventory_item_id as item_id, session.shopify_location_id
    from scans scan
    join sessions session on session.id = scan.session_id
    join session_items item on item.session_id = scan.session_id and item.sku = ${sku}
    where scan.id = ${scan.id} and session.status = 'closed' and ${madeAfterEnd}`.execute(database);
  const [found] = rows;
  if (found === undefined) return null;
  const signal = AbortSignal.timeout(askWithinMs);
  try {
    const levels = await platform.liveLevels(found.shopifyLocationId, [found.itemId], signal);
    return { sku, level: levels.get(found.itemId) ?? null };
  } catch (error) {
    if (!signal.aborted && !isPlatformError(error)) throw error;
    return { sku, level: null };
  }
}

/**
 * Marks the figure of a SKU that a scan counts in which was made after the end, unless Shopify was asked and nothing has
 * happened to its stock since the end. While the session ends the mark waits for the question that follows the end.
 */
export async function markAfterEnd(
  transaction: Transaction,
  scan: Scan,
  sku: string,
  asked: AskedLevel | null,
): Promise<void> {
  const { rows } = await sql<{
    status: "active" | "ending" | "closed";
    endOnHand: number | null;
    endLevelUpdatedAt: Date | null;
  }>`
    select session.status, item.end_on_hand, item.end_level_updated_at
    from scans scan
    join sessions session on session.id = scan.session_id
    join session_items item on item.session_id = scan.session_id and item.sku = ${sku}
    where scan.id = ${scan.id} and session.status <> 'active' and ${madeAfterEnd}`.execute(transaction);
  const [end] = rows;
  if (end === undefined) return;
  if (end.status === "closed" && asked?.sku === sku && isAsAtEnd(end, asked.level)) return;
  const reason = end.status === "closed" ? "COUNTED_AFTER_END" : "MOVED_DURING_END";
  await transaction
    .insertInto("uncertainFigures")
    .values({ sessionId: scan.sessionId, sku, reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
