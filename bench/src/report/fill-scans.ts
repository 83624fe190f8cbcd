import type { OpenDatabase } from "@stocktake/server/database/pool.ts";

type Pool = OpenDatabase["pool"];

/** The shape of the filled session. */
export interface ScanPlan {
  readonly sessionId: string;
  /** One SKU in so many is counted one too many or one too few. */
  readonly varyingOneIn: number;
}

/**
 * Stores as many scans as a counted store of this stock would have made, with the running totals that the product keeps
 * of them: one to three areas a SKU, one device an area. One statement instead of a million calls; what it writes is what the
 * product's own storing writes, but for `received_at`: all of them came ten minutes ago, whatever their `scanned_at` says. An end right
 * after so many scans that have only just come takes about a tenth longer (1.05 of 9.2 s on a busy machine).
 */
export async function fillScans(pool: Pool, plan: ScanPlan): Promise<{ scans: number; totals: number }> {
  await pool.query("set statement_timeout = 0");
  const { rows } = await pool.query<{ scans: number; totals: number }>(statement, [
    plan.sessionId,
    plan.varyingOneIn,
  ]);
  await pool.query("update areas set status = 'closed', closed_at = now()");
  // Autovacuum does the same in the hours that such a count takes (hint bits, the BRIN index of `received_at`); nothing else is made faster by it.
  await pool.query("vacuum analyze");
  const [filled] = rows;
  if (filled === undefined) throw new Error("No scan was stored.");
  return filled;
}

const statement = `
  with area as (
    select id, location_id, row_number() over (order by id) - 1 as place, count(*) over () as areas, pass
    from areas
  ), product as (
    select sku, coalesce(barcode, sku) as input, abs(hashtext(sku)::bigint) as lot,
      start_on_hand + case when abs(hashtext(sku)::bigint) % $2 = 0
        then case when start_on_hand > 0 and abs(hashtext(sku)::bigint) % 3 = 0 then -1 else 1 end else 0 end as units
    from session_items where session_id = $1
  ), unit as (
    select product.sku, product.input, area.id as area_id, area.location_id, area.pass, area.place,
      row_number() over (order by area.place, product.lot, number) as arrival
    from product
    cross join lateral generate_series(1, product.units) number
    join area on area.place = (product.lot + number % (1 + product.lot % 3)) % area.areas
  ), stored as (
    insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, op_id, input, input_type,
      method, sku, status, scanned_at, received_at, scanned_by, sent_by)
    select session.id, session.store_id, unit.location_id, unit.area_id, unit.pass, 'device-' || unit.place,
      unit.arrival, gen_random_uuid(), unit.input, 'barcode', 'scan', unit.sku, 'counted',
      session.started_at + unit.arrival * interval '10 milliseconds', now() - interval '10 minutes',
      session.started_by, session.started_by
    from unit, sessions session where session.id = $1
    returning session_id, area_id, pass, sku, scanned_at
  ), totals as (
    insert into scan_totals (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at)
    select session_id, area_id, pass, sku, count(*), min(scanned_at), max(scanned_at)
    from stored group by session_id, area_id, pass, sku
    returning quantity
  )
  select sum(quantity)::integer as scans, count(*)::integer as totals from totals`;
