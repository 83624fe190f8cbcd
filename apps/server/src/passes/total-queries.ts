import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";

/** A pass of an area in a session. */
export interface Pass {
  readonly sessionId: string;
  readonly areaId: string;
  readonly pass: number;
}

/** Condition: the row, under its alias where it has one, belongs to the pass. */
export function isOfPass({ sessionId, areaId, pass }: Pass, alias?: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(alias === undefined ? name : `${alias}.${name}`);
  return sql<boolean>`${column("session_id")} = ${sessionId} and ${column("area_id")} = ${areaId}
    and ${column("pass")} = ${pass}`;
}

/** How many scans count in the pass, over all devices. The caller holds the area's row, or it may be out of date. */
export async function totalOf(transaction: Transaction, pass: Pass): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(quantity), 0) as total from scan_totals where ${isOfPass(pass)}`.execute(transaction);
  return rows[0]?.total ?? 0;
}

/**
 * Adds scans that have just become counted to the running totals. `condition` selects them; it may refer to the alias
 * `scan`.
 */
export async function addToTotals(transaction: Transaction, condition: RawBuilder<boolean>): Promise<void> {
  await sql`
    insert into scan_totals as total (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at)
    select scan.session_id, scan.area_id, scan.pass, scan.sku, count(*), min(scan.scanned_at), max(scan.scanned_at)
    from scans scan
    where ${condition} and scan.status = 'counted'
    group by scan.session_id, scan.area_id, scan.pass, scan.sku
    order by scan.session_id, scan.area_id, scan.pass, scan.sku
    on conflict (session_id, area_id, pass, sku) do update
    set quantity = total.quantity + excluded.quantity,
      first_counted_at = least(total.first_counted_at, excluded.first_counted_at),
      last_counted_at = greatest(total.last_counted_at, excluded.last_counted_at)`.execute(transaction);
}

/** Subtracts one scan, which no longer counts, from the running totals; a SKU without scans has no row. */
export async function subtractFromTotals(transaction: Transaction, pass: Pass, sku: string): Promise<void> {
  const key = sql`${isOfPass(pass)} and sku = ${sku}`;
  await sql`
    update scan_totals set quantity = quantity - 1,
      (first_counted_at, last_counted_at) = (
        select min(scanned_at), max(scanned_at) from scans where ${key} and status = 'counted')
    where ${key}`.execute(transaction);
  await sql`delete from scan_totals where ${key} and quantity = 0`.execute(transaction);
}

export async function deleteTotals(transaction: Transaction, pass: Pass): Promise<void> {
  await transaction.deleteFrom("scan_totals").where(isOfPass(pass)).execute();
}
