import type { AreaStatus, ScanReason } from "@stocktake/contract";

export interface Ending {
  /** The reason that the scans of the pass are voided with. */
  readonly reason: ScanReason;
  /** What the area is in its next pass. */
  readonly status: Exclude<AreaStatus, "closed">;
}

/** The ways in which a pass ends because its area is counted again. */
export const endings = {
  reset: { reason: "AREA_RESET", status: "not_started" },
  reopened: { reason: "AREA_REOPENED", status: "not_started" },
  mismatched: { reason: "COUNT_MISMATCHED", status: "in_progress" },
  replaced: { reason: "PASS_REPLACED", status: "in_progress" },
} as const satisfies Record<string, Ending>;

/** Whether a pass that ended so was voided. */
export function isVoiding(endedAs: string | null): endedAs is keyof typeof endings {
  return endedAs !== null && endedAs in endings;
}

/** The reasons of scans that were voided with their pass; an undone or dismissed one was taken out of it before. */
export const reasonsOfEndings: readonly ScanReason[] = Object.values(endings).map(({ reason }) => reason);
