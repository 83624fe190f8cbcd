import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/**
 * The common table expression `twin`: of the accounts in `those` (a column `id`) each pair that is one person as far as anybody can tell, both
 * ways round. As the database's `has_taken_part` tells people apart: by the e-mail of their invitations, or by the name that was asked for
 * where one of the two came by a session code.
 */
export function twinsAmong(those: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    known_person as materialized (
      select account.id, lower(coalesce(invitation.asked_name, account.username)) as name,
        lower(nullif(invitation.email, '')) as email, coalesce(invitation.email = '', false) as by_code
      from users account left join invitations invitation on invitation.id = account.invitation_id
      where account.id in (${those})),
    twin as materialized (
      select one.id, other.id as other from known_person one join known_person other
        on one.id <> other.id and (one.email = other.email or (one.by_code or other.by_code) and one.name = other.name))`;
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

/** The pairs among these accounts that are one person. */
export async function readTwins(
  reader: Database,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly other: string }[]> {
  const { rows } = await sql<{ id: string; other: string }>`
    with ${twinsAmong(sql`select unnest(${ids}::uuid[])`)} select id, other from twin`.execute(reader);
  return rows;
}
