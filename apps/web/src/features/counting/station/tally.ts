import { type AreaScan, countingConstants } from "@stocktake/contract";
import { isCountedHere, type PendingOperation, type PendingScan } from "../../../offline/offline.ts";

/** One counted scan of this device in the area's current pass. */
export interface TallyEntry {
  /** Its row on this device; null where only the server still has it. */
  readonly id: number | null;
  readonly seq: number;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  readonly scannedAt: string;
}

/** This device's counted scans of the pass, oldest first: Items Scanned is their number. */
export type Tally = readonly TallyEntry[];

function entryOf(scan: PendingScan): TallyEntry {
  const { id, seq, sku, productTitle, size, scannedAt } = scan;
  return { id, seq, sku, productTitle, size, scannedAt };
}

function serverEntry(scan: AreaScan): TallyEntry {
  const { seq, sku, productTitle, size, scannedAt } = scan;
  return { id: null, seq, sku, productTitle, size, scannedAt };
}

const bySequence = (left: TallyEntry, right: TallyEntry) => left.seq - right.seq;

/** What is known of a pass: this device's rows, and the server's list where it answered. */
export interface PassKnowledge {
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
  /** This device's scans that the server counts; null without an answer. */
  readonly server: readonly AreaScan[] | null;
  /** Rows that were acknowledged before the server was asked: of these its list is the last word. */
  readonly settledBefore: ReadonlySet<number>;
}

/** Of undone scans without a row here. A row has its own mark, and its number may be another scan's by now. */
function undoneSequences(operations: readonly PendingOperation[]): Set<number> {
  return new Set(
    operations.flatMap((operation) =>
      operation.kind === "undo" && operation.targetId === null && operation.refusal === null
        ? [operation.targetSeq]
        : [],
    ),
  );
}

/**
 * Rebuilds the tally after a reload: the server's word for what it has settled, the device's own rows for what it has
 * not heard of; without the server the rows alone (docs/SYNC.md, S25).
 */
export function rebuildTally({ scans, operations, server, settledBefore }: PassKnowledge): Tally {
  const counted = scans.filter(isCountedHere);
  if (server === null) return counted.map(entryOf).sort(bySequence);
  const undone = undoneSequences(operations);
  const rows = new Map(scans.map((scan) => [scan.seq, scan]));
  const settled = server.flatMap((scan): TallyEntry[] => {
    const row = rows.get(scan.seq);
    if (row?.undone === true || undone.has(scan.seq)) return [];
    return [row === undefined ? serverEntry(scan) : entryOf(row)];
  });
  const known = new Set(settled.map((entry) => entry.seq));
  const unheard = counted.filter((scan) => !settledBefore.has(scan.id) && !known.has(scan.seq)).map(entryOf);
  return [...settled, ...unheard].sort(bySequence);
}

function isSame(left: TallyEntry, right: TallyEntry): boolean {
  return (
    left.seq === right.seq &&
    left.sku === right.sku &&
    left.productTitle === right.productTitle &&
    left.size === right.size &&
    left.scannedAt === right.scannedAt
  );
}

/**
 * Takes a row as it now is: counted ones are in the tally once, others are not. Where that changes nothing, as with most
 * acknowledgements, it is the same tally, so that nothing is drawn again.
 */
export function takeRow(tally: Tally, scan: PendingScan): Tally {
  const current = tally.find((entry) => entry.id === scan.id);
  if (!isCountedHere(scan)) {
    return current === undefined ? tally : tally.filter((entry) => entry !== current);
  }
  const changed = entryOf(scan);
  if (current === undefined) return [...tally, changed];
  return isSame(current, changed) ? tally : tally.map((entry) => (entry === current ? changed : entry));
}

export function hasRow(tally: Tally, id: number): boolean {
  return tally.some((entry) => entry.id === id);
}

export function withoutEntry(tally: Tally, entry: TallyEntry): Tally {
  return tally.filter((each) => each !== entry && (entry.id === null || each.id !== entry.id));
}

/** The newest first, as many as the screen shows. */
export function recentScans(tally: Tally): readonly TallyEntry[] {
  return tally.slice(-countingConstants.recentScans).reverse();
}
