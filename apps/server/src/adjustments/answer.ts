import type { CallAnswer, deployReport, rollbackReport } from "@stocktake/contract";
import type { FastifyReply } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import { answerWithinMs } from "../operations/operations.ts";
import { readDeploySkips, readStatus } from "./history.ts";
import type { RequestedDeploy } from "./request-deploy.ts";
import type { RequestedMove } from "./requested-move.ts";
import type { AdjustmentServices } from "./services.ts";
import { checkWithinMs } from "./shop-check.ts";

/** What the request leaves of the time that a call may take. */
export const workWithinMs = answerWithinMs - checkWithinMs;

/** Starts the operation; whether it was done in the time that a call may take. Throws what it failed with. */
async function doneInTime({ operations }: AdjustmentServices, operationId: string): Promise<boolean> {
  operations.wake(operationId);
  const operation = await operations.waitForEnd(operationId, workWithinMs);
  if (operation.error !== null) throw new ApiError(operation.error.code, operation.error.error);
  return operation.status === "done";
}

export async function answerDeploy(
  context: AdjustmentServices,
  requested: RequestedDeploy,
  reply: FastifyReply,
): Promise<CallAnswer<typeof deployReport>> {
  const { adjustmentId, operationId, total } = requested;
  const skipped = [...requested.skipped];
  if (adjustmentId === null || operationId === null) {
    return { totalAdjustments: 0, status: "applied", skipped };
  }
  if (await doneInTime(context, operationId)) {
    const { status, totalAdjustments } = await readStatus(context.database, adjustmentId);
    skipped.push(...(await readDeploySkips(context.database, adjustmentId)));
    return { totalAdjustments, status, skipped };
  }
  reply.code(202);
  return { totalAdjustments: total, status: "pending", skipped, operation: { _id: operationId } };
}

/** Answers a rollback, or a deploy that is resumed; `operationId` is null where nothing is left to move. */
export async function answerMove(
  context: AdjustmentServices,
  { adjustmentId, operationId, total }: RequestedMove,
  reply: FastifyReply,
): Promise<CallAnswer<typeof rollbackReport>> {
  if (operationId === null || (await doneInTime(context, operationId))) {
    const { status } = await readStatus(context.database, adjustmentId);
    return { totalAdjustments: total, status };
  }
  reply.code(202);
  return { totalAdjustments: total, status: "pending", operation: { _id: operationId } };
}
