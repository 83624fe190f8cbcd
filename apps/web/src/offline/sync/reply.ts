import { refusedForGood } from "@stocktake/contract";
import * as z from "zod/mini";
import type { PendingOperation, PendingScan, Refusal } from "../database/records.ts";
import type { StopReason } from "../outbox/events.ts";
import type { RawResponse } from "../ports.ts";

/** What the server's response means for the row that was sent (docs/SYNC.md, S11 to S14). */
export type Reply<Answer> =
  | { readonly kind: "done"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly why: StopReason; readonly retryAfterMs: number | null }
  | { readonly kind: "conflict"; readonly nextSeq: number }
  | { readonly kind: "not_found"; readonly refusal: Refusal }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly fields: readonly string[] };

/** Why a run ends before the queue is empty. */
export interface Failure {
  readonly why: StopReason;
  readonly retryAfterMs: number | null;
  /** The row that the server declined, as it was before that. */
  readonly declined?: PendingScan | PendingOperation;
}

/** True of a status that speaks of the way to the server and may pass: what was sent stays in the queue (docs/SYNC.md, S13). */
export function isDeclined(reply: Reply<unknown>): boolean {
  return reply.kind === "refused" && !refusedForGood.has(reply.refusal.httpStatus);
}

type Schema<Answer> = z.ZodMiniType<Answer>;

// The contract's error body with an open code: a newer server's new refusal is still a refusal.
const RefusalBody = z.object({
  error: z.string(),
  code: z.string(),
  nextSeq: z.optional(z.number()),
  countsOn: z.optional(z.boolean()),
  details: z.optional(z.array(z.object({ field: z.string() }))),
});

const stoppingStatuses = new Map<number, StopReason>([
  [401, "unauthenticated"],
  [408, "busy"],
  [429, "busy"],
]);

function stopReasonOf(status: number): StopReason | null {
  return stoppingStatuses.get(status) ?? (status >= 500 ? "busy" : null);
}

/**
 * Interprets one status and body. A 2xx or 4xx whose body does not match the contract came from something in between (a
 * captive portal, a proxy) and counts as no answer: only the server itself may acknowledge or refuse a scan.
 */
export function interpretBody<Answer>(status: number, body: unknown, schema: Schema<Answer>): Reply<Answer> {
  const stop = stopReasonOf(status);
  if (stop !== null) return { kind: "failed", why: stop, retryAfterMs: null };
  if (status >= 200 && status < 300) {
    const answer = z.safeParse(schema, body);
    if (answer.success) return { kind: "done", answer: answer.data };
  }
  const refused = z.safeParse(RefusalBody, body);
  if (status < 400 || !refused.success) return { kind: "failed", why: "no_answer", retryAfterMs: null };
  return interpretRefusal(status, refused.data);
}

function interpretRefusal(status: number, body: z.infer<typeof RefusalBody>): Reply<never> {
  if (body.code === "SEQ_CONFLICT" && body.nextSeq !== undefined) {
    return { kind: "conflict", nextSeq: body.nextSeq };
  }
  const { code, error, countsOn } = body;
  const refusal: Refusal = {
    ...{ httpStatus: status, code, error },
    ...(countsOn === undefined ? {} : { countsOn }),
  };
  if (body.code === "NOT_FOUND") return { kind: "not_found", refusal };
  return { kind: "refused", refusal, fields: (body.details ?? []).map(({ field }) => field) };
}

/** Interprets a whole response, or the lack of one. */
export function interpret<Answer>(response: RawResponse, schema: Schema<Answer>): Reply<Answer> {
  if (response.kind === "no_answer") return { kind: "failed", why: "no_answer", retryAfterMs: null };
  const reply = interpretBody(response.status, response.body, schema);
  return reply.kind === "failed" ? { ...reply, retryAfterMs: response.retryAfterMs } : reply;
}

/** The life of the installation that responded; null where there was no response or it does not say. */
export function epochOf(response: RawResponse): string | null {
  return response.kind === "answer" ? response.epoch : null;
}
