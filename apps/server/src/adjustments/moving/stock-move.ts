import type { Selectable } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { SessionsTable } from "../../database/tables.ts";
import type { OperationJob } from "../../operations/operations.ts";
import type { RetryLimits } from "../../shopify/shopify.ts";
import type { Direction } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";

/** One run of a deploy or a rollback: what every step of it needs. */
export interface StockMove {
  readonly context: AdjustmentServices;
  readonly job: OperationJob;
  readonly direction: Direction;
  readonly adjustmentId: string;
  readonly session: Selectable<SessionsTable>;
}

/** Longer pauses that Shopify asks for are the move's own: a person sees them, and can end them. */
export const seenWaits: RetryLimits = { longestRetryAfterMs: 2_000 };

/** One step's writes, under the lease: a worker that has lost it writes nothing more. */
export function inStep<Result>(
  { context, job }: StockMove,
  write: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return context.database.transaction().execute(async (transaction) => {
    await job.holdLease(transaction);
    return write(transaction);
  });
}
