import { type AreaStatus, type CallAnswer, naturalOrder, type sessionProgress } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionRow } from "./queries.ts";

type Progress = CallAnswer<typeof sessionProgress>;

/** How far a session has come: its areas in natural order of their codes, its devices, and what waits for a decision. */
export async function readProgress(database: Database, session: SessionRow): Promise<Progress> {
  const areas = await readAreas(database, session);
  const devices = await readDevices(database, session.id);
  const exceptions = await countExceptions(database, session.id);
  return { areas, devices, exceptions };
}

interface AreaRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly location_id: string;
  readonly location_name: string;
  readonly status: AreaStatus;
  readonly pass: number;
  readonly ended_as: string | null;
  readonly previous_ended_as: string | null;
  readonly scans: number;
  readonly stored: number;
  readonly usernames: string[];
  readonly last_scan_at: Date | null;
}

async function readAreas(database: Database, session: SessionRow): Promise<Progress["areas"]> {
  const compare = naturalOrder();
  const rows = await readAreaRows(database, session);
  return rows
    .map((row) => presentArea(row, session))
    .sort((a, b) => compare(a.locationName, b.locationName) || compare(a.code, b.code));
}

/** An area's newest pass in the session, and what was counted or is unresolved in it. */
async function readAreaRows(database: Database, session: SessionRow): Promise<AreaRow[]> {
  const { rows } = await sql<AreaRow>`
    select area.id, area.code, area.name, area.location_id, location.name as location_name, area.status,
      newest.pass, newest.ended_as,
      (select earlier.ended_as from area_passes earlier
        where earlier.session_id = newest.session_id and earlier.area_id = area.id and earlier.pass < newest.pass
        order by earlier.pass desc limit 1) as previous_ended_as,
      activity.scans, activity.stored, activity.usernames, activity.last_scan_at
    from areas area
    join locations location on location.id = area.location_id
    join lateral (
      select pass.session_id, pass.pass, pass.ended_as from area_passes pass
      where pass.session_id = ${session.id} and pass.area_id = area.id
      order by pass.pass desc limit 1) newest on true
    cross join lateral (
      select count(*) filter (where scan.status = 'counted') as scans, count(*) as stored,
        coalesce(array_agg(distinct person.username), '{}') as usernames, max(scan.scanned_at) as last_scan_at
      from scans scan join users person on person.id = scan.scanned_by
      where scan.area_id = area.id and scan.session_id = newest.session_id and scan.pass = newest.pass
        and scan.status in ('counted', 'unresolved')) activity
    where area.deleted_at is null or ${session.status === "closed"}`.execute(database);
  return rows;
}

function presentArea(row: AreaRow, session: SessionRow): Progress["areas"][number] {
  const status = session.status === "closed" ? statusAtEnd(row, session) : row.status;
  return {
    _id: row.id,
    code: row.code,
    name: row.name,
    locationId: row.location_id,
    locationName: row.location_name,
    status,
    pass: row.pass,
    scans: row.scans,
    usernames: row.usernames,
    lastScanAt: row.last_scan_at?.toISOString() ?? null,
    recountNeeded: status === "in_progress" && row.stored === 0 && row.previous_ended_as === "mismatched",
  };
}

/** The area itself may be in a later session by now; what it was at the end stands with the session. */
function statusAtEnd(row: AreaRow, session: SessionRow): AreaStatus {
  if (row.ended_as === "closed") return "closed";
  return session.open_areas.find(({ id }) => id === row.id)?.status ?? "not_started";
}

async function readDevices(database: Database, sessionId: string): Promise<Progress["devices"]> {
  const rows = await database
    .selectFrom("session_devices as device")
    .innerJoin("users", "users.id", "device.user_id")
    .select(["device.device_id", "users.username", "device.last_seen_at", "device.pending"])
    .select((select) =>
      select
        .selectFrom("scans")
        .select(sql<number>`count(*)`.as("scans"))
        .whereRef("scans.session_id", "=", "device.session_id")
        .whereRef("scans.device_id", "=", "device.device_id")
        .where("scans.status", "=", "counted")
        .as("scans"),
    )
    .where("device.session_id", "=", sessionId)
    .orderBy("device.last_seen_at", "desc")
    .execute();
  return rows.map(({ device_id, username, last_seen_at, scans, pending }) => ({
    deviceId: device_id,
    username,
    lastSeenAt: last_seen_at.toISOString(),
    scans: scans ?? 0,
    pending,
  }));
}

async function countExceptions(database: Database, sessionId: string): Promise<Progress["exceptions"]> {
  return database
    .selectFrom("scans")
    .select(sql<number>`count(*) filter (where status = 'unresolved')`.as("unresolved"))
    .select(sql<number>`count(*) filter (where status = 'late')`.as("late"))
    .where("session_id", "=", sessionId)
    .where("status", "in", ["unresolved", "late"])
    .executeTakeFirstOrThrow();
}
