import { type CountingDevice, useOnline, useQueueState } from "../../../offline/offline.ts";
import { quantityText } from "../../../ui/formats.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";

/** Whether the server responds, and how much waits for it. */
export function DeviceBadges({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  const isOnline = useOnline(device);
  return (
    <>
      <StatusBadge tone={isOnline ? "positive" : "warning"}>{isOnline ? "Online" : "Offline"}</StatusBadge>
      <StatusBadge
        tone={pending === 0 ? "neutral" : "warning"}
      >{`${quantityText(pending)} pending`}</StatusBadge>
    </>
  );
}
