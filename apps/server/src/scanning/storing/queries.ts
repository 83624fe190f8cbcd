import type { ScanReason, ScanStatus } from "@stocktake/contract";
import { sql } from "kysely";
import { canSendScansTo } from "../../auth/auth.ts";
import type { Transaction } from "../../database/pool.ts";
import { preparedMark } from "../../database/prepared-statements.ts";
import type { Caller } from "../../kernel/caller.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { countingTimes } from "../../passes/passes.ts";
import { isRunningNumber } from "../devices/sequence-numbers.ts";
import type { IncomingScan } from "./incoming-scan.ts";

/** A session, read while its areas are locked. */
export interface SessionState {
  readonly id: string;
  readonly storeId: string;
  readonly status: "active" | "ending" | "closed";
  readonly catalogueVersion: number;
  /** When the reading of its start stock began. */
  readonly startSnapshotAt: Date;
}

/** How far a device's clock may be off that sets itself by the Date header of our answers, in milliseconds. */
const clockToleranceMs = 5_000;
const clockTolerance = sql`${clockToleranceMs}::double precision * interval '1 millisecond'`;

/** An area, read under its lock. `deleted`: it or its location is. */
export interface AreaState {
  readonly id: string;
  readonly locationId: string;
  readonly storeId: string;
  readonly code: string;
  readonly status: "not_started" | "in_progress" | "closed";
  readonly pass: number;
  readonly deleted: boolean;
}

export interface Classification {
  readonly status: Exclude<ScanStatus, "voided">;
  readonly reason: ScanReason | null;
  readonly sku: string | null;
  readonly pass: number;
}

/** A scan as it is stored, with what tells its repeat from another scan. */
export interface StoredScan {
  readonly id: number;
  readonly deviceId: string;
  readonly seq: number;
  readonly opId: string | null;
  readonly storeId: string;
  readonly locationId: string;
  readonly areaCode: string;
  readonly input: string;
  readonly inputType: "barcode" | "sku";
  readonly givenScannedAt: Date | null;
  readonly sku: string | null;
  readonly pass: number;
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
}

/** A scan that is ready to be stored. */
export interface ClassifiedScan {
  readonly incoming: IncomingScan;
  readonly area: AreaState;
  readonly classification: Classification;
}

/** How a scan names its area: by the code in its location. */
type AreaName = Pick<IncomingScan, "locationId" | "areaCode">;

const keyOf = ({ locationId, areaCode }: AreaName) => `${locationId}\n${areaCode}`;

/** The areas, deleted ones too, that have or had the code. */
export type AreasByCode = (name: AreaName) => readonly AreaState[];

/**
 * Locks the areas that the scans name against finishing, reset and the end of the session, not against other scans.
 * Always in the order of their ids: whoever locks several does so.
 */
export async function lockAreasOf(
  transaction: Transaction,
  scans: readonly IncomingScan[],
): Promise<AreasByCode> {
  const distinct = [...new Map(scans.map((scan) => [keyOf(scan), scan])).values()];
  const { rows } = await sql<AreaState & { position: number }>`${sql.raw(preparedMark)}
    select area.id, area.location_id, area.store_id, area.code, area.status, area.pass,
      (area.deleted_at is not null or location.deleted_at is not null) as deleted, named.position
    from unnest(${distinct.map(({ locationId }) => locationId)}::uuid[], ${distinct.map(({ areaCode }) => areaCode)}::text[])
      with ordinality as named (location_id, code, position)
    join areas area on area.location_id = named.location_id and lower(area.code) = lower(named.code)
    join locations location on location.id = area.location_id
    order by area.id
    for key share of area`.execute(transaction);
  const found = groupBy(rows, ({ position }) => position);
  const positions = new Map(distinct.map((name, index) => [keyOf(name), index + 1]));
  return (name) => found.get(positions.get(keyOf(name)) ?? 0) ?? [];
}

/** A session, and which of the callers may send scans to it. */
export interface SessionForScans extends SessionState {
  readonly admittedUserIds: ReadonlySet<string>;
}

/** Reads a session as it is now; call it once the areas are locked, so that it can't end in between. */
export async function readSessionForScans(
  transaction: Transaction,
  sessionId: string,
  callers: readonly Caller[],
): Promise<SessionForScans | undefined> {
  const distinct = [...new Map(callers.map((caller) => [caller.userId, caller])).values()];
  const admits = distinct.map((caller) => canSendScansTo(caller, "session"));
  const { rows } = await sql<SessionState & { admits: readonly boolean[] }>`
    select session.id, session.store_id, session.status,
      session.catalogue_version, session.start_snapshot_at, array[${sql.join(admits)}] as admits
    from sessions session where session.id = ${sessionId}`.execute(transaction);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { admits: admitted, ...session } = row;
  const allowed = distinct.filter((_caller, index) => admitted[index]);
  return { ...session, admittedUserIds: new Set(allowed.map(({ userId }) => userId)) };
}

/** Those of the named users who may have scanned in the session: its invited counters and whoever has a password. */
export async function usersOfSession(
  transaction: Transaction,
  sessionId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const users = await transaction
    .selectFrom("users")
    .leftJoin("invitations", "invitations.id", "users.invitationId")
    .select("users.id")
    .where("users.id", "in", userIds)
    .where((user) =>
      user.or([user("users.invitationId", "is", null), user("invitations.sessionId", "=", sessionId)]),
    )
    .execute();
  return new Set(users.map(({ id }) => id));
}

