import type { StocktakeDatabase } from "../database/database.ts";
import {
  declinesUntilHeld,
  isLost,
  isSetAside,
  isUndoRefused,
  isUnsettled,
  type OperationRecord,
  type PendingOperation,
  type PendingScan,
  type Refusal,
  type ScanRecord,
} from "../database/records.ts";

/** A stored row always has its id; without one the database was not written by this app. */
export function withId<Row extends { id?: number }>(row: Row): Row & { readonly id: number } {
  const { id } = row;
  if (id === undefined) throw new Error("A row of the outbox has no id.");
  return { ...row, id };
}

/** Ids from one to another, both included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const upTo = Number.POSITIVE_INFINITY;
const everything: readonly Span[] = [{ from: 0, to: upTo }];

// Another request costs more than reading this many settled rows in between.
const mergeDistance = 50;

/**
 * Where unsettled rows may be: at the ids of those that were unsettled, and from `end` on. So a long day's rows are not
 * read for every scan, whatever is waiting among them.
 */
function spansAround(unsettled: readonly number[], end: number): readonly Span[] {
  const spans: Span[] = [];
  for (const next of [...unsettled.map((id) => ({ from: id, to: id })), { from: end, to: upTo }]) {
    const last = spans.at(-1);
    if (last === undefined || next.from - last.to > mergeDistance) spans.push(next);
    else spans[spans.length - 1] = { from: last.from, to: next.to };
  }
  return spans;
}

interface Readable<Row> {
  getAll(range: IDBKeyRange): Promise<Row[]>;
}

/** Reads the spans of one store: its unsettled rows in order, what a restored server refused, and which spans to read the next time. */
async function readSpans<Row extends (ScanRecord | OperationRecord) & { id?: number }>(
  store: Readable<Row>,
  spans: readonly Span[],
) {
  const found = await Promise.all(spans.map(({ from, to }) => store.getAll(IDBKeyRange.bound(from, to))));
  const rows = found.flat().map(withId);
  const end = Math.max(spans.at(-1)?.from ?? 0, (rows.at(-1)?.id ?? 0) + 1);
  const next = spansAround(
    rows.filter((row) => isUnsettled(row) || isLost(row)).map(({ id }) => id),
    end,
  );
  const unsettled = rows.filter(isUnsettled).sort((left, right) => left.order - right.order);
  return { rows: unsettled, refused: rows.filter(isLost), next };
}

/** Everything still to be sent, each list in order. */
export interface Unsettled {
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
}

/** All that only this device has. */
export interface Held extends Unsettled {
  /** The server had these scans before it was restored, and refuses them now. */
  readonly refused: readonly PendingScan[];
}

/** Reads the outbox. One per tab: it remembers where everything is settled. */
export interface OutboxReader {
  unsettled(): Promise<Held>;
  /** Forgets what it remembers: a settled row has been put back. */
  startOver(): void;
}

export function createOutboxReader(database: StocktakeDatabase): OutboxReader {
  let spans = { scans: everything, operations: everything };
  return {
    async unsettled() {
      // One transaction for both stores: a finish must not be read without the scans before it (docs/SYNC.md, S9).
      const transaction = database.transaction(["pendingScans", "pendingSubmissions"]);
      const before = spans;
      const [scans, operations] = await Promise.all([
        readSpans(transaction.objectStore("pendingScans"), before.scans),
        readSpans(transaction.objectStore("pendingSubmissions"), before.operations),
        transaction.done,
      ]);
      // `startOver` may have been called meanwhile.
      if (spans === before) spans = { scans: scans.next, operations: operations.next };
      return { scans: scans.rows, operations: operations.rows, refused: scans.refused };
    },
    startOver() {
      spans = { scans: everything, operations: everything };
    },
  };
}

/**
 * An operation as it is known without its scan; null for the undo of a scan that the server has refused, whose number may be another's
 * there. The number of an undo's scan may have changed since the undo was written.
 */
async function withoutItsScan(
  database: StocktakeDatabase,
  operation: PendingOperation,
): Promise<PendingOperation | null> {
  if (operation.kind !== "undo" || operation.targetId === null) return operation;
  const target = await database.get("pendingScans", operation.targetId);
  if (target === undefined) return operation;
  return target.refusal === null ? { ...operation, targetSeq: target.seq, deviceId: target.deviceId } : null;
}

