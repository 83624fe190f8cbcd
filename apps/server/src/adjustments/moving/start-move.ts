import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import type { Direction } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";

/** An adjustment whose rows are queued, who asked for it, and its session. */
interface Asked {
  readonly caller: AdminCaller;
  readonly session: Pick<SessionRow, "id" | "storeId">;
  readonly adjustmentId: string;
  readonly direction: Direction;
}

/** Inserts the operation that moves an adjustment's queued rows; it begins after the commit. Resolves to its id. */
export function startMove(
  { operations }: Pick<AdjustmentServices, "operations">,
  transaction: Transaction,
  { caller, session, adjustmentId, direction }: Asked,
): Promise<string> {
  return operations.insert(transaction, {
    kind: direction,
    storeId: session.storeId,
    sessionId: session.id,
    adjustmentId,
    input: {},
    startedBy: caller.userId,
  });
}
