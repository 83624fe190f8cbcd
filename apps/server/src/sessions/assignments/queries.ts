import type { Assignments } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";

interface PersonRow {
  readonly id: string;
  readonly kind: "invitation" | "account";
  readonly name: string;
  readonly email: string;
  readonly areaIds: string[];
}

/**
 * Who can be assigned areas of a session, by name: whoever is invited to it, and every permanent counter. Areas that were deleted
 * since are left out.
 */
export async function readAssignments(
  database: Database,
  session: { readonly id: string; readonly assignmentsEnforcedAt: Date | null },
): Promise<Assignments> {
  const { rows } = await sql<PersonRow>`
    select person.*, coalesce(array(
        select assigned.area_id from area_assignments assigned
        join areas area on area.id = assigned.area_id and area.deleted_at is null
        where assigned.session_id = ${session.id} and person.id in (assigned.invitation_id, assigned.user_id)
        order by area.code, area.id), '{}') as area_ids
    from (
      select id, 'invitation' as kind, counter_name as name, email from invitations
      where session_id = ${session.id} and sent_at is not null and revoked_at is null
      union all
      select id, 'account', username, '' from users
      where role = 'counter' and invitation_id is null and is_active and deleted_at is null) person
    order by lower(person.name), person.id`.execute(database);
  return {
    enforced: session.assignmentsEnforcedAt !== null,
    people: rows.map(({ id, ...person }) => ({ _id: id, ...person })),
  };
}
