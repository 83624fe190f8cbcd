import type { Selectable } from "kysely";
import type { SessionsTable } from "../database/tables.ts";
import type { OperationJob } from "../operations/operations.ts";
import type { AdjustmentServices } from "./services.ts";

export type Direction = "deploy" | "rollback";

/** One run of a deploy or a rollback: what every step of it needs. */
export interface StockMove {
  readonly context: AdjustmentServices;
  readonly job: OperationJob;
  readonly direction: Direction;
  readonly adjustmentId: string;
  readonly session: Selectable<SessionsTable>;
}

export async function openMove(
  context: AdjustmentServices,
  job: OperationJob,
  direction: Direction,
): Promise<StockMove> {
  const session = await context.database
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", job.sessionId ?? "")
    .executeTakeFirstOrThrow();
  return { context, job, direction, adjustmentId: job.adjustmentId ?? "", session };
}

/** Tells every page that the adjustment has come further. */
export function publishProgress({ context, session }: StockMove): void {
  context.events.publish({ type: "adjustment", sessionId: session.id, storeId: session.store_id });
}
