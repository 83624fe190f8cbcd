import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import { isDeployed, requireUnarchived } from "../../sessions/sessions.ts";

/** The session of scans that are decided on; its row is held. */
export interface HeldSession {
  readonly id: string;
  readonly storeId: string;
  /** Whether scans still count in the areas' current passes. */
  readonly isRunning: boolean;
}

/**
 * Holds the session against its end and against its deploy, which both lock this row before they read what counts.
 * Throws NOT_FOUND, SESSION_ARCHIVED, REPORT_DEPLOYED.
 */
export async function holdSession(transaction: Transaction, sessionId: string): Promise<HeldSession> {
  const session = await transaction
    .selectFrom("sessions")
    .select(["id", "storeId", "status"])
    .where("id", "=", sessionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  await requireUnarchived(transaction, sessionId);
  if (await isDeployed(transaction, sessionId)) throw reportDeployed();
  const { status, ...ids } = session;
  return { ...ids, isRunning: status !== "closed" };
}

function reportDeployed(): ApiError {
  return new ApiError(
    "REPORT_DEPLOYED",
    "The session's report is deployed, so its counts can't change. Roll the adjustment back first.",
  );
}

/** Throws NOT_FOUND where there is no such session, SESSION_ARCHIVED. */
export async function requireSession(database: Database, sessionId: string): Promise<void> {
  const session = await database
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  await requireUnarchived(database, sessionId);
}
