import type { PlannedPerson, WaitingInvitation } from "@stocktake/contract";
import { sql } from "kysely";
import { actorNamed } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import { createInvitation } from "./create-invitation.ts";
import type { InvitationServices } from "./services.ts";

/** Between attempts the pauses double, from a minute. */
const longestPause = sql`interval '1 hour'`;

/** Who is to be invited to a session, by whom, and where the links lead. */
interface Waiting {
  readonly sessionId: string;
  readonly storeId: string;
  readonly invitedBy: string | null;
  readonly origin: string;
}

/** A person added to a plan that had none when its start was asked for, at an address that no link may lead to. */
const unknownAddress =
  "Stocktake did not know where the link should lead. Nothing was sent. Have whoever runs Stocktake set PUBLIC_URL to its address, and invite this person by hand.";

/**
 * Records whom a session that starts is to invite, in the transaction of its start: so whatever dies in between, everybody is
 * invited, and nobody before.
 */
export async function inviteLater(
  transaction: Transaction,
  people: readonly PlannedPerson[],
  waiting: Waiting,
): Promise<void> {
  if (people.length === 0) return;
  const given =
    waiting.origin === "" ? { ...waiting, problem: unknownAddress, nextAttemptAt: null } : waiting;
  await transaction
    .insertInto("waitingInvitations")
    .values(people.map(({ counterName, email, areaIds }) => ({ ...given, counterName, email, areaIds })))
    .execute();
}

/** A session that ends invites nobody any more. */
export async function inviteNobodyElse(transaction: Transaction, sessionId: string): Promise<void> {
  await transaction.deleteFrom("waitingInvitations").where("sessionId", "=", sessionId).execute();
}

/** Who still waits to be invited to a session. */
export async function listWaiting(database: Database, sessionId: string): Promise<WaitingInvitation[]> {
  const rows = await database
    .selectFrom("waitingInvitations")
    .select(["id", "counterName", "email", "problem", "nextAttemptAt"])
    .where("sessionId", "=", sessionId)
    .orderBy("createdAt")
    .orderBy("email")
    .execute();
  return rows.map(({ id, nextAttemptAt, ...row }) => ({ _id: id, ...row, givenUp: nextAttemptAt === null }));
}

/** The pauses between attempts double, from a minute to an hour; then it is given up. */
const mostAttempts = 12;

interface DueRow extends Waiting {
  readonly id: string;
  readonly counterName: string;
  readonly email: string;
  readonly attempts: number;
}

/**
 * Invites those who wait, one after the other, until `signal` is aborted; only those of a session where one is given. Each is
 * taken for a while before it is tried, so that of several nodes one sends the mail.
 */
export async function sendWaitingInvitations(
  services: InvitationServices,
  { sessionId, signal }: { readonly sessionId?: string; readonly signal?: AbortSignal } = {},
): Promise<void> {
  while (signal?.aborted !== true) {
    const due = await claimDue(services.database, sessionId ?? null);
    if (due === undefined) return;
    await invite(services, due);
  }
}

/** After the database's clock was set back nobody waits for more than the longest pause. */
export async function resetAttemptsAhead(database: Database): Promise<void> {
  await sql`
    update waiting_invitations set next_attempt_at = now() + ${longestPause}
    where next_attempt_at > now() + ${longestPause}`.execute(database);
}

async function claimDue(database: Database, sessionId: string | null): Promise<DueRow | undefined> {
  const { rows } = await sql<DueRow>`
    update waiting_invitations set attempts = attempts + 1,
      next_attempt_at = now() + least(${longestPause}, interval '1 minute' * 2 ^ attempts)
    where id = (
      select id from waiting_invitations
      where next_attempt_at <= now() and (${sessionId}::uuid is null or session_id = ${sessionId}::uuid)
      order by next_attempt_at, id limit 1 for update skip locked)
    returning id, session_id, store_id, invited_by, origin, counter_name, email, attempts`.execute(database);
  return rows[0];
}

async function invite(services: InvitationServices, due: DueRow): Promise<void> {
  const { database, events } = services;
  const { id, sessionId, storeId, counterName, email, invitedBy, origin } = due;
  try {
    const actor = await actorNamed(database, invitedBy);
    const given = { sessionId, storeId, counterName, email, onlyOnce: true, waitingId: id };
    await createInvitation(services, actor, given, origin);
    await database.deleteFrom("waitingInvitations").where("id", "=", id).execute();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await keepProblem(database, due, error);
    events.publish({ type: "invitation", sessionId, storeId });
  }
}

/** Nobody is invited to a session that has ended. Whatever else went wrong is shown, and tried again, of whoever still waits. */
async function keepProblem(database: Database, { id, attempts }: DueRow, refusal: ApiError): Promise<void> {
  if (refusal.code === "SESSION_CLOSED") {
    await database.deleteFrom("waitingInvitations").where("id", "=", id).execute();
    return;
  }
  await database
    .updateTable("waitingInvitations")
    .set({ problem: refusal.message, ...(attempts >= mostAttempts ? { nextAttemptAt: null } : {}) })
    .where("id", "=", id)
    .execute();
}
