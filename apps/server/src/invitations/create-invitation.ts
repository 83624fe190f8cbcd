import type { Invitation } from "@stocktake/contract";
import { sql } from "kysely";
import { type AuditActor, recordAudit } from "../audit/audit.ts";
import { newToken, type Token } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { waitForTurn } from "../database/turns.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import { type Mail, putIntoOutbox } from "../mail/mail.ts";
import { endWaiting, recordAssigned, requireWanted } from "./end-waiting.ts";
import { invitationMail } from "./invitation-mail.ts";
import { presentInvitation } from "./present.ts";
import { invitationColumns } from "./queries.ts";
import type { InvitationServices } from "./services.ts";

/** What the list shows of a token. */
const shownCharacters = 12;

/** An intent that is as old as this has lost its process: no mail server is waited for so long. */
const abandonedAfterMinutes = 10;

export interface NewInvitation {
  readonly sessionId: string;
  readonly storeId: string;
  readonly email: string;
  readonly counterName: string;
  readonly locationId?: string | null | undefined;
  /** The address is not invited to the session a second time. */
  readonly onlyOnce?: boolean | undefined;
  /** Of whom the session's plan invites: the row by which they wait. */
  readonly waitingId?: string | undefined;
}

interface SentInvitation {
  readonly invitation: Invitation;
  readonly delivery: "sent" | "outbox" | "already";
}

/**
 * Invites a counter to a running session; `origin` is where the link leads.
 * The invitation is first recorded as an intent (`sent_at` null), which no list shows and no link opens; it becomes
 * an invitation when the mail server, or the outbox, has taken the mail. So whatever dies in between, nobody is ever
 * listed as invited without a mail.
 * @throws ApiError NOT_FOUND, VALIDATION for ids that don't belong together, SESSION_CLOSED, MAIL_FAILED: then none exists;
 * with `onlyOnce` INVITATION_UNDER_WAY; NOT_FOUND too, and no invitation, for somebody who waited and was taken out while the mail left.
 */
export async function createInvitation(
  services: InvitationServices,
  actor: AuditActor,
  given: NewInvitation,
  origin: string,
): Promise<SentInvitation> {
  const { sessionId, storeId } = given;
  const { assigns, ...sent } = await invite(services, actor, given, origin);
  if (sent.delivery === "already") return sent;
  services.events.publish({ type: "invitation", sessionId, storeId });
  if (assigns) services.events.publish({ type: "area", sessionId, storeId });
  return sent;
}

interface Made extends SentInvitation {
  /** Areas have become the counter's by it. */
  readonly assigns: boolean;
}

async function invite(
  { database, mailer }: InvitationServices,
  actor: AuditActor,
  given: NewInvitation,
  origin: string,
): Promise<Made> {
  const token = newToken();
  const intent = await database
    .transaction()
    .execute((transaction) => recordIntent(transaction, given, { token, origin }));
  if ("present" in intent) {
    return { invitation: intent.present, delivery: "already", assigns: false };
  }
  const { id, mail } = intent;
  const made = { id, sessionId: given.sessionId, waitingId: given.waitingId };
  try {
    if (mailer.kind === "outbox") return await deliverToOutbox(database, actor, made, mail);
    await mailer.send(mail);
    return await database.transaction().execute((transaction) => markSent(transaction, actor, made, "sent"));
  } catch (error) {
    await database.deleteFrom("invitations").where("id", "=", id).where("sentAt", "is", null).execute();
    throw error;
  }
}

interface Intent {
  readonly id: string;
  readonly mail: Mail;
}

interface PresentInvitation {
  readonly present: Invitation;
}

/**
 * The invitation that an address already has in a session. Whoever asks for the same address waits until this one's intent is
 * written, on all nodes. @throws ApiError INVITATION_UNDER_WAY while its mail is being sent.
 */
async function findPresent(
  transaction: Transaction,
  { sessionId, email }: NewInvitation,
): Promise<Invitation | null> {
  await waitForTurn(transaction, `invite ${sessionId} ${email.toLowerCase()}`);
  const rows = await transaction
    .selectFrom("invitations")
    .select([...invitationColumns, "sentAt"])
    .where("sessionId", "=", sessionId)
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("revokedAt", "is", null)
    .orderBy("createdAt")
    .execute();
  const sent = rows.find(({ sentAt }) => sentAt !== null);
  if (sent !== undefined) return presentInvitation(sent);
  if (rows.length === 0) return null;
  throw new ApiError(
    "INVITATION_UNDER_WAY",
    "An invitation is being sent to this address at the moment. Look at the list in a minute before you send another.",
  );
}

