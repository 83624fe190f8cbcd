import { type EarlierCounter, type Invitation, limits } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { newestFirst, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import { removeFromOutbox } from "../mail/mail.ts";
import { presentInvitation } from "./present.ts";
import { invitationColumns } from "./queries.ts";
import type { InvitationServices } from "./services.ts";

/** A session's invitations, newest first; without revoked ones and without those whose mail never left. */
export async function listInvitations(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<Page<Invitation>> {
  const session = await database
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw notFound("The counting session");
  const rows = await database
    .selectFrom("invitations")
    .select(invitationColumns)
    .where("sessionId", "=", sessionId)
    .where("sentAt", "is not", null)
    .where("revokedAt", "is", null)
    .execute();
  const invitations = pageOf(
    page,
    rows,
    newestFirst(({ createdAt }) => createdAt),
  );
  return { ...invitations, items: invitations.items.map(presentInvitation) };
}

/**
 * Who was invited to other sessions and has no invitation to this one, under the name of the last time; whom the session's
 * store invited come first, then whom others did.
 */
export async function listEarlierCounters(database: Database, sessionId: string): Promise<EarlierCounter[]> {
  const session = await database
    .selectFrom("sessions")
    .select(["id", "storeId"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw notFound("The counting session");
  const { rows } = await sql<{ counterName: string; email: string; invitedAt: Date }>`
    select counter_name, email, invited_at from (
      select distinct on (lower(email)) coalesce(asked_name, counter_name) as counter_name, email, created_at as invited_at,
        bool_or(store_id = ${session.storeId}) over (partition by lower(email)) as is_of_store
      from invitations invitation
      where session_id <> ${sessionId} and sent_at is not null and email <> ''
        and not exists (
          select from invitations present where present.session_id = ${sessionId} and present.revoked_at is null
            and present.sent_at is not null and lower(present.email) = lower(invitation.email))
      order by lower(email), created_at desc) earlier
    order by is_of_store desc, invited_at desc limit ${limits.invitationsPerList}`.execute(database);
  return rows.map(({ invitedAt, ...row }) => ({ ...row, invitedAt: invitedAt.toISOString() }));
}

/**
 * Takes an invitation back: its link opens nothing and the logins that came by it end at once. What its counter
 * scanned stays. Somebody who still waits to be invited is not any more. The logins are not deleted: a browser that still holds one is told why it is over.
 * @throws ApiError NOT_FOUND, the second time too.
 */
export async function revokeInvitation(
  { database, events }: InvitationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const { sessionId, storeId } = await database.transaction().execute(async (transaction) => {
    const revoked = (await revoke(transaction, id)) ?? (await removePerson(transaction, id));
    if (revoked === undefined) throw notFound("The invitation");
    await removeFromOutbox(transaction, id);
    await recordAudit(transaction, {
      sessionId: revoked.sessionId,
      actor: actorOf(caller),
      action: "invitation.revoked",
      subject: { kind: "invitation", id, name: revoked.counterName },
      before: {
        counterName: revoked.counterName,
        email: revoked.email,
        usedAt: revoked.usedAt?.toISOString() ?? null,
      },
      after: null,
    });
    return { sessionId: revoked.sessionId, storeId: revoked.storeId };
  });
  events.publish({ type: "invitation", sessionId, storeId });
  // What was assigned to them alone is anybody's from now on.
  events.publish({ type: "area", sessionId, storeId });
}

interface Revoked {
  readonly sessionId: string;
  readonly storeId: string;
  readonly counterName: string;
  readonly email: string;
  readonly usedAt: Date | null;
}

function revoke(transaction: Transaction, id: string): Promise<Revoked | undefined> {
  return transaction
    .updateTable("invitations")
    .set({ revokedAt: new Date() })
    .where("id", "=", id)
    .where("sentAt", "is not", null)
    .where("revokedAt", "is", null)
    .returning(["sessionId", "storeId", "counterName", "email", "usedAt"])
    .executeTakeFirst();
}

/** Of those who wait to be invited. */
async function removePerson(transaction: Transaction, id: string): Promise<Revoked | undefined> {
  const waited = await transaction
    .deleteFrom("waitingInvitations")
    .where("id", "=", id)
    .returning(["sessionId", "storeId", "counterName", "email"])
    .executeTakeFirst();
  return waited === undefined ? undefined : { ...waited, usedAt: null };
}
