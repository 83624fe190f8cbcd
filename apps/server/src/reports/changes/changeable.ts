import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { requireUndeployed, type SessionRow } from "../../sessions/sessions.ts";
import { lockEndedSession } from "../ended-session.ts";

/** Holds a session whose report can be changed: it has ended, and nothing of it is deployed. @throws ApiError NOT_FOUND, SESSION_ACTIVE, REPORT_DEPLOYED. */
export async function lockChangeable(
  transaction: Transaction,
  caller: AdminCaller,
  id: string,
): Promise<SessionRow> {
  const session = await lockEndedSession(transaction, caller, id);
  await requireUndeployed(transaction, session.id);
  return session;
}
