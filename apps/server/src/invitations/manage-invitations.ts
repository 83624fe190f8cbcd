import type { Invitation } from "@stocktake/contract";
import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Database } from "../database/pool.ts";
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
 * Takes an invitation back: its link opens nothing and the logins that came by it end at once. What its counter
 * scanned stays. The logins are not deleted: a browser that still holds one is told why it is over.
 * @throws ApiError NOT_FOUND, the second time too.
 */
export async function revokeInvitation(
  { database, events }: InvitationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const { sessionId, storeId } = await database.transaction().execute(async (transaction) => {
    const revoked = await transaction
      .updateTable("invitations")
      .set({ revokedAt: new Date() })
      .where("id", "=", id)
      .where("sentAt", "is not", null)
      .where("revokedAt", "is", null)
      .returning(["sessionId", "storeId", "counterName", "email", "usedAt"])
      .executeTakeFirst();
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
}
