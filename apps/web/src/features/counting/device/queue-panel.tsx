import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  type CountingDevice,
  exportQueue,
  type PendingOperation,
  type PendingScan,
  type QueueState,
  readDeclined,
  readSetAside,
  useQueueState,
} from "../../../offline/offline.ts";
import { countText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import { queueMessages } from "./queue-messages.ts";

const shownRefusals = 5;

async function saveQueue(device: CountingDevice): Promise<void> {
  const file = await exportQueue(device.database, device.deviceId, device.clock.now());
  const address = URL.createObjectURL(new Blob([file.text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Null where all that is held waits for another login, of which a notice tells. */
function waitingSentence({ pending, barred, stopped }: QueueState): string | null {
  if (pending === 0) return "Everything scanned on this device has reached the server.";
  if (barred >= pending) return null;
  const held = countText(pending - barred, "entry waits", "entries wait");
  if (stopped === "unauthenticated") return `${held} to be sent: sign in again.`;
  if (stopped === "declined") return `${held} to be sent. Nothing is lost.`;
  return stopped === null ? `${held} to be sent.` : `${held} until the server responds. Nothing is lost.`;
}

/** What was refused, as the person who did it would call it. */
function refusedThing(row: PendingScan | PendingOperation): string {
  if (!("input" in row)) return messages.operationOf(row.kind, row.areaCode);
  return `${row.productTitle ?? row.input} in area ${row.areaCode}`;
}

/** What the server will not take at the moment, and what that keeps waiting: until a person has done something about it. */
function DeclinedNotices({ device, queue }: { readonly device: CountingDevice; readonly queue: QueueState }) {
  const declined = useQuery({
    queryKey: [deviceRoots.held, "declined", queue.pending, queue.stopped],
    queryFn: () => readDeclined(device.database),
    staleTime: 0,
  }).data;
  return declined?.map(({ row, refusal, behind, isHeld }) => (
    <Notice key={row.opId} kind="warning" title={queueMessages.declinedTitle(refusedThing(row))}>
      <Text>{queueMessages.declinedWhy(refusal.error)}</Text>
      <Text>
        {queueMessages.declinedSafe(behind, isHeld && declined.length === 1 && queue.stopped === null)}
      </Text>
      <Text>{queueMessages.declinedNext}</Text>
    </Notice>
  ));
}

/** What only another login sends, or nobody would ever know why it waits. */
function Barred({ entries }: { entries: number }) {
  return (
    <Notice kind="warning" title={queueMessages.barredTitle(entries)}>
      <Text>{queueMessages.barred(entries)}</Text>
    </Notice>
  );
}

function Refused({ device, setAside }: { device: CountingDevice; setAside: number }) {
  const refused = useQuery({
    queryKey: [deviceRoots.held, "set-aside", setAside],
    queryFn: () => readSetAside(device.database),
  });
  const { scans, operations } = refused.data ?? { scans: [], operations: [] };
  const rows = [...scans, ...operations];
  return (
    <Notice kind="error" title={queueMessages.refused(setAside)}>
      {rows.length === 0 ? null : (
        <Text>
          {scans.length === 0 ? queueMessages.refusedNoScan : queueMessages.refusedScans(scans.length)}
        </Text>
      )}
      {rows.slice(0, shownRefusals).map((row) => (
        <Text key={row.opId} fz="sm">
          {refusedThing(row)}: {row.refusal?.error}
        </Text>
      ))}
      <Button variant="default" size="lg" mt="xs" onClick={() => void device.retrySetAside()}>
        Try Again
      </Button>
    </Notice>
  );
}

interface QueuePanelProps {
  readonly device: CountingDevice;
  /** How many entries wait is said beside it: only why they do is said here, where somebody has to do something about it. */
  readonly isCountSaid?: boolean;
}

/** What this device holds that the server does not, and the ways to send or save it. */
export function QueuePanel({ device, isCountSaid = false }: QueuePanelProps) {
  const queue = useQueueState(device);
  const isEmpty = queue.pending === 0 && queue.setAside === 0;
  const isStuck = queue.stopped === "unauthenticated" || queue.stopped === "declined";
  return (
    <Stack gap="xs">
      {isCountSaid && !isStuck ? null : <Text>{waitingSentence(queue)}</Text>}
      <DeclinedNotices device={device} queue={queue} />
      {queue.barred === 0 ? null : <Barred entries={queue.barred} />}
      {queue.setAside === 0 ? null : <Refused device={device} setAside={queue.setAside} />}
      {isEmpty ? null : (
        <Group grow gap="xs">
          <Button variant="default" size="lg" px={4} onClick={() => device.engine.retryNow()}>
            Sync Now
          </Button>
          <Button variant="default" size="lg" px={4} onClick={() => void saveQueue(device)}>
            Save Queue as File
          </Button>
        </Group>
      )}
    </Stack>
  );
}
