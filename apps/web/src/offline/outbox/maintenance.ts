import { refusedForGood } from "@stocktake/contract";
import { durable, type StocktakeDatabase } from "../database/database.ts";
import {
  isOfNoCount,
  isSetAside,
  type OperationRecord,
  type PendingScan,
  type ScanRecord,
} from "../database/records.ts";
import { readSetAside, type SetAside, withId } from "./read.ts";
import { endsCounting, isOfCountBegunBy } from "./settle.ts";

function isEndedBy(row: OperationRecord): boolean {
  return row.kind === "reset" && endsCounting.has(row.refusal?.code ?? "");
}

/** Refused because the area was others' or the count over, or made in the count that a reset was to begin which was refused so. */
function isOfCountNotBegun(row: OperationRecord, all: readonly OperationRecord[]): boolean {
  if (row.refusal?.code === "AREA_ASSIGNED" || isEndedBy(row) || isOfNoCount(row)) return true;
  // A release of before left such rows in the pass that the reset expected.
  return all.some((reset) => reset.kind === "reset" && isEndedBy(reset) && isOfCountBegunBy(reset, row));
}

/**
 * Puts everything that was set aside back in the queue, to be sent again in its original order. A reset or a finish of an area that was others'
 * is not, nor a reset that came too late: it would void what was counted since. It is taken for read.
 */
export async function retrySetAside(database: StocktakeDatabase): Promise<void> {
  const transaction = database.transaction(["pendingScans", "pendingSubmissions"], "readwrite", durable);
  const scans = transaction.objectStore("pendingScans");
  for (const scan of await scans.getAll()) if (isSetAside(scan)) await scans.put({ ...scan, refusal: null });
  const operations = transaction.objectStore("pendingSubmissions");
  const all = await operations.getAll();
  for (const operation of all.filter(isSetAside)) {
    await operations.put({
      ...operation,
      ...(isOfCountNotBegun(operation, all) ? { isRead: true } : { refusal: null }),
    });
  }
  await transaction.done;
}

function isSetAsideTooEarly(scan: ScanRecord): boolean {
  return scan.refusal !== null && isSetAside(scan) && !refusedForGood.has(scan.refusal.httpStatus);
}

/**
 * Reads what is set aside. Scans that a release of before set aside by a status that says nothing of them (docs/SYNC.md, S13) are put back
 * in the queue first: a total behind them would go without them, and void the pass. Returns how many these were, too.
 */
export async function openSetAside(database: StocktakeDatabase): Promise<SetAside & { putBack: number }> {
  const { scans, operations } = await readSetAside(database);
  const early = scans.filter(isSetAsideTooEarly);
  if (early.length === 0) return { scans, operations, putBack: 0 };
  const transaction = database.transaction("pendingScans", "readwrite", durable);
  for (const { id } of early) {
    // Another tab may have sent it meanwhile.
    const scan = await transaction.store.get(id);
    if (scan !== undefined && isSetAsideTooEarly(scan))
      await transaction.store.put({ ...scan, refusal: null });
  }
  await transaction.done;
  return { scans: scans.filter((scan) => !early.includes(scan)), operations, putBack: early.length };
}

/** A person has read why these operations were refused. */
export async function markRead(database: StocktakeDatabase, ids: readonly number[]): Promise<void> {
  const transaction = database.transaction("pendingSubmissions", "readwrite", durable);
  for (const id of ids) {
    const operation = await transaction.store.get(id);
    if (operation !== undefined) await transaction.store.put({ ...operation, isRead: true });
  }
  await transaction.done;
}

/**
 * How long, and how many at most, acknowledged rows are kept for a server that is restored from a backup (docs/SYNC.md, S27,
 * S30): the days in which a session still takes late scans, and about a kilobyte each.
 */
export const retention = { days: 14, rows: 20_000 } as const;

type Retention = Readonly<Record<keyof typeof retention, number>>;

const dayMs = 24 * 60 * 60 * 1000;

/** The acknowledged rows beyond the bound, oldest first. */
function beyondBound<Row extends { readonly order: number }>(
  acknowledged: readonly Row[],
  rows: number,
): Row[] {
  const excess = acknowledged.length - rows;
  if (excess <= 0) return [];
  return [...acknowledged].sort((left, right) => left.order - right.order).slice(0, excess);
}

/**
 * Deletes acknowledged rows after {@link retention}, counted from the acknowledgement: the device's clock may have been wrong when the row
 * was made. `now` is the server's time; where that is not known (null), nothing is deleted for its age. A row that the server has not acknowledged is never deleted, nor a scan
 * whose undo it has not acknowledged: the undo is sent with the scan's number.
 */
export async function pruneOutbox(
  database: StocktakeDatabase,
  now: number | null,
  { days, rows }: Retention = retention,
): Promise<void> {
  const before = (now ?? Number.NEGATIVE_INFINITY) - days * dayMs;
  const isOld = ({ syncedAt, createdAt }: Pick<PendingScan, "syncedAt" | "createdAt">) =>
    Date.parse(syncedAt ?? createdAt) < before;
  const transaction = database.transaction(["pendingScans", "pendingSubmissions"], "readwrite", durable);
  const scans = transaction.objectStore("pendingScans");
  const operations = transaction.objectStore("pendingSubmissions");
  const allOperations = (await operations.getAll()).map(withId);
  const needed = new Set(
    allOperations.flatMap((row) => (row.kind === "undo" && !row.synced ? [row.targetId] : [])),
  );
  const settled = (await scans.getAll()).map(withId).filter(({ id, synced }) => synced && !needed.has(id));
  const acknowledged = [...settled, ...allOperations.filter(({ synced }) => synced)];
  const kept = acknowledged.filter((row) => !isOld(row));
  for (const row of [...acknowledged.filter(isOld), ...beyondBound(kept, rows)])
    await ("input" in row ? scans : operations).delete(row.id);
  await transaction.done;
}
