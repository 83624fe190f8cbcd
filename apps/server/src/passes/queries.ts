import { type AreaPass, Pass as PassNumber } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import type { Database, Transaction } from "../database/pool.ts";
import type { AreaPassesTable } from "../database/tables.ts";
import { type Page, type PageRequest, readPage } from "../kernel/paging.ts";
import { endings, reasonsOfEndings } from "./endings.ts";

/** A pass of an area in a session. */
export interface Pass {
  readonly sessionId: string;
  readonly areaId: string;
  readonly pass: number;
}

/** A pass, each part as SQL. */
export interface PassInQuery {
  readonly sessionId: RawBuilder<unknown>;
  readonly areaId: RawBuilder<unknown>;
  readonly pass: RawBuilder<unknown>;
}

/** Condition: the row, under its alias where it has one, belongs to the pass. */
export function isOfPass({ sessionId, areaId, pass }: Pass, alias?: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(alias === undefined ? name : `${alias}.${name}`);
  return sql<boolean>`${column("sessionId")} = ${sessionId} and ${column("areaId")} = ${areaId}
    and ${column("pass")} = ${pass}`;
}

/** How many units count in the pass, over all devices. The caller holds the area's row, or it may be out of date. */
export async function totalOf(transaction: Transaction, pass: Pass): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(quantity), 0)::bigint as total from scan_totals where ${isOfPass(pass)}`.execute(
    transaction,
  );
  return rows[0]?.total ?? 0;
}

/**
 * Of the scans under the alias: the first and the last time that is known, and how many have none that is, in the order
 * of the columns of the running totals.
 */
export function countingTimes(alias: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const known = sql`filter (where ${column("timeKnown")})`;
  return sql`min(${column("scannedAt")}) ${known}, max(${column("scannedAt")}) ${known},
    count(*) filter (where not ${column("timeKnown")})`;
}

/**
 * Adds scans that have just become counted to the running totals. `condition` selects them; it may refer to the alias
 * `scan`.
 */
export async function addToTotals(transaction: Transaction, condition: RawBuilder<boolean>): Promise<void> {
  await sql`
    insert into scan_totals as total (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at,
      unknown_times)
    select scan.session_id, scan.area_id, scan.pass, scan.sku, sum(scan.quantity), ${countingTimes("scan")}
    from scans scan
    where ${condition} and scan.status = 'counted'
    group by scan.session_id, scan.area_id, scan.pass, scan.sku
    order by scan.session_id, scan.area_id, scan.pass, scan.sku
    on conflict (session_id, area_id, pass, sku) do update
    set quantity = total.quantity + excluded.quantity,
      first_counted_at = least(total.first_counted_at, excluded.first_counted_at),
      last_counted_at = greatest(total.last_counted_at, excluded.last_counted_at),
      unknown_times = total.unknown_times + excluded.unknown_times`.execute(transaction);
}

/** Subtracts a scan, which no longer counts, from the running totals; a SKU without scans has no row. */
export async function subtractFromTotals(
  transaction: Transaction,
  pass: Pass,
  { sku, quantity }: { readonly sku: string; readonly quantity: number },
): Promise<void> {
  const key = sql`${isOfPass(pass)} and sku = ${sku}`;
  await sql`
    update scan_totals set quantity = quantity - ${quantity},
      (first_counted_at, last_counted_at, unknown_times) = (
        select ${countingTimes("scans")} from scans where ${key} and status = 'counted')
    where ${key}`.execute(transaction);
  await sql`delete from scan_totals where ${key} and quantity = 0`.execute(transaction);
}

interface PassRow {
  readonly areaId: string;
  readonly pass: number;
  readonly scans: number;
  readonly declaredTotal: number | null;
  readonly serverTotal: number | null;
  readonly endedAs: AreaPassesTable["endedAs"];
  readonly endedAt: Date | null;
}

/**
 * A page of every pass of every area of a session, in the order of the areas' ids. `scans` is the units that the pass counted: of its counted scans, and of a voided pass those
 * that were voided with it, not the ones undone before.
 */
export async function readPasses(
  database: Database,
  sessionId: string,
  page: PageRequest = {},
): Promise<Page<AreaPass>> {
  const passes = await readPage(page, {
    position: PassPosition,
    positionOf: ({ areaId, pass }: PassRow): PassPosition => [areaId, pass],
    read: (after, count) => readPassRows(database, sessionId, after, count),
    count: () => countPasses(database, sessionId),
  });
  return { ...passes, items: passes.items.map(presentPass) };
}

const PassPosition = z.tuple([z.guid(), PassNumber]);
type PassPosition = z.infer<typeof PassPosition>;

async function readPassRows(
  database: Database,
  sessionId: string,
  after: PassPosition | null,
  count: number,
): Promise<PassRow[]> {
  const [areaId, pass] = after ?? [null, null];
  const { rows } = await sql<PassRow>`
    select pass.area_id, pass.pass, pass.declared_total, pass.server_total, pass.ended_as, pass.ended_at,
      (select coalesce(sum(total.quantity), 0)::bigint from scan_totals total
        where total.session_id = pass.session_id and total.area_id = pass.area_id and total.pass = pass.pass)
      -- A voided pass has no totals any more, and one that was not voided none of these scans, however many others it has.
      + case when pass.ended_as = any(${Object.keys(endings)}::text[]) then (
        select coalesce(sum(scan.quantity), 0) from scans scan
        where scan.session_id = pass.session_id and scan.area_id = pass.area_id and scan.pass = pass.pass
          and scan.voided_from = 'counted' and scan.reason = any(${reasonsOfEndings}::text[])) else 0 end as scans
    from area_passes pass
    where pass.session_id = ${sessionId}
      and (${areaId}::uuid is null or (pass.area_id, pass.pass) > (${areaId}::uuid, ${pass}::integer))
    order by pass.area_id, pass.pass
    limit ${count}`.execute(database);
  return rows;
}

async function countPasses(database: Database, sessionId: string): Promise<number> {
  const { passes } = await database
    .selectFrom("areaPasses")
    .select(({ fn }) => fn.countAll<number>().as("passes"))
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  return Number(passes);
}

function presentPass(row: PassRow): AreaPass {
  return {
    areaId: row.areaId,
    pass: row.pass,
    scans: row.scans,
    declaredTotal: row.declaredTotal,
    serverTotal: row.serverTotal,
    endedAs: row.endedAs,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** Of the row of `areas`: the next pass, beyond those of its second counts and one in which only scans are that have to be late. */
export const nextPass = sql<number>`(greatest(areas.pass, areas.refused_pass, (
  select max(attempt.pass) from second_counts attempt where attempt.area_id = areas.id)) + 1)`;

/**
 * How many passes are left out where an area means another shelf from now on. A device without a network expects the next pass with each
 * reset, and nobody counts an area anew a hundred times before the device is heard of.
 */
export const passesLeftOut = 100;

/** Leaves out the passes that a device may expect which has reset the area, once or more, without a network. */
export async function skipExpectedPasses(
  transaction: Transaction,
  { areaId, pass }: Pick<Pass, "areaId" | "pass">,
): Promise<void> {
  await refusePasses(transaction, areaId, pass + passesLeftOut);
}

/**
 * Leaves out the pass that a device expected of a reset that is refused: an app of before `passOfNoCount` goes on in it, and may send what it
 * scanned there long after the area has begun its next one.
 */
export async function skipExpectedPass(
  transaction: Transaction,
  { areaId, pass }: Pick<Pass, "areaId" | "pass">,
): Promise<void> {
  await refusePasses(transaction, areaId, pass + 1);
}

async function refusePasses(transaction: Transaction, areaId: string, last: number): Promise<void> {
  await transaction.updateTable("areas").set({ refusedPass: last }).where("id", "=", areaId).execute();
}

/** Ends what is open: of an area that is counted anew, or of a session that is over. Its scans stay as they are. */
export async function endOpenAttempts(
  transaction: Transaction,
  { sessionId, areaId }: { readonly sessionId: string; readonly areaId?: string },
  endedBy: string | null,
): Promise<void> {
  const endedAs = areaId === undefined ? "session_ended" : "area_reopened";
  await transaction
    .updateTable("secondCounts")
    .set({ endedAs, endedBy, endedAt: sql<Date>`now()` })
    .where("sessionId", "=", sessionId)
    .where("endedAs", "is", null)
    .$if(areaId !== undefined, (query) => query.where("areaId", "=", areaId ?? ""))
    .execute();
}

/** Every area of the store begins a pass of its own in a session that starts. */
export async function beginSessionPasses(
  transaction: Transaction,
  { sessionId, storeId }: { readonly sessionId: string; readonly storeId: string },
): Promise<void> {
  await sql`
    with begun as (
      update areas set pass = ${nextPass}, status = 'not_started', closed_by = null, closed_at = null
      where store_id = ${storeId} and deleted_at is null
      returning id, pass)
    insert into area_passes (session_id, area_id, pass) select ${sessionId}::uuid, id, pass from begun`.execute(
    transaction,
  );
}

/**
 * Marks the areas where a pass has its first scan; returns those that changed. The areas are locked FOR KEY SHARE already,
 * so this waits only for another scan's transaction that does the same.
 */
export async function markInProgress(
  transaction: Transaction,
  areaIds: readonly string[],
): Promise<string[]> {
  if (areaIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select id from areas where id = any(${areaIds}::uuid[]) and status = 'not_started'
      order by id for no key update)
    update areas set status = 'in_progress' from waiting where areas.id = waiting.id
    returning areas.id`.execute(transaction);
  return rows.map(({ id }) => id);
}
