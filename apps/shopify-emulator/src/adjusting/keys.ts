import { createHash } from "node:crypto";
import type { KeyRecord, UserError } from "../entities.ts";
import type { Store } from "../store.ts";
import type { AdjustInput } from "./rules.ts";

const KEY_LIFE = 24 * 60 * 60 * 1000;

/** The keys of calls that have come in and have not been answered yet. */
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

export function fingerprintOf(input: AdjustInput): string {
  return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}

/** What is remembered of a key that came less than 24 hours ago. */
export function rememberedKey(store: Store, key: string, now: number): KeyRecord | null {
  const record = store.keys.get(key);
  return record && now - record.at < KEY_LIFE ? record : null;
}

function keyError(code: string, message: string): UserError {
  return { code, field: null, message };
}

export function concurrentError(): UserError {
  const message = "This request is currently in progress, please try again.";
  return keyError("IDEMPOTENCY_CONCURRENT_REQUEST", message);
}

/** Why a remembered key cannot be used again for these parameters, or null where it can be replayed. */
export function keyRefusal(record: KeyRecord, fingerprint: string): UserError | null {
  if (record.fingerprint !== fingerprint) {
    const message = "The same idempotency key cannot be used with different operation parameters.";
    return keyError("IDEMPOTENCY_KEY_PARAMETER_MISMATCH", message);
  }
  if (record.outcome.kind === "applied") return null;
  const message = "A previous request with this idempotency key failed. Retry with a new idempotency key.";
  return keyError("IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED", message);
}
