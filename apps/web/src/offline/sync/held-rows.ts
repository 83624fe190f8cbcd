import { declinesUntilHeld, type PendingOperation, type PendingScan } from "../database/records.ts";
import type { Clock } from "../ports.ts";

/** A held row is tried again at this interval, and when a person or a new login asks for it. */
const holdMs = 60_000;

/**
 * Rows that the server goes on declining for a reason that may pass, such as a 403 (docs/SYNC.md, S32). At first the
 * whole queue waits, because such a reason is mostly gone in a moment; later the row and its area alone.
 */
export interface HeldRows {
  isHeld(row: PendingScan | PendingOperation): boolean;
  /** The row has been declined once more, `row` being as it was before that: does it wait from now on? */
  declined(row: PendingScan | PendingOperation): boolean;
  /** Every row may be tried again. */
  startOver(): void;
}

export function createHeldRows(clock: Clock): HeldRows {
  const heldUntil = new Map<string, number>();
  return {
    isHeld({ opId }) {
      const until = heldUntil.get(opId) ?? 0;
      // A clock that has been set back must not hold an operation for longer.
      return until > clock.now() && until <= clock.now() + holdMs;
    },
    declined({ opId, declined }) {
      if ((declined?.times ?? 0) + 1 < declinesUntilHeld) return false;
      heldUntil.set(opId, clock.now() + holdMs);
      return true;
    },
    startOver: () => heldUntil.clear(),
  };
}
