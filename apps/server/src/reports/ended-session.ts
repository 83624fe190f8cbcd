import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { findSession, lockSession, type SessionRow } from "../sessions/sessions.ts";

function refuseRunning(session: Pick<SessionRow, "status">): void {
  if (session.status !== "closed") {
    throw new ApiError(
      "SESSION_ACTIVE",
      "This session is still counting. Its report is there once it has ended.",
    );
  }
}

/** The ended session that a report call speaks of. @throws ApiError NOT_FOUND, SESSION_ACTIVE. */
export async function findEndedSession(reader: Database, caller: Caller, id: string): Promise<SessionRow> {
  const session = await findSession(reader, caller, id);
  refuseRunning(session);
  return session;
}

/**
 * The same, locked until the transaction ends: changes of counts, deploy and rollback of a session take turns, so that
 * no deploy reads a report that is being changed. @throws ApiError NOT_FOUND, SESSION_ACTIVE.
 */
export async function lockEndedSession(
  transaction: Transaction,
  caller: Caller,
  id: string,
): Promise<SessionRow> {
  const { store_name } = await findEndedSession(transaction, caller, id);
  return { ...(await lockSession(transaction, id)), store_name };
}

/** Unresolved and late scans that still wait for an administrator. */
export async function countExceptions(
  reader: Database,
  sessionId: string,
): Promise<{ unresolved: number; late: number }> {
  return reader
    .selectFrom("scans")
    .select([
      sql<number>`count(*) filter (where status = 'unresolved')::integer`.as("unresolved"),
      sql<number>`count(*) filter (where status = 'late')::integer`.as("late"),
    ])
    .where("session_id", "=", sessionId)
    .where("status", "in", ["unresolved", "late"])
    .executeTakeFirstOrThrow();
}
