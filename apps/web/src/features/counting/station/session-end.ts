import type { StocktakeDatabase } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";

/** What became of this device's scans that came after their session's end. */
export interface SessionEnd {
  /** Stored on the server for an administrator. */
  readonly kept: number;
}

export async function readSessionEnd(database: StocktakeDatabase, sessionId: string): Promise<SessionEnd> {
  const all = await database.getAll("pendingScans");
  const scans = all.filter((scan) => scan.sessionId === sessionId && !scan.undone);
  const isKept = ({ acknowledgement, localOutcome }: (typeof scans)[number]) =>
    acknowledgement?.reason === "SESSION_CLOSED" && localOutcome === "counted";
  return { kept: scans.filter(isKept).length };
}

/**
 * The end of a count as a person who was still in an area reads it. Whether the device still holds anything is said beside it, by the
 * queue itself: read from the rows as well, it would be said of two moments.
 */
export function sessionEndSentence({ kept }: SessionEnd): string {
  return kept === 0 ? messages.countEnded : `${messages.countEnded} ${messages.keptForAdmin(kept)}`;
}
