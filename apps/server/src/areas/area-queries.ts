import {
  type Area,
  type AreaAssignment,
  type AreaStatus,
  naturalOrder,
  type OwnTotals,
} from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { invitationOf } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import {
  assignmentAsTaken,
  assignmentOf,
  isCountSeenBy,
  owedRecount,
  ownTotalsOf,
  presentRecount,
  previousEnding,
  type StoredRecount,
  wasLeftOut,
} from "../passes/passes.ts";

interface AreaRow {
  id: string;
  code: string;
  name: string;
  locationId: string;
  status: Area["status"];
  pass: number;
  closedBy: string | null;
  closedAt: Date | null;
  devices: number;
  usernames: string[] | null;
  lastScanAt: Date | null;
  /** Of what is shown, a second count included. */
  previousEndedAs: string | null;
  previousPassEndedAs: string | null;
  accepted: number;
  recount: StoredRecount | null;
  ownTotals: OwnTotals | null;
  assigned: AreaAssignment | null;
  mergedIds: string[];
  onlySkus: string[] | null;
}

/** Which areas are read, in which session they are shown, and how they are there. */
interface View {
  /** Selects the columns of `areas` that are shown. */
  readonly areas: RawBuilder<unknown>;
  /** Condition: the session under the alias `session` is the one that the area is shown in. */
  readonly session: RawBuilder<boolean>;
  /** Of the row of an area: its status without the second counts that the caller sees as the area's. */
  readonly ownStatus?: RawBuilder<unknown>;
  /** Of the row of an area: the SKUs of the second count that the caller sees as the area's, where it is of some alone. */
  readonly only?: RawBuilder<unknown>;
  /** Whose assignments are theirs; absent for nobody's. */
  readonly personId?: string;
}

/** The areas as they are now, in the running session of their store where there is one. */
const asTheyAre: View = {
  areas: sql`areas`,
  session: sql<boolean>`session.store_id = area.store_id and session.status in ('active', 'ending')`,
};

/**
 * The areas of a session's store as the session has them: as they are while it runs, and from its end on as it left
 * them, without those that it never had. A later session counts the same areas, which is none of its counters' business.
 */
function asInSession(sessionId: string): View {
  return {
    areas: sql`(
      select area.id, area.code, area.name, area.store_id, area.location_id, area.deleted_at,
        coalesce(left_as.status, area.status) as status, coalesce(left_as.pass, area.pass) as pass,
        case when own.status = 'closed' then left_as.closed_by else area.closed_by end as closed_by,
        case when own.status = 'closed' then left_as.closed_at else area.closed_at end as closed_at
      from sessions own
      join areas area on area.store_id = own.store_id
      left join lateral (
        select last.pass,
          case when last.ended_as = 'closed' then 'closed' else coalesce((
            select open ->> 'status' from jsonb_array_elements(own.open_areas) open
            where open ->> 'id' = area.id::text), 'not_started') end as status,
          case when last.ended_as = 'closed' then last.ended_by end as closed_by,
          case when last.ended_as = 'closed' then last.ended_at end as closed_at
        from area_passes last
        where own.status = 'closed' and last.session_id = own.id and last.area_id = area.id
        order by last.pass desc limit 1) left_as on true
      where own.id = ${sessionId} and (own.status <> 'closed' or left_as.pass is not null))`,
    session: sql<boolean>`session.id = ${sessionId}`,
  };
}

/**
 * The areas that meet `condition` as the caller's list shows them, without those that are not shown. Whatever else says to a counter how an
 * area is doing goes by this: told otherwise anywhere, a second count would not be blind.
 */
export function readAreasShown(
  database: Database,
  caller: Caller,
  condition: RawBuilder<boolean>,
): Promise<Area[]> {
  return readAreas(database, sql<boolean>`${condition} and ${isCounted(caller)}`, viewOf(caller));
}

/** How the caller sees areas: a temporary counter within the session of the invitation. */
function viewOf(caller: Caller): View {
  const invitation = invitationOf(caller);
  const view = invitation === null ? asTheyAre : asInSession(invitation.sessionId);
  return { ...(caller.role === "admin" ? view : withSecondCounts(view, caller)), personId: caller.userId };
}

