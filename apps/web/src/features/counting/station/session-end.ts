import { isUnsettled, type StocktakeDatabase } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";

/** What became of this device's scans that came after their session's end. */
export interface SessionEnd {
  /** Stored on the server for an administrator. */
  readonly kept: number;
  /** They are still on the device, and go the same way. */
  readonly waiting: number;
}

export async function readSessionEnd(database: StocktakeDatabase, sessionId: string): Promise<SessionEnd> {
  const all = await database.getAll("pendingScans");
  const scans = all.filter((scan) => scan.sessionId === sessionId && !scan.undone);
  const isKept = ({ acknowledgement, localOutcome }: (typeof scans)[number]) =>
    acknowledgement?.reason === "SESSION_CLOSED" && localOutcome === "counted";
  return { kept: scans.filter(isKept).length, waiting: scans.filter(isUnsettled).length };
}

/** The end of a count as a person who was still in an area reads it. */
export function sessionEndSentence({ kept, waiting }: SessionEnd): string {
  const sentences: string[] = [messages.countEnded];
  if (kept > 0) sentences.push(messages.keptForAdmin(kept));
  if (waiting > 0) sentences.push(messages.waitsForAdmin(waiting));
  if (kept + waiting === 0) sentences.push(messages.nothingLost);
  return sentences.join(" ");
}
