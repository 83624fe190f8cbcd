import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { errorCodes } from "../errors.ts";
import { Id, IdInput, Timestamp } from "../primitives.ts";

/**
 * Until when a deploy or a rollback pauses before it tries again: `throttled` where Shopify takes no more requests until
 * then, `unavailable` where it can't be reached or is in trouble.
 */
export const Waiting = z.object({ until: Timestamp, reason: z.enum(["throttled", "unavailable"]) });
export type Waiting = z.infer<typeof Waiting>;

/**
 * A piece of work longer than a call: starting, ending, deploying, rolling back. `done` of `of` in the work's own
 * unit (variants read, chunks confirmed); `of` is null until it is known. A start has no session before it is done.
 * A failed one says why.
 */
export const Operation = z.object({
  _id: Id,
  kind: z.enum(["start", "end", "deploy", "rollback"]),
  status: z.enum(["running", "done", "failed"]),
  done: z.int(),
  of: z.nullable(z.int()),
  storeId: z.nullable(Id),
  sessionId: z.nullable(Id),
  error: z.nullable(z.object({ error: z.string(), code: z.enum(errorCodes) })),
  /** Null while it does not pause. */
  waiting: z.optional(z.nullable(Waiting)),
});
export type Operation = z.infer<typeof Operation>;

export const listOperations = defineCall({
  method: "GET",
  path: "/api/operations",
  access: "admin",
  summary: "The long pieces of work that are under way, oldest first",
  answer: z.object({ operations: z.array(Operation) }),
});

export const readOperation = defineCall({
  method: "GET",
  path: "/api/operations/:id",
  access: "admin",
  summary: "How far a long piece of work has come",
  params: z.object({ id: IdInput }),
  answer: z.object({ operation: Operation }),
});
