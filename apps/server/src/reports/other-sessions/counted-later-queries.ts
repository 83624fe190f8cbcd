import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { SessionsTable } from "../../database/tables.ts";
import { among, type Skus } from "../counted-stock-queries.ts";
import { isInScope } from "./item-scope-queries.ts";

type Session = Pick<Selectable<SessionsTable>, "id" | "shopDomain" | "shopifyLocationId" | "endedAt">;

/**
 * The SKUs, of those asked for, that a session of the same Shopify location which ended later has in scope, archived ones too. Most
 * sessions have no later one: that is asked first, because a plan for both questions at once reads every item.
 */
export async function readCountedLater(
  reader: Database,
  session: Session,
  skus: Skus,
): Promise<ReadonlySet<string>> {
  return readCountedIn(reader, session, skus, await findLaterSessions(reader, session, null));
}

/** The SKUs, of those asked for, that any of these sessions has in scope. */
export async function readCountedIn(
  reader: Database,
  session: Pick<Session, "id">,
  skus: Skus,
  later: readonly string[],
): Promise<ReadonlySet<string>> {
  if (later.length === 0) return new Set();
  const { rows } = await sql<{ sku: string }>`
    select item.sku
    from session_items item
    join session_items later
      on later.inventory_item_id = item.inventory_item_id and later.session_id = any(${later}::uuid[])
    join sessions on sessions.id = later.session_id
    where item.session_id = ${session.id} and ${among(sql`item.sku`, skus)} and ${isInScope("later", "sessions")}
    union
    select item.sku
    from session_items item
    join archived_counts later
      on later.inventory_item_id = item.inventory_item_id and later.session_id = any(${later}::uuid[])
    where item.session_id = ${session.id} and ${among(sql`item.sku`, skus)}`.execute(reader);
  return new Set(rows.map(({ sku }) => sku));
}

/**
 * The sessions of the same Shopify location that ended later.
 * @param endedBefore only those that had ended by then
 */
export async function findLaterSessions(
  reader: Database,
  session: Session,
  endedBefore: Date | null,
): Promise<string[]> {
  const later = await reader
    .selectFrom("sessions")
    .select("id")
    .where("status", "=", "closed")
    .where("id", "<>", session.id)
    .where("shopDomain", "=", session.shopDomain)
    .where("shopifyLocationId", "=", session.shopifyLocationId)
    .where("endedAt", ">", session.endedAt)
    .$if(endedBefore !== null, (query) => query.where("endedAt", "<", endedBefore))
    .execute();
  return later.map(({ id }) => id);
}
