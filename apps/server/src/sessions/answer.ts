import type { CallAnswer, startSession } from "@stocktake/contract";
import type { FastifyReply } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { answerWithinMs } from "../operations/operations.ts";
import { presentSession } from "./present.ts";
import { findSession } from "./queries.ts";
import type { SessionServices } from "./services.ts";

/**
 * Starts the recorded operation and answers with its session, or, once that takes too long, with the operation and 202.
 * A caller that goes away stops nothing. Throws what the operation failed with.
 */
export async function sessionOrOperation(
  { operations, database }: SessionServices,
  caller: Caller,
  operationId: string,
  reply: FastifyReply,
): Promise<CallAnswer<typeof startSession>> {
  operations.wake(operationId);
  const operation = await operations.waitForEnd(operationId, answerWithinMs);
  if (operation.error !== null) throw new ApiError(operation.error.code, operation.error.error);
  if (operation.status === "done" && operation.sessionId !== null) {
    return { session: presentSession(await findSession(database, caller, operation.sessionId)) };
  }
  reply.code(202);
  return { operation };
}
