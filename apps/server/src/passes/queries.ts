import type { AreaPass, ScanReason } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { AreaPassesTable } from "../database/tables.ts";
import { isOfPass, type Pass } from "./total-queries.ts";

interface PassRow {
  readonly area_id: string;
  readonly pass: number;
  readonly scans: number;
  readonly declared_total: number | null;
  readonly server_total: number | null;
  readonly ended_as: AreaPassesTable["ended_as"];
  readonly ended_at: Date | null;
}

/**
 * Every pass of every area of a session. `scans` is what the pass counted: its counted scans, and of a voided pass those
 * that were voided with it, not the ones undone before.
 */
export async function readPasses(database: Database, sessionId: string): Promise<AreaPass[]> {
  const { rows } = await sql<PassRow>`
    select pass.area_id, pass.pass, pass.declared_total, pass.server_total, pass.ended_as, pass.ended_at,
      (select count(*) from scans scan
        where scan.session_id = pass.session_id and scan.area_id = pass.area_id and scan.pass = pass.pass
          and (scan.status = 'counted'
            or scan.voided_from = 'counted' and scan.reason not in ('UNDONE', 'DISMISSED'))) as scans
    from area_passes pass
    where pass.session_id = ${sessionId}
    order by pass.area_id, pass.pass`.execute(database);
  return rows.map((row) => ({
    areaId: row.area_id,
    pass: row.pass,
    scans: row.scans,
    declaredTotal: row.declared_total,
    serverTotal: row.server_total,
    endedAs: row.ended_as,
    endedAt: row.ended_at?.toISOString() ?? null,
  }));
}

/** The last pass of each area in a session that is over: the areas may be in a later session by now. */
export async function lastPasses(
  database: Database,
  sessionId: string,
  areaIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (areaIds.length === 0) return new Map();
  const passes = await database
    .selectFrom("area_passes")
    .select(["area_id", (pass) => pass.fn.max("pass").as("pass")])
    .where("session_id", "=", sessionId)
    .where("area_id", "in", areaIds)
    .groupBy("area_id")
    .execute();
  return new Map(passes.map(({ area_id, pass }) => [area_id, pass]));
}

interface VoidedScans {
  readonly counted: number;
  readonly unresolved: number;
}

/** Voids the scans of a pass that are not voided or late; returns how many were counted and how many unresolved. */
export async function voidScans(
  transaction: Transaction,
  current: Pass,
  { reason, endedBy }: { readonly reason: ScanReason; readonly endedBy: string },
): Promise<VoidedScans> {
  const { rows } = await sql<VoidedScans>`
    with voided as (
      update scans
      set status = 'voided', reason = ${reason}, voided_from = status, voided_from_reason = reason,
        voided_by = ${endedBy}, voided_at = now()
      where ${isOfPass(current)} and status in ('counted', 'unresolved')
      returning voided_from)
    select count(*) filter (where voided_from = 'counted') as counted,
      count(*) filter (where voided_from = 'unresolved') as unresolved
    from voided`.execute(transaction);
  return rows[0] ?? { counted: 0, unresolved: 0 };
}

interface RecordedEnding {
  readonly endedAs: NonNullable<AreaPassesTable["ended_as"]>;
  readonly endedBy: string;
  readonly counted: number;
}

export async function recordEnding(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
  { endedAs, endedBy, counted }: RecordedEnding,
): Promise<void> {
  // A pass that was finished keeps the total it was finished with: a repeated finish is answered from it.
  await sql`
    insert into area_passes (session_id, area_id, pass, server_total, ended_as, ended_at, ended_by)
    values (${sessionId}, ${areaId}, ${pass}, ${counted}, ${endedAs}, now(), ${endedBy})
    on conflict (session_id, area_id, pass) do update
    set server_total = coalesce(area_passes.server_total, excluded.server_total),
      ended_as = excluded.ended_as, ended_at = excluded.ended_at, ended_by = excluded.ended_by`.execute(
    transaction,
  );
}

/** Begins the area's next pass and returns its number. The new row's foreign key locks the session, so its row must be held already. */
export async function raisePass(
  transaction: Transaction,
  { sessionId, areaId }: Pass,
  status: "not_started" | "in_progress",
): Promise<number> {
  const { pass } = await transaction
    .updateTable("areas")
    .set((area) => ({ pass: area("pass", "+", 1), status, closed_by: null, closed_at: null }))
    .where("id", "=", areaId)
    .returning("pass")
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("area_passes")
    .values({ session_id: sessionId, area_id: areaId, pass })
    .execute();
  return pass;
}