/**
 * A closed area of which somebody is to make a second count is, to whoever may take it, an area to be counted like any other, and
 * then one that they closed. To everybody else it is closed as it was.
 */
function withSecondCounts({ areas, session }: View, { userId }: Caller): View {
  return {
    areas: sql`(
      select own.id, own.code, own.name, own.store_id, own.location_id, own.deleted_at, own.status as own_status,
        coalesce(attempt.status, own.status) as status, coalesce(attempt.pass, own.pass) as pass,
        case when attempt.pass is null then own.closed_by else attempt.ended_by end as closed_by,
        case when attempt.pass is null then own.closed_at else attempt.ended_at end as closed_at,
        case when attempt.ended_as is null then attempt.only_skus end as only_skus
      from ${areas} own
      left join lateral (
        select attempt.* from second_counts attempt
        where own.status = 'closed' and attempt.area_id = own.id and attempt.of_pass = own.pass
          and ${isCountSeenBy("attempt", userId)}
        order by attempt.pass desc limit 1) attempt on true)`,
    session,
    ownStatus: sql.ref("area.ownStatus"),
    only: sql.ref("area.onlySkus"),
  };
}

/**
 * The areas that meet `condition` (neither they, their location nor their store deleted), as the contract shows them, in
 * natural order of their codes. The condition may refer to the aliases `area`, `location` and `store`. `activity` is
 * that of the pass that is shown, for areas in progress: there somebody has to decide whether to continue. It is null for
 * the others, and where no scan of the pass is left. `recountNeeded` is true from a finish that did not match until
 * something is scanned again, `restored` where the pass took the place of another, `accepted` counts what an administrator added to the pass.
 * In a transaction it shows what that has changed.
 */
export async function readAreas(
  database: Database,
  condition: RawBuilder<boolean>,
  {
    areas,
    session,
    ownStatus = sql.ref("area.status"),
    only = sql`null::text[]`,
    personId,
  }: View = asTheyAre,
): Promise<Area[]> {
  const { rows } = await sql<AreaRow>`
    select area.id, area.code, area.name, area.location_id, area.status, area.pass,
      closer.username as closed_by, area.closed_at,
      activity.devices, activity.usernames, activity.last_scan_at, activity.accepted,
      (select earlier.ended_as from (
          select session_id, area_id, pass, ended_as from area_passes
          union all select session_id, area_id, pass, ended_as from second_counts) earlier
        where area.status = 'in_progress' and earlier.session_id = session.id and earlier.area_id = area.id
          and earlier.pass < area.pass
        order by earlier.pass desc limit 1) as previous_ended_as,
      case when area.status = 'in_progress' then ${previousPassEnded} end as previous_pass_ended_as,
      ${recountOf(ownStatus)} as recount, ${ownTotalsOfArea} as own_totals,
      ${assignedOf(ownStatus, personId ?? null)} as assigned, ${only} as only_skus,
      array(select merged.id from areas merged where merged.merged_into = area.id order by merged.id) as merged_ids
    from ${areas} area
    join locations location on location.id = area.location_id and location.deleted_at is null
    join stores store on store.id = area.store_id and store.deleted_at is null
    left join users closer on closer.id = area.closed_by
    left join sessions session on ${session}
    cross join lateral (${activityOfCurrentPass}) activity
    where area.deleted_at is null and ${condition}`.execute(database);
  return inNaturalOrder(rows).map(presentArea);
}

/** A second count, which is numbered like a pass, comes between and ends none. */
const previousPassEnded = previousEnding({
  sessionId: sql.ref("session.id"),
  areaId: sql.ref("area.id"),
  pass: sql.ref("area.pass"),
});

function recountOf(status: RawBuilder<unknown>) {
  return owedRecount({ sessionId: sql.ref("session.id"), areaId: sql.ref("area.id"), status });
}

