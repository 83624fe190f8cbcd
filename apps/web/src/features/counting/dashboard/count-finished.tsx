import { Text } from "@mantine/core";
import type { CountingSession, User } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type CountingDevice, useQueueState } from "../../../offline/offline.ts";
import { dateTimeText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";

/** The session that somebody came to count, once it is over; null while it runs, and for whom others may come. */
export function finishedSession(
  { isTemporary }: User,
  sessions: readonly CountingSession[] | undefined,
): CountingSession | null {
  if (!isTemporary || sessions === undefined) return null;
  return sessions.every(({ status }) => status === "closed") ? (sessions[0] ?? null) : null;
}

/** What was scanned on this device: units that were counted, or wait to be, and the areas they lie in. */
async function readScanned({ database }: CountingDevice, sessionId: string) {
  const rows = await database.getAll("pendingScans");
  const counted = rows.filter(
    (row) => row.sessionId === sessionId && !row.undone && row.localOutcome === "counted",
  );
  return {
    items: counted.reduce((units, { quantity = 1 }) => units + quantity, 0),
    areas: new Set(counted.map(({ areaId }) => areaId)).size,
  };
}

interface CountFinishedProps {
  readonly device: CountingDevice;
  readonly session: CountingSession;
}

/** What a counter sees once the session is over: thanks, what they scanned, and whether the device still holds anything. */
export function CountFinished({ device, session }: CountFinishedProps) {
  const { pending } = useQueueState(device);
  const scanned = useQuery({
    queryKey: [deviceRoots.held, "scanned", session._id, pending],
    queryFn: () => readScanned(device, session._id),
    staleTime: 0,
  }).data;
  return (
    <Section title={messages.finished}>
      <Text>{messages.finishedAt(session.storeId.name, dateTimeText(session.endedAt))}</Text>
      {scanned === undefined ? null : <Text>{messages.finishedScanned(scanned.items, scanned.areas)}</Text>}
      <Notice kind={pending === 0 ? "success" : "warning"} role="status">
        {pending === 0 ? messages.finishedEmpty : messages.finishedHolds(pending)}
      </Notice>
    </Section>
  );
}
