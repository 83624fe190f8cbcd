import type { ScanAnswer, ScanRequest } from "@stocktake/contract";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";

/** A well-formed scan on its way into the database. */
export interface IncomingScan {
  readonly caller: Caller;
  readonly scan: ScanRequest;
  /** `scannedAt` in milliseconds since 1970; null where the device gave none. */
  readonly scannedAtMs: number | null;
  /** The highest sequence number that the same call carries for the device: a renumbered scan goes beyond it. */
  readonly highestSeq: number;
}

/** The ids that a scan names do not lead to an area of its session; which of them is to blame is looked up apart. */
export interface Misplaced {
  readonly kind: "misplaced";
}
export const misplaced: Misplaced = { kind: "misplaced" };

/** What became of one scan: the answer of a stored one, or why it was refused. */
export type ScanOutcome = ScanAnswer | ApiError | Misplaced;

/** Takes scans that arrived in one call. Throws VALIDATION for a time that no calendar has. */
export function incomingScan(caller: Caller, scan: ScanRequest, highestSeq = scan.seq): IncomingScan {
  const scannedAtMs = scan.scannedAt === undefined ? null : Date.parse(scan.scannedAt);
  if (Number.isNaN(scannedAtMs)) {
    throw new ApiError("VALIDATION", "The time is not an ISO 8601 time.", {
      details: [{ field: "scannedAt", message: "The time is not an ISO 8601 time." }],
    });
  }
  return { caller, scan, scannedAtMs, highestSeq };
}

/** Who scanned: whom the call names, else who makes it. */
export function scannedBy({ caller, scan }: IncomingScan): string {
  return scan.scannedById ?? caller.userId;
}
