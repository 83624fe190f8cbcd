import type { SessionProgress } from "./api.ts";

/** What an administrator should know of a running count before ending it. */
export interface ProgressSummary {
  readonly areas: number;
  readonly closed: number;
  readonly open: SessionProgress["areas"];
  /** Devices that said they still hold scans. */
  readonly behind: SessionProgress["devices"];
  readonly exceptions: number;
}

/** Areas being counted stand before those not started, because somebody may still be at work in them. */
export function summarizeProgress(progress: SessionProgress): ProgressSummary {
  const open = progress.areas
    .filter((area) => area.status !== "closed")
    .sort((left, right) => Number(right.status === "in_progress") - Number(left.status === "in_progress"));
  return {
    areas: progress.areas.length,
    closed: progress.areas.length - open.length,
    open,
    behind: progress.devices.filter((device) => (device.pending ?? 0) > 0),
    exceptions: progress.exceptions.unresolved + progress.exceptions.late,
  };
}
