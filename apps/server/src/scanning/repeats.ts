import type { ScanReason, ScanStatus } from "@stocktake/contract";
import type { IncomingScan } from "./incoming-scan.ts";

/** A scan as it is stored, as far as a repeat is told from another scan by it. */
export interface StoredScan {
  readonly id: number;
  readonly deviceId: string;
  readonly seq: number;
  readonly opId: string | null;
  readonly storeId: string;
  readonly locationId: string;
  readonly areaCode: string;
  readonly input: string;
  readonly inputType: "barcode" | "sku";
  readonly givenScannedAt: Date | null;
  readonly sku: string | null;
  readonly pass: number;
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
}

/** Stored scans that claim what an incoming one does: its operation id, its device's sequence number. */
export interface Claimants {
  readonly ofOperation: StoredScan | undefined;
  readonly ofSequence: StoredScan | undefined;
}

export type Judgement =
  | { readonly kind: "repeat"; readonly stored: StoredScan }
  | { readonly kind: "conflict" }
  | { readonly kind: "new" };

/**
 * Tells a repeat from a new scan and from a clash (contract, "Duplicate"). An operation id decides alone, so that a
 * renumbered scan which had arrived stays one scan.
 */
export function judge(incoming: IncomingScan, { ofOperation, ofSequence }: Claimants): Judgement {
  if (ofOperation !== undefined) return { kind: "repeat", stored: ofOperation };
  if (ofSequence === undefined) return { kind: "new" };
  const bothHaveOperations = incoming.scan.opId !== undefined && ofSequence.opId !== null;
  const repeats = !bothHaveOperations && saysTheSame(incoming, ofSequence);
  return repeats ? { kind: "repeat", stored: ofSequence } : { kind: "conflict" };
}

function saysTheSame({ scan, scannedAtMs }: IncomingScan, stored: StoredScan): boolean {
  return (
    scan.storeId === stored.storeId &&
    scan.locationId === stored.locationId &&
    scan.areaCode.toLowerCase() === stored.areaCode.toLowerCase() &&
    scan.input === stored.input &&
    scan.inputType === stored.inputType &&
    (scannedAtMs === null ||
      stored.givenScannedAt === null ||
      scannedAtMs === stored.givenScannedAt.getTime())
  );
}
