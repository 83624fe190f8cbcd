import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";

/** Removes an invitation's mail: its link has been passed on, or leads nowhere any more. */
export async function removeFromOutbox(transaction: Transaction, invitationId: string): Promise<void> {
  await transaction.deleteFrom("outboxMails").where("invitationId", "=", invitationId).execute();
}

/** Removes the mails of a session's invitations: they end with it. */
export async function clearOutboxOf(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`delete from outbox_mails mail using invitations invitation
    where invitation.id = mail.invitation_id and invitation.session_id = ${sessionId}`.execute(transaction);
}
