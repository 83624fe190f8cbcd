import { type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import { among, type Skus } from "./counted-stock.ts";

type Session = Selectable<SessionsTable>;

/**
 * The SKUs, of those asked for, that a session of the same Shopify location which ended later has in scope. Most
 * sessions have no later one: that is asked first, because a plan for both questions at once reads every item.
 */
export async function readCountedLater(
  reader: Database,
  session: Session,
  skus: Skus,
): Promise<ReadonlySet<string>> {
  const later = await findLaterSessions(reader, session);
  if (later.length === 0) return new Set();
  const { rows } = await sql<{ sku: string }>`
    select distinct item.sku
    from session_items item
    join session_items later
      on later.inventory_item_id = item.inventory_item_id and later.session_id = any(${later}::uuid[])
    join sessions on sessions.id = later.session_id
    where item.session_id = ${session.id} and ${among(sql`item.sku`, skus)}
      and (
        (sessions.scope = 'full' and (later.start_on_hand <> 0 or coalesce(later.end_on_hand, 0) <> 0))
        or exists (select 1 from scan_totals total
          where total.session_id = later.session_id and total.sku = later.sku and total.quantity > 0)
        or exists (select 1 from count_adjustments manual
          where manual.session_id = later.session_id and manual.sku = later.sku))`.execute(reader);
  return new Set(rows.map(({ sku }) => sku));
}

async function findLaterSessions(reader: Database, session: Session): Promise<string[]> {
  const later = await reader
    .selectFrom("sessions")
    .select("id")
    .where("status", "=", "closed")
    .where("id", "<>", session.id)
    .where("shop_domain", "=", session.shop_domain)
    .where("shopify_location_id", "=", session.shopify_location_id)
    .where("ended_at", ">", session.ended_at)
    .execute();
  return later.map(({ id }) => id);
}
