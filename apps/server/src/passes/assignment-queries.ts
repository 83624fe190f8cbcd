import type { AreaAssignment } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { PassInQuery } from "./queries.ts";

type AreaInSession = Pick<PassInQuery, "sessionId" | "areaId">;

/** To whom areas are assigned: an invitation, or an account. */
interface Assignee {
  readonly sessionId: string;
  readonly invitationId: string | null;
  readonly userId: string | null;
}

/**
 * Assigns areas to somebody, besides those that they are assigned; returns which are new. An area that was merged is the one that
 * it became, one that was deleted is left out. What is assigned already keeps the time since when it is.
 */
export async function assignTo(
  transaction: Transaction,
  { sessionId, invitationId, userId }: Assignee,
  areaIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ areaId: string }>`
    with named as materialized (
      select id, merged_into from areas
      where id = any(${areaIds}::uuid[]) or id in (select merged_into from areas where id = any(${areaIds}::uuid[]))
      order by id for key share)
    insert into area_assignments (session_id, area_id, invitation_id, user_id)
    select distinct ${sessionId}::uuid, area.id, ${invitationId}::uuid, ${userId}::uuid
    from named join areas area on area.id = coalesce(named.merged_into, named.id) and area.deleted_at is null
    on conflict do nothing
    returning area_id`.execute(transaction);
  return rows.map(({ areaId }) => areaId);
}

/** Whom an area is assigned to. Whose invitation was revoked, or whose account is gone, can count nothing: they are left out. */
function assignees({ sessionId, areaId }: AreaInSession): RawBuilder<unknown> {
  return sql`
    select assigned.assigned_at, coalesce(invitation.counter_name, account.username) as name,
      coalesce(joined.id, account.id) as user_id
    from area_assignments assigned
    left join invitations invitation on invitation.id = assigned.invitation_id and invitation.revoked_at is null
    left join users joined on joined.invitation_id = invitation.id
    left join users account on account.id = assigned.user_id and account.is_active and account.deleted_at is null
    where assigned.session_id = ${sessionId} and assigned.area_id = ${areaId}
      and (invitation.id is not null or account.id is not null)`;
}

/**
 * Whether an area was assigned to somebody, also where their invitation was revoked since: they can count nothing any more, but what they made
 * before may still wait on a phone.
 */
function isAssignedTo({ sessionId, areaId }: AreaInSession, personId: string | null): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from area_assignments own left join users joined on joined.invitation_id = own.invitation_id
    where own.session_id = ${sessionId} and own.area_id = ${areaId}
      and coalesce(joined.id, own.user_id) = ${personId}::uuid)`;
}

/** A subquery: whom an area of a running session is assigned to, as `personId` sees it, as JSON; null for nobody. */
export function assignmentOf(
  area: AreaInSession,
  personId: string | null,
): RawBuilder<AreaAssignment | null> {
  return sql<AreaAssignment | null>`(
    select json_build_object('names', json_agg(assignee.name order by assignee.name),
      'mine', ${isAssignedTo(area, personId)},
      'enforced', (select running.assignments_enforced_at is not null from sessions running
        where running.id = ${area.sessionId}))
    from (${assignees(area)}) assignee
    having count(*) > 0)`;
}

/**
 * The same of a second count, to a person who may take it: theirs alone, where the area was somebody's. Nothing is to tell it from an
 * area that is counted for the first time.
 */
export function assignmentAsTaken(
  area: AreaInSession,
  personId: string | null,
): RawBuilder<AreaAssignment | null> {
  return sql<AreaAssignment | null>`(
    select json_build_object('names', json_build_array(taker.username), 'mine', true,
      'enforced', running.assignments_enforced_at is not null)
    from users taker join sessions running on running.id = ${area.sessionId}
    where taker.id = ${personId}::uuid and exists (${assignees(area)}))`;
}

/**
 * A subquery: who scanned in a pass after the area was assigned to others alone, by name; null for nobody. What they scanned
 * counts: a device without a network can't have heard of it. An administrator may count anywhere.
 */
export function countedByOthers(ofPass: PassInQuery): RawBuilder<string[] | null> {
  const { sessionId, areaId, pass } = ofPass;
  return sql<string[] | null>`(
    select array_agg(distinct person.username order by person.username)
    from device_work work
    join users person on person.id = work.scanned_by and person.role = 'counter'
    join sessions running on running.id = work.session_id
    where work.session_id = ${sessionId} and work.area_id = ${areaId} and work.pass = ${pass}
      and work.last_scan_at > (
        select greatest(min(assignee.assigned_at), running.assignments_enforced_at)
        from (${assignees(ofPass)}) assignee
        where running.assignments_enforced_at is not null having count(*) > 0)
      and not exists (select from (${assignees(ofPass)}) assignee where assignee.user_id = work.scanned_by))`;
}
