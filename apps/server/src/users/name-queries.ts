import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { waitForTurn, waitForTurns } from "../database/turns.ts";
import { nameKey } from "../kernel/formats.ts";

export interface RunningSession {
  readonly sessionId: string;
  readonly storeId: string;
}

const namesOf = (sessionId: string) => `names ${sessionId}`;

/** Who has counted in the sessions, or opened an area there on a device that may have scans to send still. */
const whoCountedIn = (sessions: RawBuilder<unknown>) => sql`
  select scanned_by from device_work where session_id = any(${sessions})
  union all select user_id from session_devices where session_id = any(${sessions})
  union all select user_id from opened_devices where session_id = any(${sessions})`;

function keysOf(rows: readonly { readonly name: string }[]): Set<string> {
  return new Set(rows.map(({ name }) => nameKey(name)));
}

/**
 * The keys of the names in a session: of everybody who came to it, whom the session code admitted, and who has a password, or had one
 * and counted here before the account was deleted. For whoever
 * accepts an invitation (`except`) without those of others by mail who have not accepted yet: of several the first to come keeps the name; and
 * without those of revoked invitations to the same address, which are the same person's. Until the transaction ends nobody else takes a name there.
 */
export async function lockNames(
  transaction: Transaction,
  sessionId: string,
  { except, email = "" }: { readonly except: string | null; readonly email?: string },
): Promise<Set<string>> {
  await waitForTurn(transaction, namesOf(sessionId));
  const { rows } = await sql<{ name: string }>`
    select person.username as name from users person left join invitations own on own.id = person.invitation_id
    where own.session_id = ${sessionId} and own.id is distinct from ${except}::uuid
        and (own.revoked_at is null or own.email = '' or lower(own.email) <> lower(${email}))
      or person.invitation_id is null
        and (person.deleted_at is null or person.id in (${whoCountedIn(sql`array[${sessionId}::uuid]`)}))
    union
    select invited.counter_name from invitations invited
    where invited.session_id = ${sessionId} and invited.id is distinct from ${except}::uuid
      and invited.sent_at is not null and invited.revoked_at is null
      and (invited.email = '' or ${except}::uuid is null)`.execute(transaction);
  return keysOf(rows);
}

/**
 * The keys of the names that no account may get while sessions run, as it may count in all of them: of everybody who came to one or
 * was admitted by its code, and of deleted accounts that counted there. Whoever is invited by mail and comes later gets a number behind
 * the name. Until the transaction ends nobody else takes a name there. Call it before an account is locked.
 */
export async function lockNamesOfRunning(transaction: Transaction): Promise<Set<string>> {
  const running = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("status", "in", ["active", "ending"])
    .orderBy("id")
    .execute();
  await waitForTurns(
    transaction,
    running.map(({ id }) => namesOf(id)),
  );
  const sessions = sql`${running.map(({ id }) => id)}::uuid[]`;
  const { rows } = await sql<{ name: string }>`
    select person.username as name from users person join invitations own on own.id = person.invitation_id
    where own.session_id = any(${sessions})
    union
    select invited.counter_name from invitations invited
    where invited.session_id = any(${sessions}) and invited.email = ''
      and invited.sent_at is not null and invited.revoked_at is null
    union
    select gone.username from users gone
    where gone.invitation_id is null and gone.deleted_at is not null and gone.id in (${whoCountedIn(sessions)})`.execute(
    transaction,
  );
  return keysOf(rows);
}

/** The running sessions that name an account: it is assigned areas there, or came there with a device. */
export async function findRunningWith(
  transaction: Transaction,
  accountId: string,
): Promise<readonly RunningSession[]> {
  const { rows } = await sql<RunningSession>`
    select session.id as session_id, session.store_id from sessions session
    where session.status in ('active', 'ending') and (${accountId}::uuid in (${whoCountedIn(sql`array[session.id]`)})
      or exists (
        select from area_assignments assigned
        where assigned.session_id = session.id and assigned.user_id = ${accountId}))`.execute(transaction);
  return rows;
}
