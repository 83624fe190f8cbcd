import type { ExplainedScan, MoveByOther, StockReading } from "@stocktake/contract";

/** One thing that happened: a scan, another session's move, or what Shopify said was on hand. */
export type TimelineEntry =
  | { readonly kind: "scan"; readonly at: string; readonly scan: ExplainedScan }
  | { readonly kind: "move"; readonly at: string; readonly move: MoveByOther }
  | {
      readonly kind: "reading";
      readonly at: string;
      readonly reading: StockReading;
      /** Since the reading before. */
      readonly difference: number;
    };

interface Happened {
  readonly scans: readonly ExplainedScan[];
  readonly readings: readonly StockReading[];
  readonly moves: readonly MoveByOther[];
}

/**
 * Everything in the order of its time. While further scans are still to be loaded, it ends with the last one that is: what
 * happened after it belongs between scans that are not there yet.
 */
export function timelineOf({ scans, readings, moves }: Happened, isComplete: boolean): TimelineEntry[] {
  const last = scans.at(-1)?.scannedAt ?? "";
  const read = readings.map((reading, index): TimelineEntry => {
    const before = readings[index - 1]?.onHand ?? reading.onHand;
    return { kind: "reading", at: reading.at, reading, difference: reading.onHand - before };
  });
  const made = scans.map((scan): TimelineEntry => ({ kind: "scan", at: scan.scannedAt, scan }));
  const moved = moves.map((move): TimelineEntry => ({ kind: "move", at: move.at, move }));
  const isShown = ({ at }: TimelineEntry) => isComplete || at <= last;
  const [start, ...rest] = read.filter(isShown);
  const inOrder = [...rest, ...moved.filter(isShown), ...made].sort(
    (left, right) => Date.parse(left.at) - Date.parse(right.at),
  );
  return start === undefined ? inOrder : [start, ...inOrder];
}
