import type { StocktakeDatabase } from "../database/database.ts";
import {
  isSetAside,
  isUnsettled,
  type OperationRecord,
  type PendingOperation,
  type PendingScan,
  type ScanRecord,
} from "../database/records.ts";

/** A row that was read has its id; a missing one means the database is not what the page made. */
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

// Another request costs more than reading so many settled rows in between.
const nearby = 50;

/**
 * Where rows may be that are not settled for good: at the ids of those that were not, and from `end` on. So a long day's
 * rows are not read for every scan, whatever waits among them.
 */
function spansAround(unsettled: readonly number[], end: number): readonly Span[] {
  const spans: Span[] = [];
  for (const next of [...unsettled.map((id) => ({ from: id, to: id })), { from: end, to: upTo }]) {
    const last = spans.at(-1);
    if (last === undefined || next.from - last.to > nearby) spans.push(next);
    else spans[spans.length - 1] = { from: last.from, to: next.to };
  }
  return spans;
}

interface Readable<Row> {
  getAll(range: IDBKeyRange): Promise<Row[]>;
}

/** Reads the spans of one store: its unsettled rows in order, and where to look the next time. */
async function readSpans<Row extends (ScanRecord | OperationRecord) & { id?: number }>(
  store: Readable<Row>,
  spans: readonly Span[],
) {
  const found = await Promise.all(spans.map(({ from, to }) => store.getAll(IDBKeyRange.bound(from, to))));
  const rows = found.flat().map(withId);
  const unsettled = rows.filter(isUnsettled);
  const end = Math.max(spans.at(-1)?.from ?? 0, (rows.at(-1)?.id ?? 0) + 1);
  const next = spansAround(
    unsettled.map(({ id }) => id),
    end,
  );
  return { rows: unsettled.sort((left, right) => left.order - right.order), next };
}

/** Everything still to be sent, each list in order. */
export interface Unsettled {
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
}

/** Reads the outbox. One a tab: it remembers where everything is settled. */
export interface OutboxReader {
  unsettled(): Promise<Unsettled>;
  /** Forgets what it remembers: a row that was settled has been put back. */
  startOver(): void;
}

export function createOutboxReader(database: StocktakeDatabase): OutboxReader {
  let spans = { scans: everything, operations: everything };
  return {
    async unsettled() {
      // One look at both stores: a finish must not be seen without the scans before it (docs/SYNC.md, S9).
      const transaction = database.transaction(["pendingScans", "pendingSubmissions"]);
      const asked = spans;
      const [scans, operations] = await Promise.all([
        readSpans(transaction.objectStore("pendingScans"), asked.scans),
        readSpans(transaction.objectStore("pendingSubmissions"), asked.operations),
        transaction.done,
      ]);
      // Told to start over meanwhile, it does.
      if (spans === asked) spans = { scans: scans.next, operations: operations.next };
      return { scans: scans.rows, operations: operations.rows };
    },
    startOver() {
      spans = { scans: everything, operations: everything };
    },
  };
}

/** Rows that the server refused for good and that are still meant, oldest first. */
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

/** Scans that this device showed as counted and that wait for an administrator instead, newest first. */
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

/** This device's own rows of one pass of an area, in order: what a screen is rebuilt from after a reload. */
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
