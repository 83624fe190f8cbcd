import type { CallAnswer, listNotices, WorkNotice } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { sharesItsCode } from "../database/area-codes.ts";
import type { Database } from "../database/pool.ts";
import { countedByOthers, devicesOf, owedRecount, previousEnding } from "../passes/passes.ts";

interface WorkRow {
  readonly sessionId: string;
  readonly adjustmentId: string | null;
  /** Of deploys alone. */
  readonly isRollback?: boolean;
  readonly storeName: string;
  readonly sessionName: string | null;
  readonly count: number;
  readonly names: string[] | null;
  readonly at: Date | null;
}

const namesShown = 3;
/** As long as a session that has ended takes late scans: what waits in older ones is told of in their reports. */
const lately = sql`interval '14 days'`;
const runs = sql`session.status in ('active', 'ending')`;

const firstNames = (name: RawBuilder<unknown>) =>
  sql`(array_agg(distinct ${name} order by ${name}))[1:${sql.lit(namesShown)}]`;

/** Kinds since the release before: a page of it that an update leaves open draws no notice of a kind that is new. */
const furtherKinds: ReadonlySet<WorkNotice["kind"]> = new Set([
  "unheard_devices",
  "join_requests",
  "not_invited",
]);

type WaitingWork = Required<Pick<CallAnswer<typeof listNotices>, "work" | "furtherWork">>;

/** What waits for the administrator in the counts, worked out anew each time: what is done is gone by itself. */
export async function listWork(database: Database): Promise<WaitingWork> {
  const done = sql`adjustment.status = 'applied' and adjustment.rolled_back_at is null and ${endedToday}`;
  const kinds: readonly (readonly [WorkNotice["kind"], RawBuilder<WorkRow>])[] = [
    ["recounts", areasToRecount],
    [
      "silent_devices",
      silentDevices(sql`device.pending > 0 and (${runs} or ${endedLately} and ${isUndeployed})`),
    ],
    ["unheard_devices", silentDevices(sql`coalesce(device.pending, 0) = 0 and ${runs} and ${isAtWork}`)],
    ["join_requests", peopleWhoAsk],
    ["not_invited", peopleNotInvited],
    ["counted_by_others", areasCountedByOthers],
    ["exceptions", scansToDecide],
    ["deploy_partial", deploys(sql`adjustment.status = 'partial'`)],
    ["deploy_failed", deploys(sql`adjustment.status = 'failed' and ${endedToday}`)],
    ["deploy_done", deploys(done)],
  ];
  const notices: WorkNotice[] = [];
  for (const [kind, query] of kinds) {
    const { rows } = await query.execute(database);
    notices.push(...rows.map((row) => present(kind, row)));
  }
  const isFurther = ({ kind }: WorkNotice) => furtherKinds.has(kind);
  return { work: notices.filter((notice) => !isFurther(notice)), furtherWork: notices.filter(isFurther) };
}

function present(kind: WorkNotice["kind"], { at, names, isRollback = false, ...row }: WorkRow): WorkNotice {
  const further = isRollback ? { isRollback } : {};
  return { kind, ...row, ...further, names: names ?? [], at: at?.toISOString() ?? null };
}

/** Selects of a session that runs, its store beside it. */
const ofSession = sql`session.id as session_id, null::uuid as adjustment_id, store.name as store_name,
  session.name as session_name`;

const ofPass = {
  sessionId: sql.ref("session.id"),
  areaId: sql.ref("area.id"),
  pass: sql.ref("area.pass"),
};

/** Told apart where another area of the store has the code. */
const areaName = sql`(case when ${sharesItsCode}
  then area.code || ' (' || (select place.name from locations place where place.id = area.location_id) || ')' else area.code end)`;

/** A total that did not match, with nothing scanned since; or an administrator's request that is still owed. */
const isOwed = sql`(
  ${owedRecount({ ...ofPass, status: sql.ref("area.status") })} is not null
  or area.status = 'in_progress'
    and 'mismatched' = ${previousEnding(ofPass)}
    and not exists (select from device_work work
      where work.session_id = session.id and work.area_id = area.id and work.pass = area.pass))`;

const areasToRecount = sql<WorkRow>`
  select ${ofSession}, count(*)::integer as count, ${firstNames(areaName)} as names, null::timestamptz as at
  from sessions session
  join stores store on store.id = session.store_id
  join areas area on area.store_id = session.store_id and area.deleted_at is null
  where ${runs} and ${isOwed}
  group by session.id, store.name
  order by session.id`;

