import type { Database, Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findSession, lockSession, type SessionRow } from "../sessions/sessions.ts";
import { workingOn } from "./standing.ts";

/** The session of an adjustment. @throws ApiError NOT_FOUND. */
export async function findSessionOf(
  reader: Database,
  caller: AdminCaller,
  adjustmentId: string,
): Promise<SessionRow> {
  const adjustment = await reader
    .selectFrom("adjustments")
    .select("session_id")
    .where("id", "=", adjustmentId)
    .executeTakeFirst();
  if (adjustment === undefined) throw notFound("The adjustment");
  return findSession(reader, caller, adjustment.session_id);
}

/** The same, locked until the transaction ends. */
export async function lockSessionOf(transaction: Transaction, caller: AdminCaller, adjustmentId: string) {
  const { id } = await findSessionOf(transaction, caller, adjustmentId);
  return lockSession(transaction, id);
}

/** @throws ApiError DEPLOY_RUNNING, ROLLBACK_RUNNING. */
export async function requireAtRest(reader: Database, adjustmentId: string): Promise<void> {
  const { working } = await reader
    .selectFrom("adjustments")
    .select(workingOn)
    .where("id", "=", adjustmentId)
    .executeTakeFirstOrThrow();
  if (working === "deploy") {
    throw new ApiError("DEPLOY_RUNNING", "The deploy is still running. Try again when it is done.");
  }
  if (working === "rollback") {
    throw new ApiError("ROLLBACK_RUNNING", "The rollback is still running. Try again when it is done.");
  }
}
