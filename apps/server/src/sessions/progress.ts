import {
  type AreaAssignment,
  type AreaStatus,
  type CallAnswer,
  groupBy,
  limits,
  naturalOrder,
  type OwnTotals,
  type sessionProgress,
} from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { unreadSince } from "../catalogue/catalogue.ts";
import type { Database, Transaction } from "../database/pool.ts";
import {
  assignmentOf,
  type CountedAgain,
  countedAgain,
  countedByOthers,
  devicesOf,
  isOfSecondCount,
  owedRecount,
  ownTotalsOf,
  presentRecount,
  previousEnding,
  type StoredRecount,
  wasLeftOut,
} from "../passes/passes.ts";
import { countExceptions, type SessionRow } from "./queries.ts";

type Progress = CallAnswer<typeof sessionProgress>;

/**
 * How far a session has come: its areas in natural order of their codes, its devices, and what waits for a decision. `now` is the
 * database's time, as are the times at which devices were heard of.
 */
export function readProgress(database: Database, session: SessionRow, now: number): Promise<Progress> {
  // One moment of the session: an area's scans, who made them and their devices are to agree.
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const known = await readDevices(transaction, session.id);
      const work = await readWork(
        transaction,
        session.id,
        known.map(({ deviceId }) => deviceId),
      );
      const areas = await readAreas(transaction, session, work);
      const devices = presentDevices(known, work);
      const opened = await readOpened(transaction, session.id);
      const exceptions = await countExceptions(transaction, session.id);
      const unread = session.status === "closed" ? null : unreadSince(session, now);
      return {
        ...{ areas, devices, opened, exceptions, stockUnreadSince: unread?.toISOString() ?? null },
        ...(session.status === "closed" ? {} : { now: new Date(now).toISOString() }),
      };
    });
}

/** What a user scanned on a device in an area's pass, without what was voided since and without second counts. */
interface Work {
  readonly areaId: string;
  readonly pass: number;
  /** Null for all devices together that the session's list does not name. */
  readonly deviceId: string | null;
  readonly username: string;
  /** Units. */
  readonly counted: number;
  readonly lastScanAt: Date;
}

/**
 * Reads the running totals of devices, never the scans. There are few groups whatever device ids somebody makes up, because only
 * those of the session's list are told apart.
 */
async function readWork(
  transaction: Transaction,
  sessionId: string,
  deviceIds: readonly string[],
): Promise<readonly Work[]> {
  const { rows } = await sql<Work>`
    select work.*, person.username
    from (
      select area_id, pass, case when device_id = any(${deviceIds}::text[]) then device_id end as device_id, scanned_by,
        sum(counted)::bigint as counted, max(last_scan_at) as last_scan_at
      from device_work scanned
      where session_id = ${sessionId} and not ${isOfSecondCount("scanned")}
      group by 1, 2, 3, 4) work
    join users person on person.id = work.scanned_by`.execute(transaction);
  return rows;
}

interface AreaRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly locationId: string;
  readonly locationName: string;
  readonly status: AreaStatus;
  readonly pass: number;
  readonly endedAs: string | null;
  readonly previousEndedAs: string | null;
  readonly recount: StoredRecount | null;
  readonly ownTotals: OwnTotals | null;
  readonly leftOut: boolean;
  readonly assigned: AreaAssignment | null;
  readonly countedByOthers: string[] | null;
  readonly countedAgain: CountedAgain | null;
}

async function readAreas(
  transaction: Transaction,
  session: SessionRow,
  work: readonly Work[],
): Promise<Progress["areas"]> {
  const compare = naturalOrder();
  const rows = await readAreaRows(transaction, session);
  const workOf = groupBy(work, ({ areaId, pass }) => passKey(areaId, pass));
  return rows
    .filter((row) => !row.leftOut || statusOf(row, session) !== "not_started")
    .map((row) => presentArea(row, session, workOf.get(passKey(row.id, row.pass)) ?? []))
    .sort((a, b) => compare(a.locationName, b.locationName) || compare(a.code, b.code));
}

const passKey = (areaId: string, pass: number) => `${areaId} ${pass}`;

/** Each area with its newest pass in the session. */
async function readAreaRows(transaction: Transaction, session: SessionRow): Promise<AreaRow[]> {
  const ofPass = {
    sessionId: sql.ref("newest.sessionId"),
    areaId: sql.ref("area.id"),
    pass: sql.ref("newest.pass"),
  };
  const { rows } = await sql<AreaRow>`
    select area.id, area.code, area.name, area.location_id, location.name as location_name, area.status,
      newest.pass, newest.ended_as,
      ${previousEnding(ofPass)} as previous_ended_as,
      ${owedRecount({ ...ofPass, status: sql.ref("area.status") })} as recount,
      ${ownTotalsOf(ofPass)} as own_totals, ${wasLeftOut(ofPass)} as left_out,
      ${assignmentOf(ofPass, null)} as assigned, ${countedByOthers(ofPass)} as counted_by_others,
      ${countedAgain(ofPass)} as counted_again
    from areas area
    join locations location on location.id = area.location_id
    join lateral (
      select pass.session_id, pass.pass, pass.ended_as from area_passes pass
      where pass.session_id = ${session.id} and pass.area_id = area.id
      order by pass.pass desc limit 1) newest on true
    where ${isOfSession(session)}`.execute(transaction);
  return rows;
}