const areasCountedByOthers = sql<WorkRow>`
  select ${ofSession}, count(*)::integer as count, ${firstNames(areaName)} as names, null::timestamptz as at
  from sessions session
  join stores store on store.id = session.store_id
  join areas area on area.store_id = session.store_id and area.deleted_at is null
  where ${runs} and session.assignments_enforced_at is not null and ${countedByOthers(ofPass)} is not null
  group by session.id, store.name
  order by session.id`;

const silentAfter = sql`interval '5 minutes'`;
const isUndeployed = sql`not exists (select from adjustments adjustment
  where adjustment.session_id = session.id and adjustment.status <> 'failed' and adjustment.rolled_back_at is null)`;
const endedLately = sql`session.ended_at > now() - ${lately}`;

/** The device's scans are in an area that is being counted: whoever counts there without a network makes more, and nobody hears of them. */
const isAtWork = sql`exists (
  select from areas area
  join device_work work on work.session_id = session.id and work.area_id = area.id and work.pass = area.pass
  where area.store_id = session.store_id and area.status = 'in_progress' and area.deleted_at is null
    and work.device_id = device.device_id)`;

/** Devices that have not been heard of for a while, of the sessions and in the state that the condition names. */
function silentDevices(condition: RawBuilder<unknown>): RawBuilder<WorkRow> {
  return sql<WorkRow>`
    select ${ofSession}, count(*)::integer as count, ${firstNames(sql`person.username`)} as names,
      min(device.heard_at) as at
    from sessions session
    join stores store on store.id = session.store_id
    cross join lateral ${devicesOf(sql.ref("session.id"))} device
    join users person on person.id = device.user_id
    where ${condition} and device.heard_at < now() - ${silentAfter}
    group by session.id, store.name
    order by session.id`;
}

/** As the page of the session's code lists them, which shows nobody whose phone has stopped asking. */
const peopleWhoAsk = sql<WorkRow>`
  select ${ofSession}, count(*)::integer as count, ${firstNames(sql`request.counter_name`)} as names,
    min(request.asked_at) as at
  from join_requests request
  join session_codes code on code.id = request.code_id and code.revoked_at is null
  join sessions session on session.id = code.session_id
  join stores store on store.id = session.store_id
  where ${runs} and request.invitation_id is null and request.declined_at is null
    and request.heard_at > now() - interval '5 minutes'
  group by session.id, store.name
  order by session.id`;

/** Whoever invites by hand is told at once that a mail can't be sent; of a mail that is sent for a plan nobody is. */
const peopleNotInvited = sql<WorkRow>`
  select ${ofSession}, count(*)::integer as count, ${firstNames(sql`waiting.counter_name`)} as names,
    null::timestamptz as at
  from waiting_invitations waiting
  join sessions session on session.id = waiting.session_id
  join stores store on store.id = session.store_id
  where ${runs} and waiting.next_attempt_at is null
  group by session.id, store.name
  order by session.id`;

const scansToDecide = sql<WorkRow>`
  select ${ofSession}, waiting.scans::integer as count, null::text[] as names, null::timestamptz as at
  from sessions session
  join stores store on store.id = session.store_id
  cross join lateral (
    select count(*) as scans from scans scan
    where scan.session_id = session.id and scan.status in ('unresolved', 'late')) waiting
  where (${runs} or ${endedLately}) and waiting.scans > 0 and ${isUndeployed}
  order by session.started_at desc`;

/** A rollback that took back nothing is asked for no longer, and one that took back all is partial no more. */
const isPartlyRolledBack = sql`(adjustment.status = 'partial' and adjustment.rollback_requested_at is not null)`;
/** When it was asked for, of what has not ended: a large deploy, or one for which Shopify was away, ends much later. */
const endedAt = sql`coalesce(ended.finished_at, adjustment.applied_at)`;
const endedToday = sql`${endedAt} > now() - interval '1 day'`;

/** The newest adjustment of a session alone: a deploy that failed is no matter once the next one is done. */
function deploys(condition: RawBuilder<unknown>): RawBuilder<WorkRow> {
  return sql<WorkRow>`
    select session.id as session_id, adjustment.id as adjustment_id, ${isPartlyRolledBack} as is_rollback,
      store.name as store_name, session.name as session_name, adjustment.total_adjustments as count,
      null::text[] as names, ${endedAt} as at
    from adjustments adjustment
    join sessions session on session.id = adjustment.session_id
    join stores store on store.id = session.store_id
    left join (
      select adjustment_id, kind, max(finished_at) as finished_at from operations
      where kind in ('deploy', 'rollback') group by adjustment_id, kind) ended
      on ended.adjustment_id = adjustment.id
        and ended.kind = case when ${isPartlyRolledBack} then 'rollback' else 'deploy' end
    where ${condition} and not exists (select from adjustments later
      where later.session_id = adjustment.session_id and later.applied_at > adjustment.applied_at)
    order by ${endedAt} desc`;
}
