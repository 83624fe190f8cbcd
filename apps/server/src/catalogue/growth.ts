import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { freeSku } from "./stock-items.ts";

interface NewItem {
  readonly sku: string;
  readonly plain_sku: string | null;
  readonly variant_number: string;
  readonly inventory_item_id: string;
}

/**
 * Adds to a running session what the loaded reading has and the session has not, with no stock at its start. What is
 * there never changes: a new SKU that reads like one of the session's gets its variant number. The caller holds the
 * session's row. Resolves to whether anything was added.
 */
export async function growSession(transaction: Transaction, sessionId: string): Promise<boolean> {
  const added = await itemsNewTo(transaction, sessionId);
  if (added.length === 0) return false;
  const names = await namesFor(transaction, sessionId, added);
  await sql`
    insert into session_items (session_id, sku, plain_sku, inventory_item_id, variant_number, barcode, product_title,
      size, image, tracked, bundle, unit_cost_cents, stocked, start_on_hand)
    select ${sessionId}::uuid, named.sku, named.plain_sku, incoming.inventory_item_id, incoming.variant_number,
      incoming.barcode, incoming.product_title, incoming.size, incoming.image, incoming.tracked, incoming.bundle,
      incoming.unit_cost_cents, incoming.stocked, 0
    from unnest(
      ${names.map(({ id }) => id)}::text[], ${names.map(({ sku }) => sku)}::text[],
      ${names.map(({ plainSku }) => plainSku)}::text[]) named (inventory_item_id, sku, plain_sku)
    join incoming_items incoming using (inventory_item_id)`.execute(transaction);
  await transaction
    .updateTable("sessions")
    .set({ catalogue_version: sql`catalogue_version + 1` })
    .where("id", "=", sessionId)
    .execute();
  return true;
}

async function itemsNewTo(transaction: Transaction, sessionId: string): Promise<NewItem[]> {
  const { rows } = await sql<NewItem>`
    select sku, plain_sku, variant_number, inventory_item_id from incoming_items incoming
    where not exists (
      select from session_items item
      where item.session_id = ${sessionId}::uuid and item.inventory_item_id = incoming.inventory_item_id)
    order by variant_number`.execute(transaction);
  return rows;
}

async function namesFor(transaction: Transaction, sessionId: string, added: readonly NewItem[]) {
  const present = await transaction
    .selectFrom("session_items")
    .select("sku")
    .where("session_id", "=", sessionId)
    .execute();
  const taken = new Set(present.map(({ sku }) => sku));
  return added.map((item) => {
    const free = freeSku({ sku: item.sku, plainSku: item.plain_sku }, item.variant_number, taken);
    taken.add(free.sku);
    return { id: item.inventory_item_id, ...free };
  });
}
