import { type RawBuilder, sql } from "kysely";
import { sessionTakesScansOf } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { preparedMark } from "../database/prepared-statements.ts";
import type { Caller } from "../kernel/caller.ts";
import { groupBy } from "../kernel/group-by.ts";
import type { AreaState, Classification, SessionState } from "./classify.ts";
import type { IncomingScan } from "./incoming-scan.ts";
import { scannedBy } from "./incoming-scan.ts";
import { isRunningNumber } from "./max-sequence.ts";
import type { StoredScan } from "./repeats.ts";

/** A scan that is ready to be stored. */
export interface ClassifiedScan {
  readonly incoming: IncomingScan;
  readonly area: AreaState;
  readonly classification: Classification;
}

/** An area's code in a location, as a scan names it. */
export interface NamedPlace {
  readonly locationId: string;
  readonly areaCode: string;
}

const byPlace = (one: NamedPlace) => `${one.locationId}\n${one.areaCode}`;

/** The areas, deleted ones too, that carry or carried the code of each named place. */
export type AreasByPlace = (place: NamedPlace) => readonly AreaState[];

/**
 * Locks the areas that the scans speak of against finishing, reset and the end of the session, not against other
 * scans. Always in the order of their ids: whoever locks several does so.
 */
export async function lockAreasOf(
  transaction: Transaction,
  places: readonly NamedPlace[],
): Promise<AreasByPlace> {
  const distinct = [...new Map(places.map((place) => [byPlace(place), place])).values()];
  const { rows } = await sql<AreaState & { place: number }>`${sql.raw(preparedMark)}
    select area.id, area.location_id as "locationId", area.store_id as "storeId", area.code, area.status, area.pass,
      (area.deleted_at is not null or location.deleted_at is not null) as deleted, named.place
    from unnest(${distinct.map(({ locationId }) => locationId)}::uuid[], ${distinct.map(({ areaCode }) => areaCode)}::text[])
      with ordinality as named (location_id, code, place)
    join areas area on area.location_id = named.location_id and lower(area.code) = lower(named.code)
    join locations location on location.id = area.location_id
    order by area.id
    for key share of area`.execute(transaction);
  const found = groupBy(rows, ({ place }) => place);
  const placeOf = new Map(distinct.map((place, index) => [byPlace(place), index + 1]));
  return (place) => found.get(placeOf.get(byPlace(place)) ?? 0) ?? [];
}

/** A session and whether each of the asked callers may send scans to it, in their order. */
export interface SessionForScans extends SessionState {
  readonly admits: readonly boolean[];
}

/** Reads a session as it is now; call it once the areas are locked, so that its end can't come in between. */
export async function readSessionForScans(
  transaction: Transaction,
  sessionId: string,
  callers: readonly Caller[],
): Promise<SessionForScans | undefined> {
  const admits: RawBuilder<boolean>[] = callers.map((caller) => sessionTakesScansOf(caller, "session"));
  const { rows } = await sql<SessionForScans>`
    select session.id, session.store_id as "storeId", session.status,
      session.catalogue_version as "catalogueVersion", array[${sql.join(admits)}] as admits
    from sessions session where session.id = ${sessionId}`.execute(transaction);
  return rows[0];
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
    .leftJoin("invitations", "invitations.id", "users.invitation_id")
    .select("users.id")
    .where("users.id", "in", userIds)
    .where((user) =>
      user.or([user("users.invitation_id", "is", null), user("invitations.session_id", "=", sessionId)]),
    )
    .execute();
  return new Set(users.map(({ id }) => id));
}

/** The last pass of each area in a session, for sessions that are over: the areas have moved on since. */
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

/** A stored scan's number, by what names it in its session. */
export interface InsertedScan {
  readonly id: number;
  readonly device_id: string;
  readonly seq: number;
}

function asRow({ incoming, area, classification }: ClassifiedScan) {
  const { scan, scannedAtMs, caller } = incoming;
  return {
    location_id: area.locationId,
    area_id: area.id,
    pass: classification.pass,
    sent_pass: scan.pass ?? null,
    device_id: scan.deviceId,
    seq: scan.seq,
    op_id: scan.opId ?? null,
    input: scan.input,
    input_type: scan.inputType,
    method: scan.method,
    sku: classification.sku,
    status: classification.status,
    reason: classification.reason,
    given_ms: scannedAtMs,
    scanned_by: scannedBy(incoming),
    sent_by: caller.userId,
  };
}