/** Of an area that is still to be counted, or counted a second time. */
function assignedOf(ownStatus: RawBuilder<unknown>, personId: string | null) {
  const place = { sessionId: sql.ref("session.id"), areaId: sql.ref("area.id") };
  return sql<AreaAssignment | null>`case when session.status = 'closed' then null
    when ${ownStatus} <> 'closed' then ${assignmentOf(place, personId)}
    when area.status <> 'closed' then ${assignmentAsTaken(place, personId)} end`;
}

const ownTotalsOfArea = sql<OwnTotals | null>`case when area.status = 'in_progress' then ${ownTotalsOf({
  sessionId: sql.ref("session.id"),
  areaId: sql.ref("area.id"),
  pass: sql.ref("area.pass"),
})} end`;

/**
 * Condition: the area is one that the caller is shown. Counters are not shown what their session was not to count, until
 * somebody counts there all the same. A second count of such an area is shown to whoever may take it.
 */
function isCounted({ role }: Caller): RawBuilder<boolean> {
  if (role === "admin") return sql<boolean>`true`;
  const place = { sessionId: sql.ref("session.id"), areaId: sql.ref("area.id") };
  return sql<boolean>`(area.own_status <> 'not_started' or not ${wasLeftOut(place)})`;
}

/**
 * Who made the scans that are left in the area's pass, from the running totals of devices. Only for areas in progress: it is
 * shown of no other, and counters ask often.
 */
const activityOfCurrentPass = sql`
  select count(distinct work.device_id)::integer as devices,
    array_agg(distinct counter.username order by counter.username) as usernames,
    max(work.last_scan_at) as last_scan_at, coalesce(sum(work.accepted), 0)::bigint as accepted
  from device_work work
  join users counter on counter.id = work.scanned_by
  where area.status = 'in_progress' and work.session_id = session.id and work.area_id = area.id
    and work.pass = area.pass`;

function inNaturalOrder(rows: readonly AreaRow[]): AreaRow[] {
  const byCode = naturalOrder();
  return [...rows].sort((left, right) => byCode(left.code, right.code) || (left.id < right.id ? -1 : 1));
}

function presentArea(row: AreaRow): Area {
  return {
    _id: row.id,
    code: row.code,
    name: row.name,
    locationId: row.locationId,
    status: row.status,
    pass: row.pass,
    closedBy: row.closedBy === null ? null : { username: row.closedBy },
    closedAt: row.closedAt?.toISOString() ?? null,
    activity: presentActivity(row),
    recountNeeded: row.previousEndedAs === "mismatched" && row.devices === 0,
    ...(row.previousPassEndedAs === "replaced" ? { restored: true } : {}),
    accepted: row.accepted,
    recount: presentRecount(row.recount),
    ownTotals: row.ownTotals,
    assigned: row.assigned,
    ...(row.onlySkus === null ? {} : { only: row.onlySkus }),
    ...(row.mergedIds.length === 0 ? {} : { mergedIds: row.mergedIds }),
  };
}

function presentActivity({ devices, usernames, lastScanAt }: AreaRow): Area["activity"] {
  if (devices === 0) return null;
  return { devices, usernames: usernames ?? [], lastScanAt: lastScanAt?.toISOString() ?? null };
}

/** The area as the transaction leaves it, told as the caller's list tells it. Throws NOT_FOUND when it is deleted. */
export async function readArea(transaction: Transaction, caller: Caller, areaId: string): Promise<Area> {
  const [area] = await readAreas(transaction, sql<boolean>`area.id = ${areaId}`, viewOf(caller));
  if (area === undefined) throw notFound("The area");
  return area;
}

interface LockedArea {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly status: AreaStatus;
  readonly pass: number;
}

/** Locks a store's areas, so that no scan arrives between two of the caller's statements. */
export function lockAreas(transaction: Transaction, storeId: string): Promise<LockedArea[]> {
  return transaction
    .selectFrom("areas")
    .select(["id", "code", "name", "status", "pass"])
    .where("storeId", "=", storeId)
    .where("deletedAt", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
}
