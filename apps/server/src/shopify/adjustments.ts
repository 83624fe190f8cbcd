import { z } from "zod";
import {
  activateMutation,
  adjustmentGroupQuery,
  adjustQuantitiesMutation,
  rowsPerCall,
} from "./documents.ts";
import type { PlatformFailure } from "./errors.ts";
import type { GraphqlAnswer } from "./graphql-answer.ts";
import type { BeforeSend, ShopifyTransport } from "./transport.ts";

/** The reasons this product gives: a count for a deploy, a correction for a rollback. */
export type AdjustReason = "cycle_count_available" | "correction";

/** Deltas of `available` at one location, at most 250. */
export interface AdjustRequest {
  /** A UUID, made once for this request and sent again with every repetition of it. */
  idempotencyKey: string;
  reason: AdjustReason;
  /** gid://stocktake/CycleCount/… */
  referenceDocumentUri: string;
  shopifyLocationId: string;
  changes: readonly AdjustChange[];
}

export interface AdjustChange {
  inventoryItemId: string;
  delta: number;
  /** The `available` that a fresh read showed; null lets the platform skip the comparison. */
  changeFromQuantity: number | null;
}

/** A delta of `available` that an adjustment group records. */
export interface RecordedChange {
  inventoryItemId: string;
  delta: number;
}

const adjustErrorCodes = [
  "ADJUST_QUANTITIES_FAILED",
  "CHANGE_FROM_QUANTITY_STALE",
  "IDEMPOTENCY_CONCURRENT_REQUEST",
  "IDEMPOTENCY_KEY_PARAMETER_MISMATCH",
  "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED",
  "INTERNAL_LEDGER_DOCUMENT",
  "INVALID_AVAILABLE_DOCUMENT",
  "INVALID_INVENTORY_ITEM",
  "INVALID_LEDGER_DOCUMENT",
  "INVALID_LOCATION",
  "INVALID_QUANTITY_DOCUMENT",
  "INVALID_QUANTITY_NAME",
  "INVALID_QUANTITY_TOO_HIGH",
  "INVALID_QUANTITY_TOO_LOW",
  "INVALID_REASON",
  "INVALID_REFERENCE_DOCUMENT",
  "MAX_ONE_LEDGER_DOCUMENT",
  "NON_MUTABLE_INVENTORY_ITEM",
  "SERVICE_UNAVAILABLE",
] as const;

/** InventoryAdjustQuantitiesUserErrorCode of 2026-10. */
export type AdjustErrorCode = (typeof adjustErrorCodes)[number];

export interface AdjustError {
  /** null where the platform gives none. */
  code: AdjustErrorCode | null;
  message: string;
  field: string[];
  /** The position in `changes` that the error speaks of; null where it speaks of the whole request. */
  changeIndex: number | null;
}

/**
 * What came of an adjustment. The rules and where they come from (the official 2026-10 schema, answers
 * recorded against 2026-04, the platform's pages):
 *
 * - applied: the answer names an adjustment group and no user error. `changes` are the deltas of
 *   `available` that the group records; a row that is missing there was not applied.
 * - noop: no group and no user errors, the recorded answer to deltas that are all zero. Where a delta was
 *   not zero it confirms nothing (since 2026-10 a write to a location that does not stock the item
 *   silently succeeds): the caller reads the level before it believes either.
 * - userErrors: the platform ran its own checks and says what it disliked. Whether one bad row fails all or
 *   only itself no source settles, so `changes` carries what a group beside the errors records.
 *   IDEMPOTENCY_CONCURRENT_REQUEST wants the same key again, later; IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED a
 *   new key; IDEMPOTENCY_KEY_PARAMETER_MISMATCH is our own fault and no reason to repeat.
 * - notApplied: certain that nothing ran. No connection came about or signing in failed (unreachable), 429
 *   or THROTTLED (throttled), 401, 403 or ACCESS_DENIED (unauthorised), a top-level validation error
 *   (recorded: BAD_REQUEST, INVALID_FIELD_ARGUMENTS, INVALID_VARIABLE), a redirect or another 4xx
 *   (rejected). Where `retryable`, the same bytes with the same key may go again, after `retryAfterMs`.
 * - unknown: it may have run or not. It was sent and no answer came in time (timeout), the connection broke
 *   or the answer made no sense (lost), 5xx, 408 or an internal error (server-error). Only the same bytes
 *   with the same key may follow, for at most 23 hours; then only reading tells.
 */
