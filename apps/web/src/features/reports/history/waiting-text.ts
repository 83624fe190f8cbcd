import type { Adjustment } from "@stocktake/contract";
import { timeText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";

/** Why what works on an entry pauses, and until when; null where it doesn't. */
export function waitingText({ waiting }: Pick<Adjustment, "waiting">): string | null {
  if (waiting === null || waiting === undefined) return null;
  return messages.underway[waiting.reason](timeText(waiting.until));
}
