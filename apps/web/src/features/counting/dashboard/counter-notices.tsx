import { Button, Text } from "@mantine/core";
import type { Area, CountingSession } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type CountingDevice,
  markRead,
  type PendingScan,
  readNotCounted,
  readRefusedUndos,
  useQueueState,
} from "../../../offline/offline.ts";
import { areaText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { QueuePanel } from "../device/queue-panel.tsx";
import { activeAreaQuery, deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import { type AreaNote, finishAgainSentence, recountSentence } from "../opening/area-notes.ts";
import type { SelectedArea } from "../opening/counting-area.ts";
import { useEnterArea } from "../opening/use-enter-area.ts";
import { takenBackReason } from "../taken-back-reason.ts";
import { ServerRestored } from "./server-restored.tsx";
import { isStillOwed, type ServerLists } from "./still-owed.ts";

/** A lasting notice where the page was opened over plain http. */
export function InsecureNotice() {
  if (globalThis.isSecureContext) return null;
  return (
    <Notice kind="warning" title="Working offline needs https">
      {messages.httpsNeeded}
    </Notice>
  );
}

/** The area that was left by a crash or the browser's Back, not by its button; null where there is none. */
export function useAreaToResume(
  device: CountingDevice,
  userId: string,
  sessions: readonly CountingSession[],
): SelectedArea | null {
  const area = useQuery(activeAreaQuery(device, userId)).data ?? null;
  if (area === null) return null;
  const isRunning = sessions.some((each) => each._id === area.sessionId && each.status === "active");
  return isRunning ? area : null;
}

/** True where the area is the one to resume, in this pass or a later one: then its card leads there, and no other is needed. */
export function isResumedIn(resumed: SelectedArea | null, areaId: string, pass: number): boolean {
  return resumed?.areaId === areaId && (resumed.pass ?? 0) >= pass;
}

/** The way back into an area; not where an administrator wants it counted again since, which is told with the way there. */
export function ResumeArea({ area, areas }: { area: SelectedArea | null; areas: readonly Area[] }) {
  const enter = useEnterArea();
  if (area === null) return null;
  const recount = areas.find(({ _id }) => _id === area.areaId)?.recount ?? null;
  if (recount !== null && !isResumedIn(area, area.areaId, recount.pass)) return null;
  return (
    <Notice kind="info" title={`You were counting area ${areaText(area.area.code, area.area.name, "-")}`}>
      <div>
        {area.store.name}, {area.location.name}. What was scanned there is safe.
      </div>
      <Button size="lg" mt="xs" onClick={() => enter(area)}>
        Resume Area
      </Button>
    </Notice>
  );
}

interface RecountsProps {
  readonly areas: readonly Area[];
  readonly notes: ReadonlyMap<string, AreaNote>;
  /** The area that its own card leads back into. */
  readonly resumed: SelectedArea | null;
  readonly onCount: (area: Area) => void;
}

/** The areas whose finish from this device did not count because the count had changed by then. */
function FinishesAgain({ areas, notes, onCount }: RecountsProps) {
  return areas.map((area) => {
    const sentence = finishAgainSentence(area, notes.get(area._id));
    if (sentence === null) return null;
    return (
      <Notice
        key={area._id}
        kind="warning"
        title={`Finish again: area ${areaText(area.code, area.name, "-")}`}
      >
        <div>{sentence}</div>
        <Button size="lg" mt="xs" onClick={() => onCount(area)}>
          Open Area
        </Button>
      </Notice>
    );
  });
}

/** The areas whose total was declared without the server. */
function NotCompared({ areas, notes }: Pick<RecountsProps, "areas" | "notes">) {
  const waiting = areas.filter((area) => notes.get(area._id)?.isFinishWaiting === true);
  return waiting.map(({ _id, code, name }) => (
    <Notice key={_id} kind="info" role="status" title={messages.notCompared(code, name)}>
      {messages.notComparedText}
    </Notice>
  ));
}

/** The areas that need this device's person again after a finish, which a queued finish shows only here. */
export function Recounts(props: RecountsProps) {
  return (
    <>
      <NotCompared {...props} />
      <FinishesAgain {...props} />
      <Mismatches {...props} />
    </>
  );
}

function Mismatches({ areas, notes, resumed, onCount }: RecountsProps) {
  const own = areas.filter(({ _id }) => {
    const note = notes.get(_id);
    return (note?.mismatch ?? null) !== null && !isResumedIn(resumed, _id, note?.knownPass ?? 0);
  });
  return own.map((area) => {
    const sentence = recountSentence(area, notes.get(area._id));
    if (sentence === null) return null;
    return (
      <Notice
        key={area._id}
        kind="error"
        title={`${messages.recountNeeded}: area ${areaText(area.code, area.name, "-")}`}
      >
        <div>{sentence}</div>
        <Button size="lg" mt="xs" onClick={() => onCount(area)}>
          Count Again
        </Button>
      </Notice>
    );
  });
}

const shownScans = 5;

// On the banner the specification has its own text for it, which here would not be about the scan.
function notCountedReason(scan: PendingScan): string {
  const reason = scan.acknowledgement?.reason ?? null;
  return reason === "SESSION_CLOSED" ? messages.afterTheEnd : takenBackReason(reason, scan);
}

interface NotCountedProps {
  readonly device: CountingDevice;
  readonly lists: ServerLists;
}

/** Scans that were taken back: stored on the server, for an administrator to decide. */
function NotCounted({ device, lists }: NotCountedProps) {
  const { pending } = useQueueState(device);
  const read = useQuery({
    queryKey: [deviceRoots.held, "not-counted", pending],
    queryFn: () => readNotCounted(device.database),
    staleTime: 0,
  }).data;
  const scans = read?.filter((scan) => isStillOwed(scan, lists)) ?? [];
  if (scans.length === 0) return null;
  return (
    <Notice kind="warning" title={messages.notCounted(scans.length)}>
      <Text>{messages.notCountedKept(scans.length)}</Text>
      {scans.slice(0, shownScans).map((scan) => (
        <Text key={scan.opId} fz="sm">
          {scan.productTitle ?? scan.input} in area {scan.areaCode}: {notCountedReason(scan)}
        </Text>
      ))}
    </Notice>
  );
}

/** Undos that the server refused after their screen was left: told once, as nothing can be tried again. */
function RefusedUndos({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  const client = useQueryClient();
  const root = [deviceRoots.held, "refused-undos"];
  const undos = useQuery({
    queryKey: [...root, pending],
    queryFn: () => readRefusedUndos(device.database),
    staleTime: 0,
  }).data;
  if (undos === undefined || undos.length === 0) return null;
  const close = async () => {
    await markRead(
      device.database,
      undos.map(({ id }) => id),
    );
    await client.invalidateQueries({ queryKey: root });
  };
  return (
    <Notice kind="warning" title={messages.undoNotDone(undos.length)} role="status">
      {undos.slice(0, shownScans).map(({ opId, areaCode, refusal }) => (
        <Text key={opId} fz="sm">
          Area {areaCode}: {refusal?.error}
        </Text>
      ))}
      <Button variant="default" size="lg" mt="xs" onClick={() => void close()}>
        Close
      </Button>
    </Notice>
  );
}

/** What the server made of this device's rows, where a person has to know. */
export function ServerNotices({ device, lists }: NotCountedProps) {
  return (
    <>
      <ServerRestored device={device} />
      <RefusedUndos device={device} />
      <NotCounted device={device} lists={lists} />
    </>
  );
}

/** The queue, where it holds anything. */
export function QueueSection({ device }: { device: CountingDevice }) {
  const { pending, setAside } = useQueueState(device);
  if (pending === 0 && setAside === 0) return null;
  return (
    <Section title="Waiting on this device">
      <QueuePanel device={device} />
    </Section>
  );
}