/** A stored scan's id, with what identifies it in its session. */
interface InsertedScan {
  readonly id: number;
  readonly deviceId: string;
  readonly seq: number;
}

function asRow({ incoming, area, classification }: ClassifiedScan) {
  return {
    location_id: area.locationId,
    area_id: area.id,
    pass: classification.pass,
    sent_pass: incoming.sentPass,
    device_id: incoming.deviceId,
    seq: incoming.seq,
    op_id: incoming.opId,
    input: incoming.input,
    input_type: incoming.inputType,
    method: incoming.method,
    sku: classification.sku,
    status: classification.status,
    reason: classification.reason,
    given_ms: incoming.scannedAtMs,
    time_unknown: incoming.isTimeUnknown,
    scanned_by: incoming.scannedById,
    sent_by: incoming.sentBy.userId,
  };
}

/**
 * Nothing was scanned before the session's stock was read, or after the scan was received: then nobody knows when, as
 * where the device says that it does not.
 */
function timeKnown({ startSnapshotAt }: SessionState) {
  return sql`(not time_unknown and (given_ms is null or to_timestamp(given_ms / 1000.0)
    between ${startSnapshotAt}::timestamptz - ${clockTolerance} and now() + ${clockTolerance}))`;
}

/**
 * Stores scans and raises the running totals by those that count, in one statement, so that the totals can only be
 * raised by what was stored. Leaves out a scan whose sequence number or operation id is taken; returns the others.
 * Sorted, so that transactions that store the same scans wait for each other instead of for one another in a ring.
 */
export async function insertScans(
  transaction: Transaction,
  session: SessionState,
  scans: readonly ClassifiedScan[],
): Promise<InsertedScan[]> {
  const { rows } = await sql<InsertedScan>`${sql.raw(preparedMark)}
    with stored as (
      insert into scans (session_id, store_id, location_id, area_id, pass, sent_pass, device_id, seq, op_id, input,
        input_type, method, sku, status, reason, scanned_at, given_scanned_at, time_known, scanned_by, sent_by)
      select ${session.id}::uuid, ${session.storeId}::uuid, location_id, area_id, pass, sent_pass, device_id, seq, op_id,
        input, input_type, method, sku, status, reason,
        coalesce(to_timestamp(given_ms / 1000.0), now()), to_timestamp(given_ms / 1000.0), ${timeKnown(session)}, scanned_by,
        sent_by
      from json_to_recordset(${JSON.stringify(scans.map(asRow))}::json) as scan (
        location_id uuid, area_id uuid, pass integer, sent_pass integer, device_id text, seq bigint, op_id uuid,
        input text, input_type text, method text, sku text, status text, reason text, given_ms bigint,
        time_unknown boolean, scanned_by uuid, sent_by uuid)
      order by device_id, seq
      on conflict do nothing
      returning id, area_id, pass, device_id, seq, sku, status, scanned_at, time_known),
    totalled as (
      insert into scan_totals as total (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at,
        unknown_times)
      select ${session.id}::uuid, area_id, pass, sku, count(*), ${countingTimes("stored")}
      from stored where status = 'counted'
      group by area_id, pass, sku
      order by area_id, pass, sku
      on conflict (session_id, area_id, pass, sku) do update
      set quantity = total.quantity + excluded.quantity,
        first_counted_at = least(total.first_counted_at, excluded.first_counted_at),
        last_counted_at = greatest(total.last_counted_at, excluded.last_counted_at),
        unknown_times = total.unknown_times + excluded.unknown_times)
    select id, device_id, seq from stored`.execute(transaction);
  return rows;
}

/** The stored scans of the session that have a sequence number or an operation id of one of the incoming. */
export async function findExistingMatches(
  transaction: Transaction,
  sessionId: string,
  incoming: readonly IncomingScan[],
): Promise<StoredScan[]> {
  const devices = incoming.map(({ deviceId }) => deviceId);
  const sequences = incoming.map(({ seq }) => seq);
  const operations = incoming.flatMap(({ opId }) => opId ?? []);
  const { rows } = await sql<StoredScan>`
    with existing as (
      select scan.* from scans scan
      join unnest(${devices}::text[], ${sequences}::bigint[]) as taken (device_id, seq)
        on scan.session_id = ${sessionId} and scan.device_id = taken.device_id and scan.seq = taken.seq
      union
      select scan.* from scans scan
      where scan.session_id = ${sessionId} and scan.op_id = any(${operations}::uuid[]))
    select scan.id, scan.device_id, scan.seq, scan.op_id, scan.store_id,
      scan.location_id, area.code as area_code, scan.input, scan.input_type,
      scan.given_scanned_at, scan.sku, scan.pass, scan.status, scan.reason
    from existing scan join areas area on area.id = scan.area_id`.execute(transaction);
  return rows;
}

/** The highest stored sequence number of each device in the session that it can go on from. */
export async function highestSequences(
  transaction: Transaction,
  sessionId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (deviceIds.length === 0) return new Map();
  const { rows } = await sql<{ deviceId: string; seq: number | null }>`
    select device.device_id,
      (select max(scan.seq) from scans scan where scan.session_id = ${sessionId} and scan.device_id = device.device_id
        and ${isRunningNumber(sql.ref("scan.seq"))}) as seq
    from unnest(${deviceIds}::text[]) as device (device_id)`.execute(transaction);
  return new Map(rows.map(({ deviceId, seq }) => [deviceId, seq ?? 0]));
}
