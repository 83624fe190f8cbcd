import type { ScanReason, ScanStatus } from "@stocktake/contract";
import type { IncomingScan } from "./incoming-scan.ts";

/** A scan as it is stored, with what tells its repeat from another scan. */
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

/** The stored scans with the operation id of an incoming one, or with its device's sequence number. */
export interface ExistingMatches {
  readonly byOperation: StoredScan | undefined;
  readonly bySequence: StoredScan | undefined;
}

export type Comparison =
  | { readonly kind: "repeat"; readonly stored: StoredScan }
  | { readonly kind: "conflict" }
  | { readonly kind: "new" };

/**
 * Tells a repeat from a new scan and from a clash (contract, "Duplicate"). An operation id decides alone, so that a
 * renumbered scan which had arrived stays one scan.
 */
export function compareWithStored(
  incoming: IncomingScan,
  { byOperation, bySequence }: ExistingMatches,
): Comparison {
  if (byOperation !== undefined) return { kind: "repeat", stored: byOperation };
  if (bySequence === undefined) return { kind: "new" };
  const bothHaveOperations = incoming.opId !== null && bySequence.opId !== null;
  const repeats = !bothHaveOperations && hasSameContent(incoming, bySequence);
  return repeats ? { kind: "repeat", stored: bySequence } : { kind: "conflict" };
}

function hasSameContent(incoming: IncomingScan, stored: StoredScan): boolean {
  return (
    incoming.storeId === stored.storeId &&
    incoming.locationId === stored.locationId &&
    incoming.areaCode.toLowerCase() === stored.areaCode.toLowerCase() &&
    incoming.input === stored.input &&
    incoming.inputType === stored.inputType &&
    (incoming.scannedAtMs === null ||
      stored.givenScannedAt === null ||
      incoming.scannedAtMs === stored.givenScannedAt.getTime())
  );
}
