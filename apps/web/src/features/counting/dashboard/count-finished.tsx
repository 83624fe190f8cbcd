import { Button, Text } from "@mantine/core";
import { type CountingSession, groupBy, type User } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type CountingDevice, isCountedHere, unitsOf, useQueueState } from "../../../offline/offline.ts";
import { dateTimeText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { QueuePanel } from "../device/queue-panel.tsx";
import { deviceRoots, lastCountQuery } from "../lists/counter-queries.ts";
import { readAreaNotes } from "../opening/area-notes.ts";
import { forgetLastCount, type LastCount } from "../opening/last-area.ts";
import { isKeptAfterEnd } from "../station/session-end.ts";
import { finishedMessages } from "./finished-messages.ts";

/** A session that is over, with its store's name. `endedAt`: null as long as the device has not heard when. */
type FinishedSession = Pick<CountingSession, "_id" | "endedAt"> & { readonly store: string };

/** So long after they entered an area somebody comes back to the count that they were in. */
const sameCountMs = 24 * 60 * 60 * 1_000;

/** What somebody with a password counted in last. Of their sessions the server lists those alone that run. */
function endedSince(
  last: LastCount,
  sessions: readonly CountingSession[],
  now: number,
): FinishedSession | null {
  const isOld = now - last.at > sameCountMs;
  if (isOld || sessions.some(({ _id, status }) => _id === last.sessionId && status === "active")) return null;
  return { _id: last.sessionId, endedAt: null, store: last.store };
}

/** The session that somebody came to count by an invitation. */
function endedForGuest(sessions: readonly CountingSession[]): FinishedSession | null {
  const [first] = sessions;
  if (first === undefined || sessions.some(({ status }) => status !== "closed")) return null;
  return { ...first, store: first.storeId.name };
}

/** The session that somebody has counted in, once it is over; null while it runs, and for whom it is no longer the last. */
export function useFinishedSession(
  device: CountingDevice,
  { _id: userId, isTemporary }: User,
  sessions: readonly CountingSession[] | undefined,
): { readonly session: FinishedSession; readonly goOn: (() => void) | null } | null {
  const client = useQueryClient();
  const query = lastCountQuery(device, userId);
  const { data: last = null } = useQuery(query);
  if (sessions === undefined) return null;
  if (isTemporary) {
    const session = endedForGuest(sessions);
    return session === null ? null : { session, goOn: null };
  }
  const session = last === null ? null : endedSince(last, sessions, device.clock.now());
  if (session === null) return null;
  const goOn = () => {
    client.setQueryData(query.queryKey, null);
    forgetLastCount(device.database, userId).catch(globalThis.reportError);
  };
  return { session, goOn };
}

/**
 * What was scanned on this device that counts, as far as the device has it: units in the last pass of each area that it was in, unless a
 * reset or a mismatch from here has ended that; and the units that came after the session's end. Whoever scanned them: several people may use a phone, and somebody who came by a second
 * invitation is somebody else by the rows.
 */
async function readScanned({ database }: CountingDevice, sessionId: string, userId: string) {
  const rows = await database.getAll("pendingScans");
  const scans = rows.filter((row) => row.sessionId === sessionId);
  const byArea = groupBy(scans.filter(isCountedHere), ({ areaId }) => areaId);
  const notes = await readAreaNotes(database, sessionId);
  const counted = Array.from(byArea, ([areaId, ofArea]) => {
    const last = Math.max(notes.get(areaId)?.knownPass ?? 0, ...ofArea.map(({ pass }) => pass));
    return unitsOf(ofArea.filter(({ pass }) => pass === last));
  }).filter((units) => units > 0);
  return {
    items: counted.reduce((units, ofArea) => units + ofArea, 0),
    areas: counted.length,
    late: unitsOf(scans.filter(isKeptAfterEnd)),
    isYours: scans.every(({ scannedById }) => scannedById === userId),
    isNothing: scans.length === 0,
  };
}

function Scanned({ items, areas, late, isYours, isNothing }: Awaited<ReturnType<typeof readScanned>>) {
  const { nothingScanned, nothingCounts, byDevice } = finishedMessages;
  return (
    <>
      {items > 0 ? <Text>{finishedMessages.scanned(items, areas, isYours)}</Text> : null}
      {items === 0 && late === 0 ? <Text>{isNothing ? nothingScanned : nothingCounts}</Text> : null}
      {isNothing || (items === 0 && late > 0) ? null : <Text fz="sm">{byDevice}</Text>}
      {late === 0 ? null : <Text>{finishedMessages.late(late, isYours)}</Text>}
    </>
  );
}

interface CountFinishedProps {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly session: FinishedSession;
  /** Where there may be another count to go on to. */
  readonly onGoOn?: (() => void) | null;
}

/** What a counter sees once the session is over: thanks, what they scanned, and whether the device still holds anything. */
export function CountFinished({ device, userId, session, onGoOn = null }: CountFinishedProps) {
  const { pending, barred, setAside } = useQueueState(device);
  const isEmpty = pending === 0 && setAside === 0;
  // What another login has to send is not waited for here.
  const leaving = Math.max(0, pending - barred);
  const scanned = useQuery({
    queryKey: [deviceRoots.held, "scanned", session._id, userId, pending],
    queryFn: () => readScanned(device, session._id, userId),
    staleTime: 0,
  }).data;
  return (
    <Section title={finishedMessages.title}>
      <Text>
        {finishedMessages.endedAt(
          session.store,
          session.endedAt === null ? null : dateTimeText(session.endedAt),
        )}
      </Text>
      {scanned === undefined ? null : <Scanned {...scanned} />}
      {leaving > 0 || isEmpty ? (
        <Notice kind={isEmpty ? "success" : "warning"} role="status">
          {isEmpty ? finishedMessages.empty : finishedMessages.holds(leaving)}
        </Notice>
      ) : null}
      {isEmpty ? null : <QueuePanel device={device} isCountSaid />}
      {onGoOn === null ? null : (
        <Button size="lg" onClick={onGoOn}>
          {finishedMessages.goOn}
        </Button>
      )}
    </Section>
  );
}
