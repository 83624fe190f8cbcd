import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { lastBooking, type SessionRow } from "../../sessions/sessions.ts";
import type { Direction } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";

/** What an operation is recorded with, so that what was before it is told by no clock, which may be set back. */
interface MoveInput {
  readonly resumes: boolean;
  /** The last booking of the ledger then. */
  readonly ledgerBefore: number;
}

/** An adjustment whose rows are queued, who asked for it, and its session. */
interface Asked {
  readonly caller: AdminCaller;
  readonly session: Pick<SessionRow, "id" | "storeId">;
  readonly adjustmentId: string;
  readonly direction: Direction;
  /** Whether the same deploy or rollback was asked for earlier and this one goes on with it. */
  readonly resumes: boolean;
}

/** Inserts the operation that moves an adjustment's queued rows; it begins after the commit. Resolves to its id. */
export async function startMove(
  { operations }: Pick<AdjustmentServices, "operations">,
  transaction: Transaction,
  { caller, session, adjustmentId, direction, resumes }: Asked,
): Promise<string> {
  // Of this adjustment alone bookings are asked for, so that what others are about to commit matters not.
  const { last } = await transaction.selectNoFrom(lastBooking.as("last")).executeTakeFirstOrThrow();
  const input: MoveInput = { resumes, ledgerBefore: last };
  return operations.insert(transaction, {
    kind: direction,
    storeId: session.storeId,
    sessionId: session.id,
    adjustmentId,
    input: { ...input },
    startedBy: caller.userId,
  });
}
