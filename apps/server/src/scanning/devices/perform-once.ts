import type { LiveEvent } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { Tables } from "../../database/tables.ts";
import { waitForTurn } from "../../database/turns.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { type HeldSession, holdSession } from "../area-queries.ts";
import type { ScanningServices } from "../services.ts";

/** An undo, reset or finish as a device asks for it. */
export interface DeviceOperation<Answer> {
  readonly kind: Tables["deviceOperations"]["kind"];
  readonly sessionId: string;
  readonly opId: string | undefined;
  /** What was asked for, to tell a repeat from another operation under the same id. */
  readonly request: Readonly<Record<string, string | number | null>>;
  readonly parseAnswer: (stored: unknown) => Answer;
}

/** The answer, or a refusal that all the same leaves something on record; the event to publish, null where nothing changed. */
export type Performed<Answer> = { readonly changed: LiveEvent | null } & (
  | { readonly answer: Answer }
  | { readonly refusal: ApiError }
);

/**
 * Performs a device's operation once. Its answer is stored in the transaction of its effect; a repeat under the same
 * operation id gets that answer and changes nothing. A refusal is not stored under the id: a repeat is decided by the
 * state at that time.
 * Throws NOT_FOUND for a session that the caller can't access, OPERATION_REUSED, and what `act` throws.
 */
export async function performOnce<Answer extends object>(
  context: Pick<ScanningServices, "database" | "events">,
  caller: Caller,
  operation: DeviceOperation<Answer>,
  act: (transaction: Transaction, session: HeldSession) => Promise<Performed<Answer>>,
): Promise<Answer> {
  const { changed, ...outcome } = await context.database.transaction().execute(async (transaction) => {
    const session = await holdSession(transaction, caller, operation.sessionId);
    const earlier = await findAnswer(transaction, operation);
    if (earlier !== undefined) return { answer: earlier, changed: null };
    const performed = await act(transaction, session);
    if ("answer" in performed) await storeAnswer(transaction, caller, operation, performed.answer);
    return performed;
  });
  if (changed !== null) context.events.publish(changed);
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.answer;
}

/** Repeats that run at the same time wait here for each other, whatever areas they name. */
async function findAnswer<Answer>(
  transaction: Transaction,
  { sessionId, opId, kind, request, parseAnswer }: DeviceOperation<Answer>,
): Promise<Answer | undefined> {
  if (opId === undefined) return undefined;
  await waitForTurn(transaction, `${sessionId}:${opId}`);
  const { rows } = await sql<{ same: boolean; answer: unknown }>`
    select kind = ${kind} and request = ${JSON.stringify(request)}::jsonb as same, answer
    from device_operations where session_id = ${sessionId} and op_id = ${opId}`.execute(transaction);
  const [stored] = rows;
  if (stored === undefined) return undefined;
  if (stored.same) return parseAnswer(stored.answer);
  throw new ApiError(
    "OPERATION_REUSED",
    "This operation's id was already used for another operation. Nothing was changed.",
  );
}

async function storeAnswer<Answer extends object>(
  transaction: Transaction,
  caller: Caller,
  { sessionId, opId, kind, request }: DeviceOperation<Answer>,
  answer: Answer,
): Promise<void> {
  if (opId === undefined) return;
  await transaction
    .insertInto("deviceOperations")
    .values({
      sessionId,
      opId,
      kind,
      request: JSON.stringify(request),
      status: 200,
      answer: JSON.stringify(answer),
      userId: caller.userId,
    })
    .execute();
}
