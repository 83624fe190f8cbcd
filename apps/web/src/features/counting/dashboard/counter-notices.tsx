import { Button, Text } from "@mantine/core";
import type { Area, CountingSession } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type CountingDevice,
  deleteSetting,
  markRead,
  type PendingScan,
  readLeft,
  readNotCounted,
  readRefusedUndos,
  readSetting,
  settings,
  useQueueState,
} from "../../../offline/offline.ts";
import { areaText, countText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { QueuePanel } from "../device/queue-panel.tsx";
import { activeAreaQuery, deviceRoots } from "../lists/counter-queries.ts";
import { messages, takenBackReason } from "../messages.ts";
import { type AreaNote, finishAgainSentence, recountSentence } from "../opening/area-notes.ts";
import { useEnterArea } from "../opening/use-enter-area.ts";

/** A lasting notice where the page was opened over plain http. */
export function InsecureNotice() {
  if (globalThis.isSecureContext) return null;
  return (
    <Notice kind="warning" title="Working offline needs https">
      {messages.httpsNeeded}
    </Notice>
  );
}

interface ResumeAreaProps {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly sessions: readonly CountingSession[];
}

/** The way back into an area that was left by a crash, not by its button. */
export function ResumeArea({ device, userId, sessions }: ResumeAreaProps) {
  const enter = useEnterArea();
  const area = useQuery(activeAreaQuery(device, userId)).data;
  if (area === null || area === undefined) return null;
  const isRunning = sessions.some((each) => each._id === area.sessionId && each.status === "active");
  if (!isRunning) return null;
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

/** The areas that need this device's person again after a finish, which a queued finish shows only here. */
export function Recounts(props: RecountsProps) {
  return (
    <>
      <FinishesAgain {...props} />
      <Mismatches {...props} />
    </>
  );
}

function Mismatches({ areas, notes, onCount }: RecountsProps) {
  const own = areas.filter((area) => (notes.get(area._id)?.mismatch ?? null) !== null);
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

async function readRestored(device: CountingDevice) {
  const [restored, left] = await Promise.all([
    readSetting(device.database, settings.restored),
    readLeft(device.database),
  ]);
  const areas = [...new Set(left.map(({ areaCode }) => areaCode))];
  return restored === null ? null : { rows: restored.rows, areas };
}

/** Once after a restore of the server: what this device does about it. */
function Restored({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  const client = useQueryClient();
  const queryKey = [deviceRoots.held, "restored", pending];
  const restored = useQuery({ queryKey, queryFn: () => readRestored(device), staleTime: 0 }).data;
  if (restored === null || restored === undefined) return null;
  const close = async () => {
    await deleteSetting(device.database, settings.restored.key);
    await client.invalidateQueries({ queryKey: [deviceRoots.held, "restored"] });
  };
  return (
    <Notice kind="info" title={messages.restored} role="status">
      <Text>{messages.restoredText(restored.rows)}</Text>
      {restored.areas.length === 0 ? null : <Text>{messages.restoredAreas(restored.areas.join(", "))}</Text>}
      <Button variant="default" size="lg" mt="xs" onClick={() => void close()}>
        Close
      </Button>
    </Notice>
  );
}

const shownScans = 5;

// On the banner the specification has its own text for it, which here would not be about the scan.
function notCountedReason({ acknowledgement, input }: PendingScan): string {
  const reason = acknowledgement?.reason ?? null;
  return reason === "SESSION_CLOSED" ? messages.afterTheEnd : takenBackReason(reason, input);
}

/** Scans that were taken back: stored on the server, for an administrator to decide. */
function NotCounted({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  const scans = useQuery({
    queryKey: [deviceRoots.held, "not-counted", pending],
    queryFn: () => readNotCounted(device.database),
    staleTime: 0,
  }).data;
  if (scans === undefined || scans.length === 0) return null;
  const title = countText(scans.length, "scan was not counted", "scans were not counted");
  return (
    <Notice kind="warning" title={title}>
      <Text>The server has stored them, and an administrator reviews them.</Text>
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
export function ServerNotices({ device }: { device: CountingDevice }) {
  return (
    <>
      <Restored device={device} />
      <RefusedUndos device={device} />
      <NotCounted device={device} />
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