interface Declaration {
  readonly deviceId: string;
  readonly declaredTotal: number;
  readonly serverTotal: number;
}

export async function recordDeclaration(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
  { deviceId, declaredTotal, serverTotal }: Declaration,
): Promise<void> {
  await sql`
    insert into area_passes (session_id, area_id, pass, declared_total, server_total, finished_by_device)
    values (${sessionId}, ${areaId}, ${pass}, ${declaredTotal}, ${serverTotal}, ${deviceId})
    on conflict (session_id, area_id, pass) do update
    set declared_total = excluded.declared_total, server_total = excluded.server_total,
      finished_by_device = excluded.finished_by_device`.execute(transaction);
}

export async function closePass(transaction: Transaction, current: Pass, endedBy: string): Promise<void> {
  const now = sql<Date>`now()`;
  await transaction
    .updateTable("areas")
    .set({ status: "closed", closed_by: endedBy, closed_at: now })
    .where("id", "=", current.areaId)
    .execute();
  await transaction
    .updateTable("area_passes")
    .set({ ended_as: "closed", ended_at: now, ended_by: endedBy })
    .where(isOfPass(current))
    .execute();
}

/** How a pass ended: null while it runs, undefined where there is no such pass. */
export async function findEnding(
  transaction: Transaction,
  pass: Pass,
): Promise<AreaPassesTable["ended_as"] | undefined> {
  const row = await transaction
    .selectFrom("area_passes")
    .select("ended_as")
    .where(isOfPass(pass))
    .executeTakeFirst();
  return row?.ended_as;
}

/** Gives the scans that were voided for one of the reasons back what they were, in another pass. */
export async function unvoidScans(
  transaction: Transaction,
  voided: Pass,
  { reasons, pass }: { readonly reasons: readonly ScanReason[]; readonly pass: number },
): Promise<void> {
  await sql`
    update scans
    set status = voided_from, reason = voided_from_reason, pass = ${pass},
      voided_from = null, voided_from_reason = null, voided_by = null, voided_at = null
    where ${isOfPass(voided)} and status = 'voided' and reason = any(${reasons}::text[])`.execute(
    transaction,
  );
}

export async function markRestored(transaction: Transaction, pass: Pass, endedBy: string): Promise<void> {
  await transaction
    .updateTable("area_passes")
    .set({ ended_as: "restored", ended_at: sql<Date>`now()`, ended_by: endedBy })
    .where(isOfPass(pass))
    .execute();
}

/** Every area of the store begins a pass of its own in a session that starts. */
export async function beginSessionPasses(
  transaction: Transaction,
  { sessionId, storeId }: { readonly sessionId: string; readonly storeId: string },
): Promise<void> {
  await sql`
    with begun as (
      update areas set pass = pass + 1, status = 'not_started', closed_by = null, closed_at = null
      where store_id = ${storeId} and deleted_at is null
      returning id, pass)
    insert into area_passes (session_id, area_id, pass) select ${sessionId}::uuid, id, pass from begun`.execute(
    transaction,
  );
}

/** Areas that are added while a session runs begin their first pass in it. */
export async function beginFirstPasses(
  transaction: Transaction,
  sessionId: string,
  areaIds: readonly string[],
): Promise<void> {
  await sql`
    insert into area_passes (session_id, area_id, pass)
    select ${sessionId}::uuid, id, pass from areas where id = any(${areaIds}::uuid[])`.execute(transaction);
}

/** Ends every open pass of a session that ends; what they counted stays counted. */
export async function endSessionPasses(
  transaction: Transaction,
  sessionId: string,
  endedBy: string | null,
): Promise<void> {
  await sql`
    update area_passes pass set ended_as = 'session_ended', ended_at = now(), ended_by = ${endedBy},
      server_total = (
        select coalesce(sum(total.quantity), 0) from scan_totals total
        where total.session_id = pass.session_id and total.area_id = pass.area_id and total.pass = pass.pass)
    where session_id = ${sessionId} and ended_as is null`.execute(transaction);
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
