import { z } from "zod";
import { jsonOrUndefined } from "../kernel/json.ts";
import type { PlatformFailure } from "./errors.ts";

const graphqlErrorSchema = z.object({
  message: z.string().catch("no message"),
  locations: z.array(z.unknown()).nullish(),
  path: z.array(z.union([z.string(), z.number()])).nullish(),
  extensions: z.object({ code: z.string().nullish() }).nullish(),
});

/** One entry of a GraphQL answer's top-level errors. */
type GraphqlError = z.infer<typeof graphqlErrorSchema>;

const costSchema = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({
    maximumAvailable: z.number().positive(),
    currentlyAvailable: z.number(),
    restoreRate: z.number().positive(),
  }),
});

/** What a call cost and what is left: points, and points that come back in a second. */
export type QueryCost = z.infer<typeof costSchema>;

/** What the platform made of a search: a filter that it does not take is ignored, and only this tells. */
const searchSchema = z.object({
  query: z.string().catch(""),
  warnings: z.array(z.object({ field: z.string().catch(""), message: z.string().catch("") })).nullish(),
});

const bodySchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  // A shop that refuses the token sends a bare string here.
  errors: z.union([z.array(graphqlErrorSchema), z.string()]).nullish(),
  extensions: z
    .object({ cost: costSchema.nullish().catch(null), search: z.array(searchSchema).nullish() })
    .nullish(),
});

/** An answer that carries data; `errors` then speak of single fields of it. */
export interface GraphqlAnswer {
  kind: "answer";
  data: Record<string, unknown>;
  errors: GraphqlError[];
  /** Search filters that were ignored, in words. */
  ignoredFilters: string[];
}

/** What the body of a 200 says, and the cost it reports. */
export interface ReadBody {
  outcome: GraphqlAnswer | PlatformFailure;
  cost: QueryCost | null;
}

/** Reads the body of a 200: data if there is any, else the failure that its top-level errors mean. */
export function readBody(text: string): ReadBody {
  const parsed = bodySchema.safeParse(jsonOrUndefined(text));
  if (!parsed.success) {
    return { outcome: { kind: "unexpected-answer", detail: "the answer is not GraphQL JSON" }, cost: null };
  }
  const cost = parsed.data.extensions?.cost ?? null;
  const errors = errorsOf(parsed.data.errors);
  const data = parsed.data.data ?? null;
  if (data !== null && (errors.length === 0 || Object.values(data).some((value) => value !== null))) {
    const ignoredFilters = ignoredFiltersOf(parsed.data.extensions?.search ?? []);
    return { outcome: { kind: "answer", data, errors, ignoredFilters }, cost };
  }
  return { outcome: failureOf(errors, data !== null, cost), cost };
}

function ignoredFiltersOf(searches: readonly z.infer<typeof searchSchema>[]): string[] {
  return searches.flatMap(({ query, warnings }) =>
    (warnings ?? []).map(({ field, message }) => `${query}: ${field}: ${message}`),
  );
}

/** The platform's own words in a body that came with another status than 200. */
export function wordsOf(text: string): string {
  const parsed = bodySchema.safeParse(jsonOrUndefined(text));
  const errors = parsed.success ? errorsOf(parsed.data.errors) : [];
  return errors.map((error) => error.message).join("; ");
}

function errorsOf(errors: GraphqlError[] | string | null | undefined): GraphqlError[] {
  return typeof errors === "string" ? [{ message: errors }] : (errors ?? []);
}

// Codes with which the platform refuses a request before any of it runs. Recorded: BAD_REQUEST (no
// @idempotent), INVALID_FIELD_ARGUMENTS (no changeFromQuantity), INVALID_VARIABLE; documented:
// MAX_INPUT_SIZE_EXCEEDED (more than 250 rows) and SHOP_INACTIVE.
const codesRefusedBeforeRunning = new Set([
  "BAD_REQUEST",
  "INVALID_FIELD_ARGUMENTS",
  "INVALID_VARIABLE",
  "MAX_INPUT_SIZE_EXCEEDED",
  "SHOP_INACTIVE",
]);

const platformFaults = new Set(["INTERNAL_SERVER_ERROR", "TIMEOUT", "SERVICE_UNAVAILABLE"]);

function failureOf(errors: GraphqlError[], ran: boolean, cost: QueryCost | null): PlatformFailure {
  const detail = errors.map((error) => `${codeOf(error)}: ${error.message}`).join("; ");
  const codes = new Set(errors.map(codeOf));
  if (codes.has("THROTTLED")) return { kind: "throttled", detail, retryAfterMs: refillMs(cost) };
  if (codes.has("MAX_COST_EXCEEDED")) return { kind: "too-costly", detail };
  if (codes.has("ACCESS_DENIED")) return { kind: "unauthorised", detail, tokenRefused: false };
  if (errors.length === 0) return { kind: "unexpected-answer", detail: "neither data nor errors" };
  return {
    kind: errors.every((error) => refusedBeforeRunning(error, ran)) ? "rejected" : "server-error",
    detail,
  };
}

/**
 * A known code, or the mark of a document that failed validation: a place in the document, no path into
 * an answer and no data at all (GraphQL specification, "Request errors"). The platform's internal errors
 * carry no place. Whatever is in doubt is not called refused: it may have run.
 */
function refusedBeforeRunning(error: GraphqlError, ran: boolean): boolean {
  const code = codeOf(error);
  if (codesRefusedBeforeRunning.has(code)) return true;
  if (ran || platformFaults.has(code)) return false;
  return (error.locations?.length ?? 0) > 0 && !error.path;
}

function codeOf(error: GraphqlError): string {
  return error.extensions?.code ?? "";
}

/** Milliseconds until the bucket holds what the request asks for. */
function refillMs(cost: QueryCost | null): number | null {
  if (cost === null) return null;
  const { currentlyAvailable, restoreRate, maximumAvailable } = cost.throttleStatus;
  const missing = Math.min(cost.requestedQueryCost, maximumAvailable) - currentlyAvailable;
  return Math.max(0, Math.ceil((missing / restoreRate) * 1000));
}
