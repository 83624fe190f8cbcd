import type { CallRequest, ScanStatus, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { HeldSession, LockedArea } from "./area-queries.ts";

type UndoRequest = CallRequest<typeof undoScan>["body"];

export interface FoundScan {
  readonly id: number;
  readonly seq: number;
  readonly sku: string | null;
  readonly quantity: number;
  readonly pass: number;
  readonly status: ScanStatus;
  readonly reason: string | null;
  readonly tag: string | null;
  readonly voidedFrom: "counted" | "unresolved" | null;
  readonly voidedFromReason: string | null;
  readonly voidedBy: string | null;
  readonly voidedAt: Date | null;
  readonly scannedBy: string;
  readonly sentBy: string;
}

export interface NamedScan extends FoundScan {
  readonly areaId: string;
  readonly areaCode: string;
  readonly resolvedBy: string | null;
  /** Its area is one that the undo names, even if that is gone by now. */
  readonly isOfNamedArea: boolean;
  readonly sessionIsOver: boolean;
  /** Of a scan that is compared with others: with the count that its area has. */
  readonly isOfPresentCount: boolean;
}

/**
 * The scan that an undo names by its device's number, wherever it is by now. Its area, gone or not, and those that the undo names are
 * locked together, because areas are locked in one order.
 */
export async function lockNamed(
  { transaction, session }: { readonly transaction: Transaction; readonly session: HeldSession },
  { deviceId, seq, areaCode, locationId }: UndoRequest,
): Promise<NamedScan | undefined> {
  if (seq === undefined) return undefined;
  const isNumber = sql<boolean>`scan.session_id = ${session.id} and scan.device_id = ${deviceId} and scan.seq = ${seq}`;
  const isNamed = sql<boolean>`(lower(area.code) = lower(${areaCode})
    and (${locationId ?? null}::uuid is null or area.location_id = ${locationId ?? null}::uuid))`;
  await sql`
    select from areas where id in (
      select scan.area_id from scans scan where ${isNumber}
      union all
      select area.id from areas area where area.store_id = ${session.storeId} and area.deleted_at is null and ${isNamed})
    order by id for update`.execute(transaction);
  const { rows } = await sql<NamedScan>`
    select scan.id, scan.seq, scan.sku, scan.quantity, scan.pass, scan.status, scan.reason, scan.tag, scan.voided_from,
      scan.voided_from_reason, scan.voided_by, scan.voided_at, scan.area_id, area.code as area_code, scan.scanned_by, scan.sent_by, scan.resolved_by,
      ${isNamed} as is_of_named_area, session.status = 'closed' as session_is_over,
      coalesce((select max(counting.pass) from area_passes counting
          where counting.session_id = scan.session_id and counting.area_id = scan.area_id) in (scan.pass, (
        select attempt.of_pass from second_counts attempt where attempt.session_id = scan.session_id
          and attempt.area_id = scan.area_id and attempt.pass = scan.pass)), false) as is_of_present_count
    from scans scan
    join areas area on area.id = scan.area_id
    join sessions session on session.id = scan.session_id
    where ${isNumber}`.execute(transaction);
  return rows[0];
}

/**
 * Whether a scan is of a second count that differs from others in its product, so that an administrator may choose it yet, also once it
 * gave way to a third.
 */
export async function isInQuestion(
  transaction: Transaction,
  sessionId: string,
  { id, status, reason, areaId, sku, isOfPresentCount }: NamedScan,
): Promise<boolean> {
  const mayBeChosen = status === "compared" || reason === "SUPERSEDED";
  if (!mayBeChosen || sku === null || !isOfPresentCount) return false;
  const { rows } = await sql`
    select from compared_counts compared
    where compared.session_id = ${sessionId} and compared.area_id = ${areaId} and compared.sku = ${sku}
      and compared.settled_as is null and (${status} = 'compared' or exists (
        select from scans made join second_counts attempt on attempt.session_id = made.session_id
          and attempt.area_id = made.area_id and attempt.pass = made.sent_pass
        where made.id = ${id} and made.resolved_by is null and attempt.of_pass = compared.of_pass))
    limit 1`.execute(transaction);
  return rows.length > 0;
}

/** The device's highest scan of the pass that is not voided. */
export function findNewest(
  transaction: Transaction,
  area: LockedArea,
  { deviceId }: UndoRequest,
): Promise<FoundScan | undefined> {
  return transaction
    .selectFrom("scans")
    .select(["id", "seq", "sku", "quantity", "pass", "status", "reason"])
    .select(["tag", "voidedFrom", "voidedFromReason", "voidedBy", "voidedAt", "scannedBy", "sentBy"])
    .where("sessionId", "=", area.sessionId)
    .where("deviceId", "=", deviceId)
    .where("areaId", "=", area.areaId)
    .where("pass", "=", area.pass)
    .where("status", "in", ["counted", "unresolved", "compared"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}
