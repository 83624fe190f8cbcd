import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  type CountingDevice,
  exportQueue,
  type PendingOperation,
  type PendingScan,
  type QueueState,
  readSetAside,
  useQueueState,
} from "../../../offline/offline.ts";
import { countText, quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";

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

function waitingSentence({ pending, stopped }: QueueState): string {
  if (pending === 0) return "Everything scanned on this device has reached the server.";
  const held = countText(pending, "entry waits", "entries wait");
  if (stopped === "unauthenticated") return `${held} to be sent: sign in again.`;
  return stopped === null ? `${held} to be sent.` : `${held} until the server responds. Nothing is lost.`;
}

const operations = { undo: "An undo in", reset: "The reset of", finish: "The finish of" };

/** What was refused, as the person who did it would call it. */
function refusedThing(row: PendingScan | PendingOperation): string {
  const what = "input" in row ? `${row.productTitle ?? row.input} in` : operations[row.kind];
  return `${what} area ${row.areaCode}`;
}

function Refused({ device, setAside }: { device: CountingDevice; setAside: number }) {
  const refused = useQuery({
    queryKey: [deviceRoots.held, "set-aside", setAside],
    queryFn: () => readSetAside(device.database),
  });
  const rows = [...(refused.data?.scans ?? []), ...(refused.data?.operations ?? [])];
  return (
    <Notice kind="error" title={`${quantityText(setAside)} refused by the server`}>
      <Text>They are kept on this device and are not counted.</Text>
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

/** What this device holds that the server does not, and the ways to send or save it. */
export function QueuePanel({ device }: { device: CountingDevice }) {
  const queue = useQueueState(device);
  const isEmpty = queue.pending === 0 && queue.setAside === 0;
  return (
    <Stack gap="xs">
      <Text>{waitingSentence(queue)}</Text>
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
