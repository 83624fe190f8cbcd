import { refusedForGood } from "@stocktake/contract";
import { sql } from "kysely";
import { canSendScansTo } from "../../auth/auth.ts";
import type { Database } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Heartbeat, QueueReport } from "./heartbeats.ts";

/** What a device tells of its queue with an undo, a reset or a finish. */
interface Reported {
  readonly sessionId: string;
  readonly deviceId?: string | undefined;
  readonly pending?: number | undefined;
  readonly pendingOrder?: number | undefined;
}

type Told = Reported & { readonly deviceId: string };

export const nothingReported: QueueReport = { pending: null, pendingOrder: null };

export function reportOf({ pending, pendingOrder }: Omit<Reported, "sessionId">): QueueReport {
  return { pending: pending ?? null, pendingOrder: pendingOrder ?? null };
}

interface Hearing {
  readonly database: Database;
  readonly heartbeats: { readonly hear: (heartbeats: readonly Heartbeat[]) => Promise<void> };
}

/**
 * Does what a device asks for, and notes what it tells of its queue with it: whatever becomes of the operation, as far as that is final, and only
 * where the caller may send to the session.
 */
export async function withReport<Answer>(
  { database, heartbeats }: Hearing,
  caller: Caller,
  { sessionId, deviceId, ...told }: Reported,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (deviceId === undefined || told.pending === undefined) return act();
  // An administrator sends on what somebody else's device had kept.
  const userId = caller.role === "admin" ? null : caller.userId;
  const heartbeat: Heartbeat = { sessionId, deviceId, userId, ...reportOf(told) };
  try {
    const answer = await act();
    await heartbeats.hear([heartbeat]);
    return answer;
  } catch (error) {
    const isFinal = error instanceof ApiError && refusedForGood.has(error.status);
    if (isFinal && (await maySend(database, caller, sessionId))) await heartbeats.hear([heartbeat]);
    throw error;
  }
}

/**
 * Notes what a device tells of its queue by itself, where it has been heard of before: nobody makes up devices by this alone.
 * @throws ApiError NOT_FOUND where the caller may not send to the session.
 */
export async function hearQueue(
  { database, heartbeats }: Hearing,
  caller: Caller,
  { sessionId, deviceId, ...told }: Told,
): Promise<void> {
  if (!(await maySend(database, caller, sessionId))) throw notFound("The session");
  await heartbeats.hear([{ sessionId, deviceId, userId: null, ...reportOf(told) }]);
}

async function maySend(database: Database, caller: Caller, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions session where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}`.execute(
    database,
  );
  return rows.length > 0;
}