/**
 * Stores scans and raises the running totals by those that count, in one statement, so that the totals can only be
 * raised by what was stored. A scan whose sequence number or operation id is taken is left out; answers the others.
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
        input_type, method, sku, status, reason, scanned_at, given_scanned_at, scanned_by, sent_by)
      select ${session.id}::uuid, ${session.storeId}::uuid, location_id, area_id, pass, sent_pass, device_id, seq, op_id,
        input, input_type, method, sku, status, reason,
        coalesce(to_timestamp(given_ms / 1000.0), now()), to_timestamp(given_ms / 1000.0), scanned_by, sent_by
      from json_to_recordset(${JSON.stringify(scans.map(asRow))}::json) as scan (
        location_id uuid, area_id uuid, pass integer, sent_pass integer, device_id text, seq bigint, op_id uuid,
        input text, input_type text, method text, sku text, status text, reason text, given_ms bigint,
        scanned_by uuid, sent_by uuid)
      order by device_id, seq
      on conflict do nothing
      returning id, area_id, pass, device_id, seq, sku, status, scanned_at),
    totalled as (
      insert into scan_totals as total (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at)
      select ${session.id}::uuid, area_id, pass, sku, count(*), min(scanned_at), max(scanned_at)
      from stored where status = 'counted'
      group by area_id, pass, sku
      order by area_id, pass, sku
      on conflict (session_id, area_id, pass, sku) do update
      set quantity = total.quantity + excluded.quantity,
        first_counted_at = least(total.first_counted_at, excluded.first_counted_at),
        last_counted_at = greatest(total.last_counted_at, excluded.last_counted_at))
    select id, device_id, seq from stored`.execute(transaction);
  return rows;
}

/**
 * Marks the areas where a pass has its first scan. They are locked FOR KEY SHARE already; this waits only for another
 * scan's transaction that does the same. Answers the areas that changed.
 */
export async function beginCounting(transaction: Transaction, areaIds: readonly string[]): Promise<string[]> {
  if (areaIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select id from areas where id = any(${areaIds}::uuid[]) and status = 'not_started'
      order by id for no key update)
    update areas set status = 'in_progress' from waiting where areas.id = waiting.id
    returning areas.id`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** The stored scans of the session that have a sequence number or an operation id of one of the incoming. */
export async function findClaimants(
  transaction: Transaction,
  sessionId: string,
  incoming: readonly IncomingScan[],
): Promise<StoredScan[]> {
  const devices = incoming.map(({ scan }) => scan.deviceId);
  const sequences = incoming.map(({ scan }) => scan.seq);
  const operations = incoming.flatMap(({ scan }) => scan.opId ?? []);
  const { rows } = await sql<StoredScan>`
    with claimant as (
      select scan.* from scans scan
      join unnest(${devices}::text[], ${sequences}::bigint[]) as taken (device_id, seq)
        on scan.session_id = ${sessionId} and scan.device_id = taken.device_id and scan.seq = taken.seq
      union
      select scan.* from scans scan
      where scan.session_id = ${sessionId} and scan.op_id = any(${operations}::uuid[]))
    select scan.id, scan.device_id as "deviceId", scan.seq, scan.op_id as "opId", scan.store_id as "storeId",
      scan.location_id as "locationId", area.code as "areaCode", scan.input, scan.input_type as "inputType",
      scan.given_scanned_at as "givenScannedAt", scan.sku, scan.pass, scan.status, scan.reason
    from claimant scan join areas area on area.id = scan.area_id`.execute(transaction);
  return rows;
}

/** The highest stored sequence number of each device in the session that it can go on from. */
export async function highestSequences(
  transaction: Transaction,
  sessionId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (deviceIds.length === 0) return new Map();
  const { rows } = await sql<{ device_id: string; seq: number | null }>`
    select device.device_id,
      (select max(scan.seq) from scans scan where scan.session_id = ${sessionId} and scan.device_id = device.device_id
        and ${isRunningNumber(sql.ref("scan.seq"))}) as seq
    from unnest(${deviceIds}::text[]) as device (device_id)`.execute(transaction);
  return new Map(rows.map(({ device_id, seq }) => [device_id, seq ?? 0]));
}
