import type { CallRequest, ScanStatus, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { isInQuestion, isOfPresentPass } from "../passes/passes.ts";
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
      ${isOfPresentPass} as is_of_present_count
    from scans scan
    join areas area on area.id = scan.area_id
    join sessions session on session.id = scan.session_id
    where ${isNumber}`.execute(transaction);
  return rows[0];
}

/** Whether an administrator may choose the count that a scan is of yet, where it counts nothing so far. */
export async function mayBeChosen(transaction: Transaction, { id }: NamedScan): Promise<boolean> {
  const { rows } = await sql`select from scans scan where scan.id = ${id} and ${isInQuestion}`.execute(
    transaction,
  );
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
