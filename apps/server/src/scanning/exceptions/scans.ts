import type { ScanReason, ScanStatus } from "@stocktake/contract";
import type { ScanningServices } from "../services.ts";
import type { HeldSession } from "./session-queries.ts";

/** What a scan is: all that a decision on it changes. */
export interface ScanState {
  readonly id: number;
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
  readonly sku: string | null;
  readonly areaId: string;
  readonly pass: number;
  /** As many units as it counts. */
  readonly quantity: number;
  /** The units of one pack, where its code was known as one of a pack when it was stored or accepted. */
  readonly packUnits: number | null;
}

export interface Scan extends ScanState {
  readonly input: string;
  readonly inputType: "barcode" | "sku";
  /** Names the item whose RFID tag was read. */
  readonly tag: string | null;
  /** It came too late for a second count: what it is compared with has counted the item already. */
  readonly ofSecondCount: boolean;
}

export function isOpen({ status }: ScanState): boolean {
  return status === "unresolved" || status === "late";
}

/** Tells the phones of every pass that a decision changed; call it after the commit. */
export function publishChanges(
  { events }: Pick<ScanningServices, "events">,
  { id: sessionId, storeId }: HeldSession,
  changed: readonly Pick<ScanState, "areaId" | "pass">[],
): void {
  const passes = new Map(changed.map((scan) => [`${scan.areaId} ${scan.pass}`, scan]));
  for (const { areaId, pass } of passes.values()) {
    events.publish({ type: "scan", sessionId, storeId, areaId, pass });
  }
}

export function presentState({ id, ...state }: ScanState) {
  const { status, reason, sku, areaId, pass } = state;
  return { _id: String(id), status, reason, sku, areaId, pass };
}
