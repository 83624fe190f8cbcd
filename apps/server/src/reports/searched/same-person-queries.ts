import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/**
 * The common table expressions that end with `same_person`: of the accounts in `those` (a column `id`) each pair that is surely one person, both ways
 * round, and `known_person`, which has a `person` that all accounts of one have. Surely one are invitations to one e-mail, and who came twice by a
 * session code under one name. Never more: by a session code anybody takes any name, also that of somebody with a password.
 */
export function peopleAmong(those: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    named as (
      select account.id, lower(coalesce(invitation.asked_name, account.username)) as name, invitation.asked_name is not null as is_renamed,
        lower(nullif(invitation.email, '')) as email, coalesce(invitation.email = '', false) as by_code
      from users account left join invitations invitation on invitation.id = account.invitation_id
      where account.id in (${those})),
    known_person as materialized (
      select named.*, first_value(id) over (
        partition by by_code, email, case when by_code then name when email is null then id::text end order by is_renamed, id) as person
      from named),
    same_person as materialized (
      select one.id, other.id as other from known_person one join known_person other
        on one.id <> other.id and one.person = other.person)`;
}

/** Names each account after the person whose it is: all that are one by way of any others have the same name. */
export function nameApart(
  ids: readonly string[],
  twins: readonly { readonly id: string; readonly other: string }[],
): (id: string) => string {
  const named = new Map(ids.map((id) => [id, id]));
  for (const { id, other } of twins) {
    const [kept, gone] = [named.get(id) ?? id, named.get(other) ?? other];
    for (const [each, name] of named) if (name === gone) named.set(each, kept);
  }
  return (id) => named.get(id) ?? id;
}

/**
 * The pairs among these accounts that may be one person: as the database's `has_taken_part` tells people apart, by the e-mail of their
 * invitations, or by the name that was asked for where one of the two came by a session code. In an order of their own, so that a person is
 * named the same each time.
 */
export async function readTwins(
  reader: Database,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly other: string }[]> {
  const { rows } = await sql<{ id: string; other: string }>`
    with ${peopleAmong(sql`select unnest(${ids}::uuid[])`)}
    select one.id, other.id as other from known_person one join known_person other
      on one.id <> other.id and (one.person = other.person or (one.by_code or other.by_code) and one.name = other.name)
    order by one.id, other.id`.execute(reader);
  return rows;
}
