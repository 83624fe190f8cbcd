import type { PendingScan, StocktakeDatabase } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";

/** What became of this device's scans that came after their session's end. */
export interface SessionEnd {
  /** Stored on the server for an administrator. */
  readonly kept: number;
}

/** A scan that was shown as counted, and came after its session's end. */
export function isKeptAfterEnd({ acknowledgement, localOutcome, undone }: Omit<PendingScan, "id">): boolean {
  return !undone && acknowledgement?.reason === "SESSION_CLOSED" && localOutcome === "counted";
}

export async function readSessionEnd(database: StocktakeDatabase, sessionId: string): Promise<SessionEnd> {
  const all = await database.getAll("pendingScans");
  return { kept: all.filter((scan) => scan.sessionId === sessionId && isKeptAfterEnd(scan)).length };
}

/**
 * The end of a count as a person who was still in an area reads it. Whether the device still holds anything is said beside it, by the
 * queue itself: read from the rows as well, it would be said of two moments.
 */
export function sessionEndSentence({ kept }: SessionEnd): string {
  return kept === 0 ? messages.countEnded : `${messages.countEnded} ${messages.keptForAdmin(kept)}`;
}
