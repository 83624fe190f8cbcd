import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { isItemAsAtEnd } from "../../sessions/sessions.ts";
import { isPlatformError, type LiveLevel } from "../../shopify/shopify.ts";
import type { ScanningServices } from "../services.ts";
import { madeAfterEnd } from "./scan-queries.ts";

/** A scan, and the SKU that it is to count as. */
export interface CountedAs {
  readonly id: number;
  readonly sku: string;
}

/** What Shopify said of SKUs before scans of them are accepted; null of one whose item is gone. */
export type AskedLevels = ReadonlyMap<string, LiveLevel | null>;

/** A person waits for the answer. */
const askWithinMs = 5_000;

/** Asks Shopify for the stock of SKUs now, where scans were made after the end; empty where nothing is to be asked. */
export async function askAfterEnd(
  { database, platform }: Pick<ScanningServices, "database" | "platform">,
  sessionId: string,
  scans: readonly CountedAs[],
): Promise<AskedLevels> {
  const { rows } = await sql<{ sku: string; itemId: string; shopifyLocationId: string }>`
    select distinct item.sku, item.inventory_item_id as item_id, session.shopify_location_id
    from ${listed(scans)}
    join scans scan on scan.id = given.id
    join sessions session on session.id = scan.session_id
    join session_items item on item.session_id = scan.session_id and item.sku = given.sku
    where session.id = ${sessionId} and session.status = 'closed' and ${madeAfterEnd}`.execute(database);
  const [first] = rows;
  if (first === undefined) return new Map();
  const signal = AbortSignal.timeout(askWithinMs);
  const items = rows.map(({ itemId }) => itemId);
  try {
    const levels = await platform.liveLevels(first.shopifyLocationId, items, signal);
    return new Map(rows.map(({ sku, itemId }) => [sku, levels.get(itemId) ?? null]));
  } catch (error) {
    if (!signal.aborted && !isPlatformError(error)) throw error;
    return new Map();
  }
}

/**
 * Marks the figures of SKUs that scans count in which were made after the end, unless Shopify was asked and nothing has
 * happened to their stock since the end. While the session ends a mark waits for the question that follows the end.
 */
export async function markAfterEnd(
  transaction: Transaction,
  sessionId: string,
  scans: readonly CountedAs[],
  asked: AskedLevels,
): Promise<void> {
  const { rows } = await sql<{
    sku: string;
    status: "active" | "ending" | "closed";
    gone: boolean;
    endOnHand: number | null;
    endLevelUpdatedAt: Date | null;
  }>`
    select distinct item.sku, session.status, item.gone, item.end_on_hand, item.end_level_updated_at
    from ${listed(scans)}
    join scans scan on scan.id = given.id
    join sessions session on session.id = scan.session_id
    join session_items item on item.session_id = scan.session_id and item.sku = given.sku
    where session.id = ${sessionId} and session.status <> 'active' and ${madeAfterEnd}`.execute(transaction);
  const marks = rows
    .filter((end) => end.status !== "closed" || !isItemAsAtEnd(end, asked.get(end.sku)))
    .map(
      ({ sku, status }) =>
        ({ sessionId, sku, reason: status === "closed" ? "COUNTED_AFTER_END" : "MOVED_DURING_END" }) as const,
    );
  if (marks.length === 0) return;
  // What was decided while there was an earlier mark was about other scans.
  await transaction
    .with("marked", (query) =>
      query
        .insertInto("uncertainFigures")
        .values(marks)
        .onConflict((conflict) => conflict.doNothing())
        .returning(["sessionId", "sku", "reason"]),
    )
    .deleteFrom("includedFigures as included")
    .using("marked")
    .whereRef("included.sessionId", "=", "marked.sessionId")
    .whereRef("included.sku", "=", "marked.sku")
    .whereRef("included.reason", "=", "marked.reason")
    .execute();
}

/** The scans as rows under the alias `given`. */
function listed(scans: readonly CountedAs[]): RawBuilder<unknown> {
  return sql`unnest(${scans.map(({ id }) => id)}::bigint[], ${scans.map(({ sku }) => sku)}::text[])
    as given (id, sku)`;
}

/** Takes the mark from SKUs in which no scan counts any more that was made after the end, and what was decided on it. */
export async function clearAfterEnd(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<void> {
  await sql`
    with cleared as (
      delete from uncertain_figures figure
      where figure.session_id = ${sessionId} and figure.reason = 'COUNTED_AFTER_END'
        and figure.sku = any(${skus}::text[])
        and not exists (
          select from scans scan join sessions session on session.id = scan.session_id
          where scan.session_id = figure.session_id and scan.sku = figure.sku and scan.status = 'counted'
            and ${madeAfterEnd})
      returning figure.session_id, figure.sku, figure.reason)
    delete from included_figures included using cleared
    where included.session_id = cleared.session_id and included.sku = cleared.sku
      and included.reason = cleared.reason`.execute(transaction);
}
