import type { LiveEvent } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { DeviceOperationsTable } from "../database/tables.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import type { ScanningServices } from "./services.ts";
import { type HeldSession, holdSession } from "./take-area.ts";

/** An undo, reset or finish as a device asks for it. */
export interface DeviceOperation<Answer> {
  readonly kind: DeviceOperationsTable["kind"];
  readonly sessionId: string;
  readonly opId: string | undefined;
  /** What is asked, to tell a repeat from another operation under the same id. */
  readonly request: Readonly<Record<string, string | number | null>>;
  /** Reads a kept answer back. */
  readonly parse: (kept: unknown) => Answer;
}

/** The answer, and what others are to be told; null where nothing changed. */
export interface Performed<Answer> {
  readonly answer: Answer;
  readonly changed: LiveEvent | null;
}

/**
 * Does a device's operation once. Its answer is kept in the transaction of its effect; a repeat under the same
 * operation id gets that answer and changes nothing. A refusal is not kept: it changed nothing, and asked again the
 * operation is judged by how things stand then.
 * Throws NOT_FOUND for a session out of sight, OPERATION_REUSED, and what `act` throws.
 */
export async function performOnce<Answer extends object>(
  context: Pick<ScanningServices, "database" | "events">,
  caller: Caller,
  operation: DeviceOperation<Answer>,
  act: (transaction: Transaction, session: HeldSession) => Promise<Performed<Answer>>,
): Promise<Answer> {
  const { answer, changed } = await context.database.transaction().execute(async (transaction) => {
    const session = await holdSession(transaction, caller, operation.sessionId);
    const kept = await findKept(transaction, operation);
    if (kept !== undefined) return { answer: kept, changed: null };
    const performed = await act(transaction, session);
    await keep(transaction, caller, operation, performed.answer);
    return performed;
  });
  if (changed !== null) context.events.publish(changed);
  return answer;
}

/** Repeats that run at the same time wait here for each other, whatever areas they name. */
async function findKept<Answer>(
  transaction: Transaction,
  { sessionId, opId, kind, request, parse }: DeviceOperation<Answer>,
): Promise<Answer | undefined> {
  if (opId === undefined) return undefined;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${sessionId}:${opId}`}, 0))`.execute(
    transaction,
  );
  const { rows } = await sql<{ same: boolean; answer: unknown }>`
    select kind = ${kind} and request = ${JSON.stringify(request)}::jsonb as same, answer
    from device_operations where session_id = ${sessionId} and op_id = ${opId}`.execute(transaction);
  const [kept] = rows;
  if (kept === undefined) return undefined;
  if (kept.same) return parse(kept.answer);
  throw new ApiError(
    "OPERATION_REUSED",
    "This operation's id was used for another operation. Nothing was changed.",
  );
}

async function keep<Answer extends object>(
  transaction: Transaction,
  caller: Caller,
  { sessionId, opId, kind, request }: DeviceOperation<Answer>,
  answer: Answer,
): Promise<void> {
  if (opId === undefined) return;
  await transaction
    .insertInto("device_operations")
    .values({
      session_id: sessionId,
      op_id: opId,
      kind,
      request: JSON.stringify(request),
      status: 200,
      answer: JSON.stringify(answer),
      user_id: caller.userId,
    })
    .execute();
}
