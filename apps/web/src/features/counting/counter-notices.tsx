import { Button, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { CountingDevice } from "../../offline/counting-device.ts";
import { useQueueState } from "../../offline/device-context.ts";
import { readNotCounted } from "../../offline/outbox-read.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { activeAreaQuery, deviceRoots } from "./counter-queries.ts";
import { takenBackReason, words } from "./messages.ts";
import { QueuePanel } from "./queue-panel.tsx";

/** A lasting word where the page was opened over plain http. */
export function InsecureNotice() {
  if (globalThis.isSecureContext) return null;
  return (
    <Notice kind="warning" title="Working offline needs https">
      {words.httpsNeeded}
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
  const navigate = useNavigate();
  const place = useQuery(activeAreaQuery(device, userId)).data;
  if (place === null || place === undefined) return null;
  const isRunning = sessions.some((each) => each._id === place.sessionId && each.status === "active");
  if (!isRunning) return null;
  const resume = () => void navigate("/counter/scan", { state: place });
  return (
    <Notice
      kind="info"
      title={`You were counting area ${place.area.code} - ${place.area.name}`}
      action={
        <Button size="lg" onClick={resume}>
          Resume Area
        </Button>
      }
    >
      {place.store.name}, {place.location.name}. What was scanned there is safe.
    </Notice>
  );
}

const shownScans = 5;

/** Scans that were taken back: kept on the server, and left to an administrator. */
export function NotCounted({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  const scans = useQuery({
    queryKey: [deviceRoots.held, "not-counted", pending],
    queryFn: () => readNotCounted(device.database),
    staleTime: 0,
  }).data;
  if (scans === undefined || scans.length === 0) return null;
  const title = scans.length === 1 ? "1 scan was not counted" : `${scans.length} scans were not counted`;
  return (
    <Notice kind="warning" title={title}>
      <Text>The server keeps them, and an administrator decides about them.</Text>
      {scans.slice(0, shownScans).map((scan) => (
        <Text key={scan.opId} fz="sm">
          {scan.productTitle ?? scan.input} in area {scan.areaCode}:{" "}
          {takenBackReason(scan.acknowledgement?.reason ?? null, scan.input)}
        </Text>
      ))}
    </Notice>
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
