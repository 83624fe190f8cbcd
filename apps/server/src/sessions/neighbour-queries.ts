import type { ExceptionScan } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";

/** A device's scan beside another one, as `scanBefore` and `scanAfter` select it. */
export interface Neighbour {
  readonly id: string;
  readonly input: string;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  /** Milliseconds since 1970. */
  readonly scannedAt: number;
}

/** The device's nearest scan on one side of `scan`: what lay beside it on the shelf, undone or not. */
function neighbour(side: RawBuilder<unknown>): RawBuilder<Neighbour | null> {
  return sql`(
    select json_build_object('id', near.id::text, 'input', near.input, 'sku', near.sku, 'productTitle', item.product_title,
      'size', item.size, 'scannedAt', extract(epoch from near.scanned_at) * 1000)
    from scans near
    left join session_items item on item.session_id = near.session_id and item.sku = near.sku
    where near.session_id = scan.session_id and near.device_id = scan.device_id and near.seq ${side}
    limit 1)`;
}

export const scanBefore = neighbour(sql`< scan.seq order by near.seq desc`);
export const scanAfter = neighbour(sql`> scan.seq order by near.seq`);

export function presentNeighbour(near: Neighbour | null): ExceptionScan["before"] {
  if (near === null) return null;
  const { id, scannedAt, ...rest } = near;
  return { _id: id, ...rest, scannedAt: new Date(scannedAt).toISOString() };
}
