import { createHash } from "node:crypto";
import { GraphQLError } from "graphql";
import type { AdjustmentGroup, GroupChange, KeyRecord, StoredQuantity, UserError } from "../entities.ts";
import { MAXIMUM_ROWS } from "../graphql/paging.ts";
import type { Settings } from "../settings.ts";
import type { Store } from "../store.ts";
import { type AdjustInput, type Decision, decide, type FoundChange } from "./rules.ts";

/** The @idempotent directive of a call: no key at all is undefined. */
export interface CallKey {
  readonly key: string | undefined;
  /** Another call with this key is still under way. */
  readonly concurrent: boolean;
}

interface AdjustEnvironment {
  readonly store: Store;
  readonly settings: Readonly<Settings>;
  readonly now: number;
  readonly callKey: CallKey;
  /** Whether a fault makes the compare values of this call's SKUs stale. */
  readonly consumeStale: (skus: readonly (string | null)[]) => (sku: string | null) => boolean;
  /** The code of the user error that a fault gives this call. */
  readonly consumeUserError: () => string | null;
}

interface AdjustOutcome {
  readonly group: AdjustmentGroup | null;
  readonly userErrors: readonly UserError[];
}

function topLevelError(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Throws what the platform refuses at top level, before it reads the shop; returns the key. */
function checkCall(input: AdjustInput, { key }: CallKey): string {
  const rows = input.changes.length;
  if (rows > MAXIMUM_ROWS) {
    const message = `The input array size of ${rows} is greater than the maximum allowed of ${MAXIMUM_ROWS}.`;
    throw topLevelError(message, "MAX_INPUT_SIZE_EXCEEDED");
  }
  if (input.changes.some((change) => change.changeFromQuantity === undefined)) {
    const message = "InventoryChangeInput must include the following argument: changeFromQuantity.";
    throw topLevelError(message, "INVALID_FIELD_ARGUMENTS");
  }
  if (key === undefined) {
    const message = "The @idempotent directive is required for this mutation but was not provided.";
    throw topLevelError(message, "BAD_REQUEST");
  }
  if (key.trim() === "") throw topLevelError("The idempotency key must not be blank.", "BAD_REQUEST");
  return key;
}

function groupChanges(name: StoredQuantity, rows: readonly FoundChange[]): GroupChange[] {
  return rows.flatMap(({ inventoryItemId: itemId, locationId, delta, ledgerDocumentUri }) => {
    const named: GroupChange = {
      name,
      delta,
      itemId,
      locationId,
      ledgerDocumentUri: ledgerDocumentUri ?? null,
    };
    // Incoming stock is not on hand yet; every other quantity is a part of on_hand and moves it.
    if (name === "incoming") return [named];
    return [named, { name: "on_hand", delta, itemId, locationId, ledgerDocumentUri: null }];
  });
}

function keyRecord(key: string, fingerprint: string, at: number, outcome: KeyRecord["outcome"]): KeyRecord {
  return { key, fingerprint, at, outcome };
}

function apply(
  input: AdjustInput,
  { name, rows, stale }: Extract<Decision, { kind: "accepted" }>,
  key: string,
  { store, settings, now: at }: AdjustEnvironment,
): AdjustOutcome {
  const moving = rows.filter((row) => row.delta !== 0);
  const fingerprint = fingerprintOf(input);
  const group: AdjustmentGroup | null =
    moving.length === 0
      ? null
      : {
          id: store.nextGroupId(),
          createdAt: at,
          reason: input.reason,
          referenceDocumentUri: input.referenceDocumentUri ?? null,
          changes: groupChanges(name, moving),
        };
  const record = keyRecord(key, fingerprint, at, { kind: "applied", groupId: group?.id ?? null });
  const stored = settings.idempotencyIgnored ? null : record;
  if (group) {
    const movements = moving.map(({ inventoryItemId: itemId, locationId, delta }) => ({
      itemId,
      locationId,
      name,
      delta,
    }));
    store.commit({
      type: "moved",
      at,
      cause: "adjustment",
      rows: movements,
      group,
      ...(stored && { key: stored }),
    });
  } else if (stored) {
    store.commit({ type: "keyKept", at, record: stored });
  }
  return { group, userErrors: stale };
}

/** The outcome of a used key is rebuilt from the records: user errors of single rows are not among them. */
function replay({ outcome }: KeyRecord, { groups }: Store): AdjustOutcome {
  const groupId = outcome.kind === "applied" ? outcome.groupId : null;
  return { group: (groupId !== null && groups.get(groupId)) || null, userErrors: [] };
}

function burn(input: AdjustInput, key: string, { store, settings, now: at }: AdjustEnvironment): void {
  if (!settings.userErrorBurnsKey || settings.idempotencyIgnored) return;
  store.commit({ type: "keyKept", at, record: keyRecord(key, fingerprintOf(input), at, { kind: "failed" }) });
}

/**
 * inventoryAdjustQuantities: all rows or none (but see Settings.staleRow), applied with its group and key in
 * one event. Throws the platform's top-level errors; user errors are part of the outcome.
 */
export function adjustQuantities(input: AdjustInput, environment: AdjustEnvironment): AdjustOutcome {
  const key = checkCall(input, environment.callKey);
  const { store, settings } = environment;
  const record = settings.idempotencyIgnored ? null : rememberedKey(store, key, environment.now);
  if (environment.callKey.concurrent && !settings.idempotencyIgnored) {
    return { group: null, userErrors: [concurrentError()] };
  }
  const code = environment.consumeUserError();
  if (code !== null) return { group: null, userErrors: [callError(code, "Please try again.")] };
  const refusal = record && keyRefusal(record, fingerprintOf(input));
  if (refusal) return { group: null, userErrors: [refusal] };
  if (record && settings.replay === "before-staleness") return replay(record, store);
  const decision = decide(input, environment);
  if (decision.kind === "refused") {
    if (!record) burn(input, key, environment);
    return { group: null, userErrors: decision.errors };
  }
  if (!record) return apply(input, decision, key, environment);
  return decision.stale.length > 0 ? { group: null, userErrors: decision.stale } : replay(record, store);
}

const KEY_LIFE = 24 * 60 * 60 * 1000;

/** The keys of calls that are under way. */
export class KeysInFlight {
  private readonly keys = new Set<string>();

  /** False when another call holds the key. */
  enter(key: string): boolean {
    if (this.keys.has(key)) return false;
    this.keys.add(key);
    return true;
  }

  leave(key: string): void {
    this.keys.delete(key);
  }
}

function fingerprintOf(input: AdjustInput): string {
  return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}

/** What is remembered of a key that came less than 24 hours ago. */
function rememberedKey(store: Store, key: string, now: number): KeyRecord | null {
  const record = store.keys.get(key);
  return record && now - record.at < KEY_LIFE ? record : null;
}

function callError(code: string, message: string): UserError {
  return { code, field: null, message };
}

function concurrentError(): UserError {
  const message = "This request is currently in progress, please try again.";
  return callError("IDEMPOTENCY_CONCURRENT_REQUEST", message);
}

/** Why a remembered key cannot be used again for these parameters, or null where it can be replayed. */
function keyRefusal(record: KeyRecord, fingerprint: string): UserError | null {
  if (record.fingerprint !== fingerprint) {
    const message = "The same idempotency key cannot be used with different operation parameters.";
    return callError("IDEMPOTENCY_KEY_PARAMETER_MISMATCH", message);
  }
  if (record.outcome.kind === "applied") return null;
  const message = "A previous request with this idempotency key failed. Retry with a new idempotency key.";
  return callError("IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED", message);
}
