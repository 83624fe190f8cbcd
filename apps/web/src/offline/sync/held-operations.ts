import type { PendingOperation } from "../database/records.ts";
import type { Clock } from "../ports.ts";

/** So often in all the server declines an operation before only its own area waits for it: about half a minute. */
export const declinesUntilHeld = 5;

/** A held operation is tried again at this interval, and when a person or a new login asks for it. */
const holdMs = 60_000;

/**
 * Operations that the server goes on declining for a reason that may pass, such as a 403 (docs/SYNC.md, S32). At first the
 * whole queue waits, because such a reason is mostly gone in a moment; later the operation and its area alone.
 */
export interface HeldOperations {
  isHeld(operation: PendingOperation): boolean;
  /** The operation has been declined once more, `operation` being its row before that: does it wait from now on? */
  declined(operation: PendingOperation): boolean;
  /** Every operation may be tried again. */
  startOver(): void;
}

export function createHeldOperations(clock: Clock): HeldOperations {
  const heldUntil = new Map<number, number>();
  return {
    isHeld({ id }) {
      const until = heldUntil.get(id) ?? 0;
      // A clock that has been set back must not hold an operation for longer.
      return until > clock.now() && until <= clock.now() + holdMs;
    },
    declined({ id, declined }) {
      if ((declined?.times ?? 0) + 1 < declinesUntilHeld) return false;
      heldUntil.set(id, clock.now() + holdMs);
      return true;
    },
    startOver: () => heldUntil.clear(),
  };
}
