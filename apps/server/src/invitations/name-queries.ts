import { characterCount, firstCharacters, limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { waitForTurn } from "../database/turns.ts";
import { nameKey } from "../kernel/texts.ts";

const number = / \(\d+\)$/;

/** The name, or with the first number behind it that makes it another than those taken: "Anna (2)". */
export function nameApart(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(nameKey(name))) return name;
  const base = name.replace(number, "");
  for (let next = 2; ; next += 1) {
    const suffix = ` (${next})`;
    const apart = `${firstCharacters(base, limits.name - characterCount(suffix)).trimEnd()}${suffix}`;
    if (!taken.has(nameKey(apart))) return apart;
  }
}

/**
 * The keys of the names in a session: of everybody who came to it, whom the session code admitted, and who has a password. For whoever
 * accepts an invitation (`except`) without those of others by mail who have not accepted yet: of several the first to come keeps the name; and
 * without those of revoked invitations to the same address, which are the same person's. Until the transaction ends nobody else takes a name there.
 */
export async function lockNames(
  transaction: Transaction,
  sessionId: string,
  { except, email = "" }: { readonly except: string | null; readonly email?: string },
): Promise<Set<string>> {
  await waitForTurn(transaction, `names ${sessionId}`);
  const { rows } = await sql<{ name: string }>`
    select person.username as name from users person left join invitations own on own.id = person.invitation_id
    where own.session_id = ${sessionId} and own.id is distinct from ${except}::uuid
        and (own.revoked_at is null or own.email = '' or lower(own.email) <> lower(${email}))
      or person.invitation_id is null and person.deleted_at is null
    union
    select invited.counter_name from invitations invited
    where invited.session_id = ${sessionId} and invited.id is distinct from ${except}::uuid
      and invited.sent_at is not null and invited.revoked_at is null
      and (invited.email = '' or ${except}::uuid is null)`.execute(transaction);
  return new Set(rows.map(({ name }) => nameKey(name)));
}
