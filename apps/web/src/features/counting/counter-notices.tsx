import { Button } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { CountingDevice } from "../../offline/counting-device.ts";
import { useQueueState } from "../../offline/device-context.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { activeAreaQuery } from "./counter-queries.ts";
import { words } from "./messages.ts";
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
