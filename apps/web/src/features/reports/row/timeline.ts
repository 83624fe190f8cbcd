import type { ExplainedScan, StockReading } from "@stocktake/contract";

/** One thing that happened: a scan, or what Shopify said was on hand. */
export type TimelineEntry =
  | { readonly kind: "scan"; readonly at: string; readonly scan: ExplainedScan }
  | {
      readonly kind: "reading";
      readonly at: string;
      readonly reading: StockReading;
      /** Since the reading before. */
      readonly difference: number;
    };

/**
 * Scans and readings in the order of their times. While further scans are still to be loaded, it ends with the last one
 * that is: what Shopify said after it belongs between scans that are not there yet.
 */
export function timelineOf(
  scans: readonly ExplainedScan[],
  readings: readonly StockReading[],
  isComplete: boolean,
): TimelineEntry[] {
  const last = scans.at(-1)?.scannedAt ?? "";
  const read = readings.map((reading, index): TimelineEntry => {
    const before = readings[index - 1]?.onHand ?? reading.onHand;
    return { kind: "reading", at: reading.at, reading, difference: reading.onHand - before };
  });
  const made = scans.map((scan): TimelineEntry => ({ kind: "scan", at: scan.scannedAt, scan }));
  const shown = isComplete ? read : read.filter(({ at }) => at <= last);
  const [start, ...rest] = shown;
  const inOrder = [...rest, ...made].sort((left, right) => Date.parse(left.at) - Date.parse(right.at));
  return start === undefined ? inOrder : [start, ...inOrder];
}
