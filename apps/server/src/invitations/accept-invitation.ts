import type { InvitationData, InvitationForAcceptance } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { recordAudit } from "../audit/audit.ts";
import { createLogin, hashToken, type OpenedLogin, readInvitationData, recordEnded } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { removeFromOutbox } from "../mail/mail.ts";
import { lockNames } from "../users/users.ts";
import { nameApart } from "./name-apart.ts";
import type { InvitationServices } from "./services.ts";

interface OpenInvitationRow {
  id: string;
  counterName: string;
  email: string;
  createdAt: Date;
  usedAt: Date | null;
  storeId: string;
  storeName: string;
  locationId: string | null;
  sessionId: string;
  startedAt: Date;
}

/** The account that an invitation made. */
interface AccountOfInvitation {
  readonly userId: string;
  readonly username: string;
}

interface AcceptedInvitation {
  readonly login: OpenedLogin;
  readonly invitationData: InvitationData;
}

/** The invitation that a link's token opens. @throws ApiError NOT_FOUND for unknown, revoked and expired alike. */
export async function readInvitation(database: Database, token: string): Promise<InvitationForAcceptance> {
  const row = await findOpenInvitation(database, token, sql``);
  return {
    _id: row.id,
    counterName: row.counterName,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    usedAt: row.usedAt?.toISOString() ?? null,
    store: { _id: row.storeId, name: row.storeName },
    session: { _id: row.sessionId, startedAt: row.startedAt.toISOString() },
  };
}

/**
 * Signs the invitation's counter in. The first time makes the user, with a number behind the name where another of the session has
 * it already; every other device joins as the same one.
 * `visitor` is whom the browser was signed in as until now.
 * @throws ApiError NOT_FOUND for unknown, revoked and expired alike.
 */
export async function acceptInvitation(
  { database, events }: InvitationServices,
  token: string,
  visitor: Caller | null,
): Promise<AcceptedInvitation> {
  const { sessionId, isFirst, ...accepted } = await database.transaction().execute(async (transaction) => {
    // Held until the end: of two devices that accept at the same time the second finds the user of the first.
    const invitation = await findOpenInvitation(transaction, token, sql`for update of invitation`);
    const known = await findUser(transaction, invitation.id);
    const { userId, username } = known ?? (await makeUser(transaction, invitation));
    const login = await createLogin(transaction, { id: userId, isTemporary: true }, visitor, null);
    const where = { storeId: invitation.storeId, locationId: invitation.locationId };
    const invitationData = await readInvitationData(transaction, where);
    await removeFromOutbox(transaction, invitation.id);
    if (known === undefined) await recordAcceptance(transaction, invitation, { userId, username });
    await recordEnded(transaction, login);
    return { login, invitationData, sessionId: invitation.sessionId, isFirst: known === undefined };
  });
  // What others see of an invitation is whether it was used; a further device changes nothing of that.
  if (isFirst) events.publish({ type: "invitation", sessionId, storeId: accepted.invitationData.storeId });
  return accepted;
}

/** The first device alone makes an account; others that join by the same link change nothing. */
async function recordAcceptance(
  transaction: Transaction,
  { id, sessionId, email }: OpenInvitationRow,
  { userId, username: name }: AccountOfInvitation,
): Promise<void> {
  await recordAudit(transaction, {
    sessionId,
    actor: { kind: "counter", id: userId, name },
    action: "invitation.accepted",
    subject: { kind: "invitation", id, name },
    before: null,
    after: { counterName: name, email, accountId: userId },
  });
}

async function findOpenInvitation(
  database: Database,
  token: string,
  lock: RawBuilder<unknown>,
): Promise<OpenInvitationRow> {
  const { rows } = await sql<OpenInvitationRow>`
    select invitation.id, invitation.counter_name, invitation.email, invitation.created_at, invitation.used_at,
      store.id as store_id, store.name as store_name, invitation.location_id, session.id as session_id, session.started_at
    from invitations invitation
    join sessions session on session.id = invitation.session_id
    join stores store on store.id = invitation.store_id
    where invitation.token_hash = ${hashToken(token)}
      and invitation.sent_at is not null and invitation.revoked_at is null
      and session.status in ('active', 'ending')
    ${lock}`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new ApiError("NOT_FOUND", "Invalid or expired invitation");
  return row;
}

async function findUser(
  transaction: Transaction,
  invitationId: string,
): Promise<AccountOfInvitation | undefined> {
  return transaction
    .selectFrom("users")
    .select(["id as userId", "username"])
    .where("invitationId", "=", invitationId)
    .executeTakeFirst();
}

async function makeUser(
  transaction: Transaction,
  { id: invitationId, sessionId, counterName, email }: OpenInvitationRow,
): Promise<AccountOfInvitation> {
  const taken = await lockNames(transaction, sessionId, { except: invitationId, email });
  const username = nameApart(counterName, taken);
  const { id: userId } = await transaction
    .insertInto("users")
    .values({ username, role: "counter", invitationId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable("invitations")
    .set({
      ...{ usedAt: new Date(), counterName: username },
      ...(username === counterName ? {} : { askedName: counterName }),
    })
    .where("id", "=", invitationId)
    .execute();
  return { userId, username };
}
