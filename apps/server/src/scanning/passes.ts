import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";

/** How a pass ends that stops counting, and the reason that its scans then carry. */
const voidedReasons = {
  reset: "AREA_RESET",
  reopened: "AREA_REOPENED",
  mismatched: "COUNT_MISMATCHED",
  replaced: "PASS_REPLACED",
} as const;

type VoidedAs = keyof typeof voidedReasons;
export type VoidedReason = (typeof voidedReasons)[VoidedAs];

/** The reasons of scans that were voided together with their pass; restoring the pass brings these back. */
export const passVoidedReasons: readonly VoidedReason[] = Object.values(voidedReasons);

export interface PassToVoid {
  readonly sessionId: string;
  readonly areaId: string;
  readonly pass: number;
  readonly endedAs: VoidedAs;
  readonly reason: VoidedReason;
  /** The user who ended it. */
  readonly endedBy: string;
}

/**
 * Takes a pass out of the count without erasing anything: its counted and unresolved scans become voided, its running
 * totals go, its row says how it ended. Answers how many scans were voided.
 * The caller holds the session's row (FOR SHARE is enough) and the area's FOR UPDATE, taken in that order, so that no
 * scan arrives in between.
 */
export async function voidPass(transaction: Transaction, ended: PassToVoid): Promise<number> {
  const scans = await voidScans(transaction, ended);
  await transaction
    .deleteFrom("scan_totals")
    .where("session_id", "=", ended.sessionId)
    .where("area_id", "=", ended.areaId)
    .where("pass", "=", ended.pass)
    .execute();
  await endPass(transaction, ended, scans.counted);
  return scans.counted + scans.unresolved;
}

async function voidScans(transaction: Transaction, ended: PassToVoid) {
  const { sessionId, areaId, pass, reason, endedBy } = ended;
  const { rows } = await sql<{ counted: number; unresolved: number }>`
    with voided as (
      update scans
      set status = 'voided', reason = ${reason}, voided_from = status, voided_from_reason = reason,
        voided_by = ${endedBy}, voided_at = now()
      where session_id = ${sessionId} and area_id = ${areaId} and pass = ${pass}
        and status in ('counted', 'unresolved')
      returning voided_from)
    select count(*) filter (where voided_from = 'counted') as counted,
      count(*) filter (where voided_from = 'unresolved') as unresolved
    from voided`.execute(transaction);
  return rows[0] ?? { counted: 0, unresolved: 0 };
}

async function endPass(transaction: Transaction, ended: PassToVoid, counted: number): Promise<void> {
  const { sessionId, areaId, pass, endedAs, endedBy } = ended;
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

export interface PassPlace {
  readonly sessionId: string;
  readonly areaId: string;
}

/**
 * Raises the area's pass and opens the new one's row in the session; answers the new number. The area's status is the
 * caller's to set. The caller holds the session's row and then the area's FOR UPDATE, in that order: the new row's
 * foreign key locks the session.
 */
export async function beginNextPass(
  transaction: Transaction,
  { sessionId, areaId }: PassPlace,
): Promise<number> {
  const { pass } = await transaction
    .updateTable("areas")
    .set((area) => ({ pass: area("pass", "+", 1) }))
    .where("id", "=", areaId)
    .returning("pass")
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("area_passes")
    .values({ session_id: sessionId, area_id: areaId, pass })
    .execute();
  return pass;
}
