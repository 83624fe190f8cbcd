import { sql } from "kysely";
import { type AuditActor, areaNames, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import { assignTo } from "../passes/passes.ts";

interface Invited {
  readonly id: string;
  readonly sessionId: string;
  readonly counterName: string;
  readonly email: string;
}

/**
 * Nobody is invited who was taken out, or whose session ended, while their mail was under way. Somebody who was invited by hand meanwhile
 * waits no more either, and is still wanted: neither of their links is to be dead. @throws ApiError NOT_FOUND.
 */
export async function requireWanted(
  transaction: Transaction,
  waitingId: string,
  { id, sessionId, email }: Invited,
): Promise<void> {
  const waiting = await transaction
    .selectFrom("waitingInvitations")
    .select("id")
    .where("id", "=", waitingId)
    .forUpdate()
    .executeTakeFirst();
  if (waiting !== undefined) return;
  const byHand = await transaction
    .selectFrom("invitations")
    .select("id")
    .where("sessionId", "=", sessionId)
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .where("id", "<>", id)
    .where("sentAt", "is not", null)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  if (byHand === undefined) throw notFound("The invitation");
}

/**
 * Whose mail has left waits no more, and has the areas that the session's plan has for them from now on, as if an administrator had
 * just assigned them. Returns these areas.
 */
export async function endWaiting(
  transaction: Transaction,
  { id: invitationId, sessionId, email }: Invited,
): Promise<readonly string[]> {
  const waited = await transaction
    .deleteFrom("waitingInvitations")
    .where("sessionId", "=", sessionId)
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .returning("areaIds")
    .execute();
  const planned = waited.flatMap(({ areaIds }) => areaIds);
  if (planned.length === 0) return [];
  return assignTo(transaction, { sessionId, invitationId, userId: null }, planned);
}

/** Keeps in the audit log which areas have become somebody's with their invitation. */
export async function recordAssigned(
  transaction: Transaction,
  actor: AuditActor,
  { sessionId, counterName }: Invited,
  areaIds: readonly string[],
): Promise<void> {
  if (areaIds.length === 0) return;
  const { assignmentsEnforcedAt } = await transaction
    .selectFrom("sessions")
    .select("assignmentsEnforcedAt")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  const nameOf = await areaNames(transaction, areaIds);
  const facts = (areas: string) => ({
    enforced: assignmentsEnforcedAt !== null,
    people: [`${counterName}: ${areas}`],
  });
  await recordAudit(transaction, {
    sessionId,
    actor,
    action: "areas.assigned",
    subject: await sessionSubject(transaction, sessionId),
    before: facts("none"),
    after: facts(areaIds.map(nameOf).sort().join(", ")),
  });
}
