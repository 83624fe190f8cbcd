import type { Area, CountingSession } from "@stocktake/contract";
import { isOfNoCount, type PendingScan } from "../../../offline/offline.ts";

/** What the server has of sessions and areas; undefined until it, or the device's cache, has been read. */
export interface ServerLists {
  readonly sessions: readonly CountingSession[] | undefined;
  readonly areas: readonly Area[] | undefined;
}

/**
 * Whether a person is still told of a scan that was not counted: no longer once its area was counted again and completed, or its
 * session is over. What came after the end is told until the next session.
 */
export function isStillOwed(scan: PendingScan, { sessions, areas }: ServerLists): boolean {
  if (sessions === undefined) return true;
  const active = sessions.filter(({ status }) => status === "active");
  if (scan.acknowledgement?.reason === "SESSION_CLOSED") {
    return active.every(({ _id }) => _id === scan.sessionId);
  }
  if (active.every(({ _id }) => _id !== scan.sessionId)) return false;
  const area = areas?.find(({ _id }) => _id === scan.areaId);
  if (area?.status !== "closed") return true;
  return isOfNoCount(scan) ? !isClosedSince(area, scan) : area.pass <= scan.pass;
}

/** What arrived after the closing is in nothing that the closing confirmed. */
function isClosedSince({ closedAt }: Area, { syncedAt }: PendingScan): boolean {
  return closedAt !== null && syncedAt !== null && Date.parse(syncedAt) < Date.parse(closedAt);
}
