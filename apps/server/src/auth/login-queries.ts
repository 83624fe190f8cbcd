import type { InvitationData, LoginEnd } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { type Database, preparedMark, type Transaction } from "../database/pool.ts";
import type { Caller, CallerInvitation } from "../kernel/caller.ts";
import { takesScans } from "./access-queries.ts";
import { lastSeenMinutes } from "./logins/last-seen.ts";
import { hashToken, newToken } from "./tokens.ts";

/**
 * How long the login of the administrator or of a permanent counter lasts, in days from signing in. It is not
 * prolonged by use: a cookie that was copied ends too, and no call has to write.
 */
export const permanentLoginDays = 30;

/** A login that was just made; `token` is for the visitor's cookie alone. */
export interface OpenedLogin {
  readonly token: string;
  readonly caller: Caller;
  /** The logins that it ended, by whose they were and why. */
  readonly ended: readonly EndedLogins[];
}

/** Logins of a user that a new one has ended: the oldest of too many, or the one that its browser held. */
export interface EndedLogins {
  readonly userId: string;
  readonly username: string;
  readonly isTemporary: boolean;
  readonly why: "signed_in_elsewhere" | "replaced";
  /** A name for each, null where it is not known. */
  readonly browsers: readonly (string | null)[];
}

/**
 * How many logins a user has at most; another one ends the oldest. A person counts with a few devices, so that an
 * invitation that is accepted on and on has twenty; an account with a password may be shared by a whole floor.
 */
export const loginsPerUser = { temporary: 20, permanent: 100 } as const;

interface CallerRow {
  userId: string;
  username: string;
  role: "admin" | "counter";
  tokenHash: Buffer;
  invitationId: string | null;
  sessionId: string | null;
  storeId: string | null;
  locationId: string | null;
  isSeenLongAgo: boolean;
}

/** Whom a cookie's value opens to. */
export interface FoundCaller {
  readonly caller: Caller;
  /** Whether it is time to note that the login is in use. Never of a temporary counter, who has no list of logins. */
  readonly isSeenLongAgo: boolean;
}

/**
 * Condition over `login`, its `person`, and the `invitation` and `session` that they came by: the login opens something. A
 * temporary counter's lasts for as long as the session takes scans.
 */
const opens = sql<boolean>`person.is_active and person.deleted_at is null and login.replaced_at is null
  and case when person.invitation_id is null then login.expires_at > now()
    else invitation.revoked_at is null and ${takesScans(sql.ref("session.ended_at"))} end`;

/**
 * A query of those logins, among the hashes that the SQL expression lists, that open something as the statement runs: `token_hash`
 * and `user_id`.
 */