export type AdjustOutcome =
  | { kind: "applied"; groupId: string; changes: RecordedChange[] }
  | { kind: "noop" }
  | { kind: "userErrors"; errors: AdjustError[]; groupId: string | null; changes: RecordedChange[] }
  | {
      kind: "notApplied";
      reason: "unreachable" | "throttled" | "unauthorised" | "rejected";
      message: string;
      retryable: boolean;
      retryAfterMs: number | null;
    }
  | { kind: "unknown"; reason: "timeout" | "lost" | "server-error"; message: string };

const changeSchema = z.object({
  name: z.string(),
  delta: z.int(),
  item: z.object({ id: z.string() }).nullish(),
  location: z.object({ id: z.string() }).nullish(),
});

const groupSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  reason: z.string(),
  referenceDocumentUri: z.string().nullish(),
  changes: z.array(changeSchema),
});

const userErrorSchema = z.object({
  code: z.enum(adjustErrorCodes).nullish().catch(null),
  message: z.string(),
  field: z.array(z.string()).nullish(),
});

const adjustAnswerSchema = z.object({
  inventoryAdjustQuantities: z.object({
    inventoryAdjustmentGroup: groupSchema.nullable(),
    userErrors: z.array(userErrorSchema),
  }),
});

/**
 * Sends one adjustment once. Throws only what `beforeSend` throws, after which it certainly did not run, and a RangeError
 * for no row or more than 250.
 */
export async function adjustAvailable(
  transport: ShopifyTransport,
  request: AdjustRequest,
  beforeSend?: BeforeSend,
): Promise<AdjustOutcome> {
  const variables = adjustVariables(request);
  const outcome = await transport.mutateOnce({ document: adjustQuantitiesMutation, variables, beforeSend });
  return outcome.kind === "answer" ? answeredOutcome(outcome) : failedOutcome(outcome);
}

/** The variables, always written in the same order: a repetition has to be the same bytes. */
function adjustVariables(request: AdjustRequest): Record<string, unknown> {
  const { idempotencyKey, reason, referenceDocumentUri, shopifyLocationId: locationId } = request;
  if (request.changes.length === 0 || request.changes.length > rowsPerCall) {
    throw new RangeError(`An adjustment takes 1 to ${rowsPerCall} rows, not ${request.changes.length}.`);
  }
  const changes = request.changes.map(({ inventoryItemId, delta, changeFromQuantity }) => ({
    inventoryItemId,
    locationId,
    delta,
    changeFromQuantity,
  }));
  return { input: { name: "available", reason, referenceDocumentUri, changes }, idempotencyKey };
}

function answeredOutcome(answer: GraphqlAnswer): AdjustOutcome {
  const data = adjustAnswerSchema.safeParse(answer.data);
  // It ran, and what it did cannot be read.
  if (!data.success) return { kind: "unknown", reason: "lost", message: data.error.message };
  const { inventoryAdjustmentGroup: group, userErrors } = data.data.inventoryAdjustQuantities;
  const changes = group === null ? [] : recordedChanges(group);
  if (userErrors.length > 0) {
    return { kind: "userErrors", errors: userErrors.map(adjustError), groupId: group?.id ?? null, changes };
  }
  return group === null ? { kind: "noop" } : { kind: "applied", groupId: group.id, changes };
}

