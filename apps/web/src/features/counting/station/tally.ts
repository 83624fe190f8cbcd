import { type AreaScan, countingConstants, readTag, type UnresolvedScan } from "@stocktake/contract";
import {
  type CountedArea,
  isCountedHere,
  isUnknownHere,
  type PendingOperation,
  type PendingScan,
  unitsOfScan,
} from "../../../offline/offline.ts";

/** One scan of this device in the area's current pass, counted or set aside as unknown. */
export interface TallyEntry {
  /** Its row on this device; null where only the server still has it. */
  readonly id: number | null;
  readonly seq: number;
  /** Grows in the order of scanning, even where `seq` does not. */
  readonly order: number;
  readonly isUnknown: boolean;
  /** Units. */
  readonly quantity: number;
  /** The code as read; null where only the server has the scan and its product. */
  readonly input: string | null;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  readonly scannedAt: string;
  /** Whose it is: a person's id, or, of a scan that only the server has, their name. Null where it does not say. */
  readonly scannedBy: { readonly id: string } | { readonly name: string } | null;
}

/** Scans of this device in the pass, oldest first: all counted ones, or all unknown ones. */
export type Tally = readonly TallyEntry[];

function entryOf(scan: PendingScan): TallyEntry {
  const { id, seq, order, input, sku, productTitle, size, scannedAt } = scan;
  return {
    id,
    seq,
    order,
    isUnknown: isUnknownHere(scan),
    quantity: unitsOfScan(scan),
    input,
    sku,
    productTitle,
    size,
    scannedAt,
    scannedBy: { id: scan.scannedById },
  };
}

function countedEntry({ seq, quantity = 1, username, ...scan }: AreaScan): TallyEntry {
  const { sku, productTitle, size, scannedAt } = scan;
  const product = { sku, productTitle, size };
  const scannedBy = { name: username };
  return {
    id: null,
    seq,
    order: seq,
    isUnknown: false,
    quantity,
    input: null,
    ...product,
    scannedAt,
    scannedBy,
  };
}

function unknownEntry({ seq, quantity = 1, input, scannedAt }: UnresolvedScan): TallyEntry {
  const product = { sku: null, productTitle: null, size: null };
  const scannedBy = null;
  return { id: null, seq, order: seq, isUnknown: true, quantity, input, ...product, scannedAt, scannedBy };
}

/** The server's entry with its row here. A row that an administrator accepted still calls itself unknown. */
function joined(entry: TallyEntry, row: PendingScan): TallyEntry {
  const own = entryOf(row);
  return own.isUnknown === entry.isUnknown
    ? own
    : { ...entry, id: own.id, order: own.order, input: own.input, scannedBy: own.scannedBy };
}

const byOrder = (left: TallyEntry, right: TallyEntry) => left.order - right.order;

/** What is known of a pass: this device's rows, and the server's list where it answered. */
export interface PassKnowledge<Listed = AreaScan> {
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
  /** This device's scans as the server lists them; null without an answer. */
  readonly server: readonly Listed[] | null;
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
export function rebuildTally(known: PassKnowledge): Tally {
  return rebuild({ ...known, server: known.server?.map(countedEntry) ?? null }, isCountedHere);
}

/** Rebuilds the unknown scans of the pass in the same way. */
export function rebuildUnknown(known: PassKnowledge<UnresolvedScan>): Tally {
  return rebuild({ ...known, server: known.server?.map(unknownEntry) ?? null }, isUnknownHere);
}

function rebuild(
  { scans, operations, server, settledBefore }: PassKnowledge<TallyEntry>,
  belongs: (scan: PendingScan) => boolean,
): Tally {
  const own = scans.filter(belongs);
  if (server === null) return own.map(entryOf).sort(byOrder);
  const undone = undoneSequences(operations);
  const rows = new Map(scans.map((scan) => [scan.seq, scan]));
  const settled = server.flatMap((entry): TallyEntry[] => {
    const row = rows.get(entry.seq);
    if (row?.undone === true || undone.has(entry.seq)) return [];
    return [row === undefined ? entry : joined(entry, row)];
  });
  const known = new Set(settled.map((entry) => entry.seq));
  const unheard = own.filter((scan) => !settledBefore.has(scan.id) && !known.has(scan.seq)).map(entryOf);
  return [...settled, ...unheard].sort(byOrder);
}

function isSame(left: TallyEntry, right: TallyEntry): boolean {
  return (
    left.seq === right.seq &&
    left.quantity === right.quantity &&
    left.sku === right.sku &&
    left.productTitle === right.productTitle &&
    left.size === right.size &&
    left.scannedAt === right.scannedAt
  );
}

/**
 * Takes a row as it now is: those that belong to the tally are in it once, others are not. Where that changes nothing, as with most
 * acknowledgements, it is the same tally, so that nothing is drawn again.
 */
export function applyRow(tally: Tally, scan: PendingScan, belongs = isCountedHere): Tally {
  const current = tally.find((entry) => entry.id === scan.id);
  if (!belongs(scan)) {
    return current === undefined ? tally : tally.filter((entry) => entry !== current);
  }
  const changed = entryOf(scan);
  if (current === undefined) return withEntry(tally, changed);
  return isSame(current, changed) ? tally : tally.map((entry) => (entry === current ? changed : entry));
}

/** Puts an entry where it was scanned: one that the server counted after all may be older than the last. */
export function withEntry(tally: Tally, entry: TallyEntry): Tally {
  const last = tally.at(-1);
  const grown = [...tally, entry];
  return last === undefined || last.order < entry.order ? grown : grown.sort(byOrder);
}

/** Units of one product. */
export function unitsOfSku(tally: Tally, sku: string): number {
  return tally.reduce((sum, entry) => (entry.sku === sku ? sum + entry.quantity : sum), 0);
}

/** What of it a person scanned: others may have counted with the device before. What nobody is named for is theirs. */
export function scannedBy(tally: Tally, who: { readonly userId: string; readonly username: string }): Tally {
  return tally.filter(
    ({ scannedBy: by }) => by === null || ("id" in by ? by.id === who.userId : by.name === who.username),
  );
}

/** The units that a person may change with ×N; null where there is nothing to change: an RFID tag is on one item. */
export function changeableUnits(entry: TallyEntry | undefined): number | null {
  if (entry === undefined || (entry.input !== null && readTag(entry.input) !== null)) return null;
  return entry.quantity;
}

/** The entry as it is by now: its number may be another since, where it has a row here. Undefined where it has gone. */
export function presentEntry(tally: Tally, { id, seq }: TallyEntry): TallyEntry | undefined {
  return tally.find((entry) => (id === null ? entry.seq === seq : entry.id === id));
}

export function hasRow(tally: Tally, id: number): boolean {
  return tally.some((entry) => entry.id === id);
}

export function withoutEntry(tally: Tally, entry: TallyEntry): Tally {
  return tally.filter((each) => each !== entry && (entry.id === null || each.id !== entry.id));
}

/** The undo of an entry of an area. */
export function undoOf({ id, seq }: TallyEntry, area: CountedArea) {
  return { kind: "undo", area, targetId: id, targetSeq: seq } as const;
}

/** The newest first, counted and set aside, as many as the screen shows. */
export function recentScans(tally: Tally, unknown: Tally = []): readonly TallyEntry[] {
  const last = -countingConstants.recentScans;
  if (unknown.length === 0) return tally.slice(last).reverse();
  return [...tally.slice(last), ...unknown.slice(last)].sort(byOrder).slice(last).reverse();
}
