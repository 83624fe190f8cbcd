import type { OtherCount } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { withCounts } from "../other-sessions/item-scope-queries.ts";

interface OtherRow {
  readonly id: string;
  readonly storeName: string;
  readonly status: SessionRow["status"];
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly endSnapshotAt: Date | null;
  readonly counted: number;
  readonly manual: boolean;
  readonly endOnHand: number | null;
  readonly deployed: number;
}

const listed = 20;

/**
 * What other sessions of the Shopify location counted of an item, newest first, archived ones too; a follow-up of other SKUs did not
 * count it.
 */
export async function readOtherCounts(
  reader: Database,
  session: SessionRow,
  inventoryItemId: string,
): Promise<OtherCount[]> {
  const { rows } = await sql<OtherRow>`
    select other.id, store.name as store_name, other.status, other.started_at, other.ended_at, other.end_snapshot_at,
      count.counted, count.manual, count.end_on_hand, (
        select coalesce(sum(ledger.delta), 0)::bigint from stock_ledger ledger
        where ledger.session_id = other.id and ledger.inventory_item_id = ${inventoryItemId}
      ) as deployed
    from sessions other
    join stores store on store.id = other.store_id
    cross join lateral (
      select coalesce(manual.new_count, scanned.units)::bigint as counted, manual.new_count is not null as manual,
        item.end_on_hand
      from session_items item
      ${withCounts}
      where item.session_id = other.id and item.inventory_item_id = ${inventoryItemId}
        and (other.only_skus is null or item.sku = any(other.only_skus))
        and coalesce(manual.new_count, scanned.units) is not null
      union all
      select kept.counted, kept.by_hand, kept.end_on_hand from archived_counts kept
      where kept.session_id = other.id and kept.inventory_item_id = ${inventoryItemId} and kept.counted is not null) count
    where other.id <> ${session.id} and other.shop_domain = ${session.shopDomain}
      and other.shopify_location_id = ${session.shopifyLocationId}
    order by other.started_at desc
    limit ${listed}`.execute(reader);
  return rows.map(present);
}

function present(row: OtherRow): OtherCount {
  const hasEnded = row.status === "closed";
  return {
    session: {
      _id: row.id,
      storeName: row.storeName,
      status: hasEnded ? "closed" : "active",
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    },
    counted: row.counted,
    manual: row.manual,
    variance: hasEnded && row.endSnapshotAt !== null ? row.counted - (row.endOnHand ?? 0) : null,
    deployed: row.deployed,
  };
}