/** Operations for a place where the scans that they undo may not be: a file, or storage that was emptied. */
export async function withoutTheirScans(
  database: StocktakeDatabase,
  operations: readonly PendingOperation[],
): Promise<PendingOperation[]> {
  const known = await Promise.all(operations.map((operation) => withoutItsScan(database, operation)));
  return known.filter((operation) => operation !== null);
}

/** Rows that the server refused permanently and that were not undone since, oldest first. */
export interface SetAside {
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
}

export async function readSetAside(database: StocktakeDatabase): Promise<SetAside> {
  const [scans, operations] = await Promise.all([
    database.getAll("pendingScans"),
    database.getAll("pendingSubmissions"),
  ]);
  return {
    scans: scans.map(withId).filter(isSetAside),
    operations: operations.map(withId).filter(isSetAside),
  };
}

/** Scans that this device showed as counted but that wait for an administrator, newest first. */
export async function readNotCounted(database: StocktakeDatabase): Promise<PendingScan[]> {
  const scans = await database.getAll("pendingScans");
  return scans
    .map(withId)
    .filter(({ acknowledgement, localOutcome, undone }) => {
      const isOpen = acknowledgement?.status === "late" || acknowledgement?.status === "unresolved";
      return isOpen && localOutcome === "counted" && !undone;
    })
    .reverse();
}

/** This device's own rows of one pass of an area, in order, from which a screen is rebuilt after a reload. */
export async function readPass(
  database: StocktakeDatabase,
  sessionId: string,
  areaId: string,
  pass: number,
): Promise<SetAside> {
  const [scans, operations] = await Promise.all([
    database.getAll("pendingScans"),
    database.getAll("pendingSubmissions"),
  ]);
  const belongs = (row: { sessionId: string; areaId: string; pass: number }) =>
    row.sessionId === sessionId && row.areaId === areaId && row.pass === pass;
  return {
    scans: scans.map(withId).filter(belongs),
    operations: operations.map(withId).filter(belongs),
  };
}

/** This device's scans of a session that were not undone, in every area and pass. */
export async function readSession(database: StocktakeDatabase, sessionId: string): Promise<PendingScan[]> {
  const scans = await database.getAll("pendingScans");
  return scans.map(withId).filter((scan) => scan.sessionId === sessionId && !scan.undone);
}

/** A row that the server would not take when it was last sent, and how many rows of its area wait behind it. */
export interface Declined {
  readonly row: PendingScan | PendingOperation;
  readonly refusal: Refusal;
  readonly behind: number;
  /** It was declined so often that only its own area waits. */
  readonly isHeld: boolean;
}

/** What keeps its area waiting (docs/SYNC.md, S32), one for each area, oldest first. */
export async function readDeclined(database: StocktakeDatabase): Promise<Declined[]> {
  const { scans, operations } = await createOutboxReader(database).unsettled();
  const areas = new Map<string, Declined>();
  const rows = [...scans, ...operations].sort((left, right) => left.order - right.order);
  for (const row of rows) {
    const { sessionId, areaId, order, declined } = row;
    const area = `${sessionId} ${areaId}`;
    if (declined === undefined || areas.has(area)) continue;
    const waits = (other: PendingScan | PendingOperation) =>
      other.sessionId === sessionId && other.areaId === areaId && other.order > order;
    const behind = rows.filter(waits).length;
    areas.set(area, { row, refusal: declined.refusal, behind, isHeld: declined.times >= declinesUntilHeld });
  }
  return [...areas.values()];
}

/** The undos that were refused and that nobody has read of yet, oldest first. */
export async function readRefusedUndos(database: StocktakeDatabase): Promise<PendingOperation[]> {
  const operations = await database.getAll("pendingSubmissions");
  return operations.map(withId).filter((row) => isUndoRefused(row) && row.isRead !== true);
}

/** How many rows are still to be sent again since the server was restored (docs/SYNC.md, S30). */
export async function readResent(database: StocktakeDatabase): Promise<number> {
  const [scans, operations] = await Promise.all([
    database.getAll("pendingScans"),
    database.getAll("pendingSubmissions"),
  ]);
  return [...scans, ...operations].filter((row) => row.isResent === true && isUnsettled(row)).length;
}

/** The resets and finishes that were not made again after the server was restored (docs/SYNC.md, S31). */
export async function readLeft(database: StocktakeDatabase): Promise<PendingOperation[]> {
  const operations = await database.getAll("pendingSubmissions");
  return operations.map(withId).filter(({ isLeft }) => isLeft === true);
}
