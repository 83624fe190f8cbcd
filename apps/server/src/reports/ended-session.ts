import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { findSession, lockSession, type SessionRow } from "../sessions/sessions.ts";

function requireEnded(session: Pick<SessionRow, "status">): void {
  if (session.status !== "closed") {
    throw new ApiError(
      "SESSION_ACTIVE",
      "This session is still active. Its report is available once it has ended.",
    );
  }
}

/** The ended session of a report. @throws ApiError NOT_FOUND, SESSION_ACTIVE. */
export async function findEndedSession(reader: Database, caller: Caller, id: string): Promise<SessionRow> {
  const session = await findSession(reader, caller, id);
  requireEnded(session);
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
  const { storeName } = await findEndedSession(transaction, caller, id);
  return { ...(await lockSession(transaction, id)), storeName };
}
