import { groupBy, type OrderedProduct, productOrder, type SheetOrder } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/** The sessions, the newest first, whose counts say what lies in an area. */
const sessionsLookedAt = 3;

/** A SKU that was counted in an area. */
interface CountedThere {
  readonly areaId: string;
  readonly sku: string;
  /** Its place: what the latest pass counted as that walked, then what only the one before it did, and so on. */
  readonly place: number;
}

/**
 * What was counted in areas, the present session included: never from stock, so that a sheet expects nothing. Areas that were merged into
 * one of these lie in it.
 */
async function readCountedThere(
  database: Database,
  storeId: string,
  areaIds: readonly string[],
): Promise<readonly CountedThere[]> {
  const { rows } = await sql<CountedThere>`
    with looked_at as (
      select coalesce(merged_into, id) as area_id, id as source_id from areas
      where id = any(${[...areaIds]}::uuid[]) or merged_into = any(${[...areaIds]}::uuid[])),
    counts as (
      select target.area_id, newest.id as session_id, newest.started_at, target.source_id
      from looked_at target
      cross join lateral (
        select id, started_at from sessions session
        where session.store_id = ${storeId} and exists (
          select from scans
          where area_id = target.source_id and session_id = session.id and status = 'counted' and sku is not null)
        order by started_at desc, id limit ${sessionsLookedAt}) newest),
    counted as (
      select counts.area_id, scan.sku,
        dense_rank() over (partition by counts.area_id order by counts.started_at desc, scan.pass desc) as age,
        min(scan.scanned_at) as scanned_at, min(scan.id) as id
      from counts
      join scans scan on scan.area_id = counts.source_id and scan.session_id = counts.session_id
      where scan.status = 'counted' and scan.sku is not null
      group by counts.area_id, counts.started_at, scan.pass, scan.sku)
    select area_id, sku,
      min(row_number)::integer as place
    from (select *, row_number() over (partition by area_id order by age, scanned_at, id) from counted) walked
    group by area_id, sku`.execute(database);
  return rows;
}

/**
 * The products that are likely to lie in each area, in the order of its sheets: what was counted there last as it was walked, then what was
 * only counted there before as that was walked; or all of it by title. Products that are not in the session are left out.
 */
export async function likelyProducts<Product extends OrderedProduct>(
  database: Database,
  storeId: string,
  areaIds: readonly string[],
  { order, find }: { order: SheetOrder; find: (sku: string) => Product | undefined },
): Promise<ReadonlyMap<string, readonly Product[]>> {
  const there = groupBy(await readCountedThere(database, storeId, areaIds), ({ areaId }) => areaId);
  const { products } = productOrder();
  const lists = [...there].map(([areaId, counted]) => {
    const known = counted.flatMap(({ sku, place }) => {
      const product = find(sku);
      return product === undefined ? [] : { product, place };
    });
    known.sort((left, right) =>
      order === "walk" ? left.place - right.place : products(left.product, right.product),
    );
    return [areaId, known.map(({ product }) => product)] as const;
  });
  return new Map(lists);
}