export function openLogins(tokenHashes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select login.token_hash, login.user_id
    from logins login
    join users person on person.id = login.user_id
    left join invitations invitation on invitation.id = person.invitation_id
    left join sessions session on session.id = invitation.session_id
    where login.token_hash = any(${tokenHashes}) and ${opens}`;
}

/**
 * Whom a cookie's value opens to; null when it opens nothing (unknown, expired, revoked, deactivated, deleted).
 */
export async function findCaller(database: Database, token: string): Promise<Caller | null> {
  const [found = null] = await findCallers(database, [token]);
  return found?.caller ?? null;
}

/** The same for several cookies in one query, in their order. */
export async function findCallers(
  database: Database,
  tokens: readonly string[],
): Promise<(FoundCaller | null)[]> {
  const hashes = tokens.map(hashToken);
  const { rows } = await sql<CallerRow>`${sql.raw(preparedMark)}
    select person.id as user_id, person.username, person.role, login.token_hash,
      invitation.id as invitation_id, invitation.session_id, invitation.store_id, invitation.location_id,
      person.invitation_id is null and coalesce(login.last_seen_at, login.created_at)
        < now() - make_interval(mins => ${lastSeenMinutes}) as is_seen_long_ago
    from logins login
    join users person on person.id = login.user_id
    left join invitations invitation on invitation.id = person.invitation_id
    left join sessions session on session.id = invitation.session_id
    where login.token_hash = any(${hashes}::bytea[]) and ${opens}`.execute(database);
  const found = new Map(rows.map((row) => [row.tokenHash.toString("hex"), foundCallerOf(row)]));
  return hashes.map((hash) => found.get(hash.toString("hex")) ?? null);
}

/**
 * Why the login of a cookie is over; null where it is not, or nothing is known of it. Only the holder of the cookie can ask:
 * nobody guesses one.
 */
export async function findLoginEnd(database: Database, token: string): Promise<LoginEnd | null> {
  const { rows } = await sql<{ loginEnd: LoginEnd | null }>`
    select case
        when invitation.revoked_at is not null then 'invitation_revoked'
        when not ${takesScans(sql.ref("session.ended_at"))} then 'session_over'
        when login.replaced_at is not null then 'signed_in_elsewhere'
        when login.expires_at <= now() then 'expired'
      end as login_end
    from logins login
    join users person on person.id = login.user_id
    left join invitations invitation on invitation.id = person.invitation_id
    left join sessions session on session.id = invitation.session_id
    where login.token_hash = ${hashToken(token)}`.execute(database);
  return rows[0]?.loginEnd ?? null;
}

function foundCallerOf(row: CallerRow): FoundCaller {
  return { caller: callerOf(row), isSeenLongAgo: row.isSeenLongAgo };
}

function callerOf(row: CallerRow): Caller {
  const signedIn = { userId: row.userId, username: row.username, loginHash: row.tokenHash };
  if (row.role === "admin") return { ...signedIn, role: "admin" };
  return { ...signedIn, role: "counter", invitation: invitationOf(row) };
}

function invitationOf({ invitationId: id, sessionId, storeId, ...row }: CallerRow) {
  if (id === null || sessionId === null || storeId === null) return null;
  return { id, sessionId, storeId, locationId: row.locationId };
}

/**
 * Makes a login for a user who has proved who they are. `replaced` is the login that the same browser held until
 * now: its cookie is about to be overwritten, so nobody could end it any more. `browser` is the name by which its owner tells
 * it from others.
 */
export async function createLogin(
  transaction: Transaction,
  user: { readonly id: string; readonly isTemporary: boolean },
  replaced: Caller | null,
  browser: string | null,
): Promise<OpenedLogin> {
  const token = newToken();
  await sql`delete from logins where user_id = ${user.id} and expires_at < now() - interval '60 days'`.execute(
    transaction,
  );
  const ended = [
    ...(await endReplaced(transaction, replaced)),
    ...(await makeRoomForLogin(transaction, user)),
  ];
  await sql`insert into logins (token_hash, user_id, browser, last_seen_at, proved_at, expires_at)
    values (${token.hash}, ${user.id}, ${browser}, now(),
    ${user.isTemporary ? null : sql`now()`}, ${user.isTemporary ? null : sql`now() + make_interval(days => ${permanentLoginDays})`})`.execute(
    transaction,
  );
  const caller = await findCaller(transaction, token.text);
  if (caller === null) throw new Error("A login was made for a user who may not sign in.");
  return { token: token.text, caller, ended };
}

async function endReplaced(transaction: Transaction, replaced: Caller | null): Promise<EndedLogins[]> {
  if (replaced === null) return [];
  const rows = await transaction
    .deleteFrom("logins")
    .where("tokenHash", "=", replaced.loginHash)
    .returning("browser")
    .execute();
  const { userId, username } = replaced;
  const isTemporary = replaced.role === "counter" && replaced.invitation !== null;
  const browsers = rows.map(({ browser }) => browser);
  return browsers.length === 0 ? [] : [{ userId, username, isTemporary, why: "replaced", browsers }];
}

/** Ends a user's oldest logins, so that there is room for another. As many that were ended so are kept to tell their holders. */
async function makeRoomForLogin(
  transaction: Transaction,
  { id, isTemporary }: { readonly id: string; readonly isTemporary: boolean },
): Promise<EndedLogins[]> {
  const most = isTemporary ? loginsPerUser.temporary : loginsPerUser.permanent;
  const { rows } = await sql<{ username: string; browser: string | null }>`
    update logins login set replaced_at = now() from users person
    where person.id = login.user_id and token_hash in (
      select token_hash from logins
      where user_id = ${id} and replaced_at is null and coalesce(expires_at > now(), true)
      order by created_at desc offset ${most - 1})
    returning person.username, login.browser`.execute(transaction);
  await sql`
    delete from logins where token_hash in (
      select token_hash from logins where user_id = ${id} and replaced_at is not null
      order by replaced_at desc, created_at desc offset ${most})`.execute(transaction);
  const [first] = rows;
  if (first === undefined) return [];
  const browsers = rows.map(({ browser }) => browser);
  const { username } = first;
  return [{ userId: id, username, isTemporary, why: "signed_in_elsewhere", browsers }];
}

/** Ends every login of a user; `except` is the one that remains valid. Lock the user's row before, as signing in does. */
export async function endLoginsOf(transaction: Transaction, userId: string, except?: Buffer): Promise<void> {
  await transaction
    .deleteFrom("logins")
    .where("userId", "=", userId)
    .$if(except !== undefined, (query) => query.where("tokenHash", "!=", except ?? Buffer.alloc(0)))
    .execute();
}

/** Where an invitation leads: to its store, and to its location while that is there, or else to the store's only one. */
export async function readInvitationData(
  database: Database,
  { storeId, locationId }: Pick<CallerInvitation, "storeId" | "locationId">,
): Promise<InvitationData> {
  const { rows } = await sql<{ locationId: string | null }>`
    select coalesce(
      (select id from locations where id = ${locationId} and deleted_at is null),
      (select (array_agg(id))[1] from locations
        where store_id = ${storeId} and deleted_at is null having count(*) = 1)
    ) as location_id`.execute(database);
  return { storeId, locationId: rows[0]?.locationId ?? null };
}