/**
 * Condition over `area`: it was not deleted by now, or by the end where the session is over. Then one that was is of it all the same
 * where an accepted scan counts in it, as in its coverage.
 */
function isOfSession({ id, status, endedAt }: SessionRow): RawBuilder<boolean> {
  if (status !== "closed") return sql<boolean>`area.deleted_at is null`;
  return sql<boolean>`(area.deleted_at is null or area.deleted_at > ${endedAt}::timestamptz
    or exists (select from scan_totals total
      where total.session_id = ${id} and total.area_id = area.id and total.quantity > 0))`;
}

function presentArea(row: AreaRow, session: SessionRow, work: readonly Work[]): Progress["areas"][number] {
  const status = statusOf(row, session);
  const runs = session.status !== "closed";
  return {
    _id: row.id,
    code: row.code,
    name: row.name,
    locationId: row.locationId,
    locationName: row.locationName,
    status,
    pass: row.pass,
    scans: countedIn(work),
    usernames: [...new Set(work.map(({ username }) => username))].sort(),
    lastScanAt: latest(work)?.toISOString() ?? null,
    recountNeeded: status === "in_progress" && work.length === 0 && row.previousEndedAs === "mismatched",
    recount: runs ? presentRecount(row.recount) : null,
    ownTotals: runs && status === "in_progress" ? row.ownTotals : null,
    assignedTo: runs ? (row.assigned?.names ?? []) : [],
    countedByOthers: runs ? (row.countedByOthers ?? []) : [],
    countedAgain: runs ? row.countedAgain : null,
  };
}

function countedIn(work: readonly Work[]): number {
  return work.reduce((sum, { counted }) => sum + counted, 0);
}

function latest(work: readonly Work[]): Date | undefined {
  return work
    .map(({ lastScanAt }) => lastScanAt)
    .reduce<Date | undefined>((last, time) => (last === undefined || time > last ? time : last), undefined);
}

function statusOf(row: AreaRow, session: SessionRow): AreaStatus {
  return session.status === "closed" ? statusAtEnd(row, session) : row.status;
}

/** The area itself may be in a later session by now; what it was at the end is stored with the session. */
function statusAtEnd(row: AreaRow, session: SessionRow): AreaStatus {
  if (row.endedAs === "closed") return "closed";
  return session.openAreas.find(({ id }) => id === row.id)?.status ?? "not_started";
}

interface KnownDevice extends Omit<Progress["devices"][number], "lastSeenAt" | "scans"> {
  readonly lastSeenAt: Date;
}

/** The devices that were heard of, or said as an area was opened on them that they hold rows; the last one first. */
async function readDevices(transaction: Transaction, sessionId: string): Promise<KnownDevice[]> {
  const { rows } = await sql<KnownDevice>`
    select known.device_id, person.username, known.heard_at as last_seen_at, known.pending
    from ${devicesOf(sessionId)} known
    join users person on person.id = known.user_id
    where known.last_seen_at is not null or known.pending > 0
    order by known.heard_at desc, known.device_id
    limit ${limits.devicesPerSession}`.execute(transaction);
  return rows;
}

type Opened = NonNullable<Progress["opened"]>;

/** The devices that have opened an area, never sent anything and hold nothing as far as they said; the one that did so last first. */
async function readOpened(transaction: Transaction, sessionId: string): Promise<Opened> {
  const { rows } = await sql<{ deviceId: string; username: string; openedAt: Date }>`
    select known.device_id, person.username, known.opened_at
    from ${devicesOf(sessionId)} known
    join users person on person.id = known.user_id
    where known.last_seen_at is null and coalesce(known.pending, 0) = 0
    order by known.opened_at desc, known.device_id limit ${limits.devicesPerSession}`.execute(transaction);
  return rows.map(({ openedAt, ...device }) => ({ ...device, openedAt: openedAt.toISOString() }));
}

function presentDevices(devices: readonly KnownDevice[], work: readonly Work[]): Progress["devices"] {
  const workOn = groupBy(work, ({ deviceId }) => deviceId);
  return devices.map(({ deviceId, username, lastSeenAt, pending }) => ({
    deviceId,
    username,
    lastSeenAt: lastSeenAt.toISOString(),
    scans: countedIn(workOn.get(deviceId) ?? []),
    pending,
  }));
}