/** on_hand follows available by the same delta and is recorded beside it: only one of the two is read. */
function recordedChanges(group: z.infer<typeof groupSchema>): RecordedChange[] {
  return group.changes.flatMap(({ name, delta, item }) =>
    name === "available" && item ? [{ inventoryItemId: item.id, delta }] : [],
  );
}

/** The field reads ["input", "changes", "0", "inventoryItemId"]. */
function adjustError({ code, message, field }: z.infer<typeof userErrorSchema>): AdjustError {
  const path = field ?? [];
  const position = path[path.indexOf("changes") + 1] ?? "";
  const changeIndex = path.includes("changes") && /^\d+$/.test(position) ? Number(position) : null;
  return { code: code ?? null, message, field: path, changeIndex };
}

function failedOutcome(failure: PlatformFailure): AdjustOutcome {
  const message = failure.detail;
  switch (failure.kind) {
    case "timeout":
    case "lost":
    case "server-error":
      return { kind: "unknown", reason: failure.kind, message };
    case "unexpected-answer":
      return { kind: "unknown", reason: "lost", message };
    case "throttled": {
      const { retryAfterMs } = failure;
      return { kind: "notApplied", reason: "throttled", message, retryable: true, retryAfterMs };
    }
    case "unreachable":
      return { kind: "notApplied", reason: "unreachable", message, retryable: true, retryAfterMs: null };
    case "unauthorised":
      return { kind: "notApplied", reason: "unauthorised", message, retryable: false, retryAfterMs: null };
    case "too-costly":
    case "rejected":
      return { kind: "notApplied", reason: "rejected", message, retryable: false, retryAfterMs: null };
  }
}

/** An adjustment that the platform recorded. */
export interface AdjustmentGroup {
  id: string;
  /** ISO 8601. */
  createdAt: string;
  reason: string;
  referenceDocumentUri: string | null;
  /** The deltas of `available`. */
  changes: RecordedChange[];
}

// An id of another type returns {}.
const notAGroup = z
  .strictObject({})
  .nullable()
  .transform(() => null);

const groupAnswerSchema = z.object({ node: z.union([groupSchema, notAGroup]) });

/** The group with that id, or null where there is none. */
export async function readAdjustmentGroup(
  transport: ShopifyTransport,
  groupId: string,
  signal?: AbortSignal,
): Promise<AdjustmentGroup | null> {
  const request = {
    document: adjustmentGroupQuery,
    variables: { id: groupId },
    answer: groupAnswerSchema,
    signal,
  };
  const { node } = await transport.read(request);
  if (node === null) return null;
  const { id, createdAt, reason, referenceDocumentUri } = node;
  return {
    id,
    createdAt,
    reason,
    referenceDocumentUri: referenceDocumentUri ?? null,
    changes: recordedChanges(node),
  };
}

/** An item that is to be stocked at a location. */
export interface ActivateRequest {
  /** A UUID, made once for this request and sent again with every repetition of it. */
  readonly idempotencyKey: string;
  readonly inventoryItemId: string;
  readonly shopifyLocationId: string;
}

const activationSchema = z.object({
  inventoryActivate: z.object({
    inventoryLevel: z.object({ isActive: z.boolean() }).nullable(),
    userErrors: z.array(z.object({ message: z.string() })),
  }),
});

/**
 * Stocks an item at a location and sets no quantity, so that it may be repeated without harm. Resolves to why the
 * platform refuses it, or to null. Throws as a read does.
 */
export async function activateLevel(
  transport: ShopifyTransport,
  request: ActivateRequest,
  signal?: AbortSignal,
): Promise<string | null> {
  const { inventoryActivate: answer } = await transport.read({
    document: activateMutation,
    variables: { ...request },
    answer: activationSchema,
    signal,
  });
  const [error] = answer.userErrors;
  if (error !== undefined) return error.message;
  return answer.inventoryLevel?.isActive === true ? null : "Shopify did not stock it.";
}