async function recordIntent(
  transaction: Transaction,
  given: NewInvitation,
  { token, origin }: { readonly token: Token; readonly origin: string },
): Promise<Intent | PresentInvitation> {
  const { storeName } = await requireTarget(transaction, given);
  await forgetAbandonedIntents(transaction, given.sessionId);
  if (given.onlyOnce === true) {
    const present = await findPresent(transaction, given);
    if (present !== null) return { present };
  }
  const { id } = await transaction
    .insertInto("invitations")
    .values({
      sessionId: given.sessionId,
      storeId: given.storeId,
      locationId: given.locationId ?? null,
      counterName: given.counterName,
      email: given.email,
      tokenHash: token.hash,
      tokenEnding: token.text.slice(-shownCharacters),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const link = `${origin}/counter/invite/${token.text}`;
  const mail = invitationMail({ to: given.email, counterName: given.counterName, storeName, link });
  return { id, mail };
}

interface TargetRow {
  sessionStore: string | null;
  sessionStatus: "active" | "ending" | "closed";
  storeName: string | null;
  locationStore: string | null;
}

/** Checks that session, store and location exist and belong together, and that the session is active. */
async function requireTarget(
  transaction: Transaction,
  { sessionId, storeId, locationId = null }: NewInvitation,
): Promise<{ readonly storeName: string }> {
  const { rows } = await sql<TargetRow>`
    select session.store_id as session_store, session.status as session_status,
      (select name from stores where id = ${storeId} and deleted_at is null) as store_name,
      (select location.store_id from locations location
        join stores store on store.id = location.store_id and store.deleted_at is null
        where location.id = ${locationId}::uuid and location.deleted_at is null) as location_store
    from sessions session where session.id = ${sessionId}`.execute(transaction);
  const [target] = rows;
  if (target === undefined) throw notFound("The counting session");
  if (target.storeName === null) throw notFound("The store");
  if (locationId !== null && target.locationStore === null) throw notFound("The location");
  if (target.sessionStore !== storeId) throw invalidField("storeId", "The session is not for this store.");
  if (locationId !== null && target.locationStore !== storeId) {
    throw invalidField("locationId", "The location does not belong to this store.");
  }
  if (target.sessionStatus === "closed") {
    throw new ApiError(
      "SESSION_CLOSED",
      "This counting session has ended, so nobody can be invited to it any more.",
    );
  }
  return { storeName: target.storeName };
}

async function forgetAbandonedIntents(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`delete from invitations where id in (
    select id from invitations where session_id = ${sessionId} and sent_at is null
      and created_at < now() - make_interval(mins => ${abandonedAfterMinutes})
    for update skip locked)`.execute(transaction);
}

interface MadeIntent {
  readonly id: string;
  readonly sessionId: string;
  readonly waitingId: string | undefined;
}

function deliverToOutbox(
  database: Database,
  actor: AuditActor,
  intent: MadeIntent,
  mail: Mail,
): Promise<Made> {
  return database.transaction().execute(async (transaction) => {
    await putIntoOutbox(transaction, intent.id, mail);
    return markSent(transaction, actor, intent, "outbox");
  });
}

async function markSent(
  transaction: Transaction,
  actor: AuditActor,
  { id, sessionId, waitingId }: MadeIntent,
  delivery: "sent" | "outbox",
): Promise<Made> {
  // Before the rows that an end of the session changes while it holds it and its areas.
  await transaction.selectFrom("sessions").select("id").where("id", "=", sessionId).forShare().execute();
  const row = await transaction
    .updateTable("invitations")
    .set({ sentAt: new Date() })
    .where("id", "=", id)
    .returning(invitationColumns)
    .executeTakeFirstOrThrow();
  const { counterName, email } = row;
  const invited = { id, sessionId, counterName, email };
  if (waitingId !== undefined) await requireWanted(transaction, waitingId, invited);
  const areaIds = await endWaiting(transaction, invited);
  await recordAudit(transaction, {
    sessionId,
    actor,
    action: "invitation.created",
    subject: { kind: "invitation", id, name: counterName },
    before: null,
    after: { counterName, email, delivery },
  });
  await recordAssigned(transaction, actor, invited, areaIds);
  return { invitation: presentInvitation(row), delivery, assigns: areaIds.length > 0 };
}
