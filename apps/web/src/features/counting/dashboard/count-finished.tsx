import { Text } from "@mantine/core";
import { type CountingSession, groupBy, type User } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type CountingDevice, isCountedHere, unitsOf, useQueueState } from "../../../offline/offline.ts";
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

/**
 * What a person scanned on this device that counts, as far as the device knows: units in the last pass of each area that it
 * was in. A phone that several use knows whose each scan is.
 */
async function readScanned({ database }: CountingDevice, sessionId: string, userId: string) {
  const rows = await database.getAll("pendingScans");
  const own = rows.filter(
    (row) => row.sessionId === sessionId && row.scannedById === userId && isCountedHere(row),
  );
  const byArea = groupBy(own, ({ areaId }) => areaId);
  const counted = Array.from(byArea.values(), (scans) => {
    const last = Math.max(...scans.map(({ pass }) => pass));
    return unitsOf(scans.filter(({ pass }) => pass === last));
  });
  return { items: counted.reduce((units, ofArea) => units + ofArea, 0), areas: counted.length };
}

interface CountFinishedProps {
  readonly device: CountingDevice;
  readonly userId: string;
  /** `endedAt`: null as long as the device has not heard when. */
  readonly session: Pick<CountingSession, "_id" | "endedAt"> & { readonly store: string };
}

/** What a counter sees once the session is over: thanks, what they scanned, and whether the device still holds anything. */
export function CountFinished({ device, userId, session }: CountFinishedProps) {
  const { pending } = useQueueState(device);
  const scanned = useQuery({
    queryKey: [deviceRoots.held, "scanned", session._id, userId, pending],
    queryFn: () => readScanned(device, session._id, userId),
    staleTime: 0,
  }).data;
  return (
    <Section title={messages.finished}>
      <Text>
        {messages.finishedAt(session.store, session.endedAt === null ? null : dateTimeText(session.endedAt))}
      </Text>
      {scanned === undefined ? null : <Text>{messages.finishedScanned(scanned.items, scanned.areas)}</Text>}
      <Notice kind={pending === 0 ? "success" : "warning"} role="status">
        {pending === 0 ? messages.finishedEmpty : messages.finishedHolds(pending)}
      </Notice>
    </Section>
  );
}
