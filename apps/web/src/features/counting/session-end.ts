import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type CountingDevice,
  isUnsettled,
  type StocktakeDatabase,
  useQueueState,
} from "../../offline/offline.ts";
import { deviceRoots } from "./counter-queries.ts";
import { words } from "./messages.ts";
import type { Banner, StationState } from "./station-state.ts";

/** What became of this device's scans that came after their session's end. */
export interface SessionEnd {
  /** The server keeps them for an administrator. */
  readonly kept: number;
  /** They are still on the device, and go the same way. */
  readonly waiting: number;
}

async function readSessionEnd(database: StocktakeDatabase, sessionId: string): Promise<SessionEnd> {
  const all = await database.getAll("pendingScans");
  const scans = all.filter((scan) => scan.sessionId === sessionId && !scan.undone);
  const isKept = ({ acknowledgement, localOutcome }: (typeof scans)[number]) =>
    acknowledgement?.reason === "SESSION_CLOSED" && localOutcome === "counted";
  return { kept: scans.filter(isKept).length, waiting: scans.filter(isUnsettled).length };
}

/** The end of a count in words, for whoever still stood in an area. */
export function sessionEndSentence({ kept, waiting }: SessionEnd): string {
  const sentences: string[] = [words.countEnded];
  if (kept > 0) sentences.push(words.keptForAdmin(kept));
  if (waiting > 0) sentences.push(words.waitsForAdmin(waiting));
  if (kept + waiting === 0) sentences.push(words.nothingLost);
  return sentences.join(" ");
}

/** The banner, which after the session's end also says what became of the last scans; read again as they are sent. */
export function useBannerWithEnd(
  device: CountingDevice,
  sessionId: string,
  { banner, block }: Pick<StationState, "banner" | "block">,
): Banner | null {
  const { pending } = useQueueState(device);
  const isOver = block === "no_session";
  const end = useQuery({
    queryKey: [deviceRoots.held, "session-end", sessionId, pending],
    queryFn: () => readSessionEnd(device.database, sessionId),
    enabled: isOver,
    staleTime: 0,
    placeholderData: keepPreviousData,
  }).data;
  return useMemo(() => {
    if (!isOver) return banner;
    const detail = end === undefined ? words.countEnded : sessionEndSentence(end);
    return { kind: "error", text: words.noSession, detail };
  }, [isOver, banner, end]);
}
