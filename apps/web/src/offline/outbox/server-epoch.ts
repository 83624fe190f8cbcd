import { durable, type StocktakeDatabase } from "../database/database.ts";
import type { OperationRecord, ScanRecord } from "../database/records.ts";
import { isUnsettled } from "../database/records.ts";
import { readSettingIn, type SettingsReader, settings, writeSettingIn } from "../database/settings.ts";
import { oweReports } from "./queue-reports.ts";

/** Whether a response of `epoch` may settle rows. One that names none, from a server without epochs, may. */
export async function isCurrentEpoch(store: SettingsReader, epoch: string | null): Promise<boolean> {
  if (epoch === null) return true;
  const current = await readSettingIn(store, settings.serverEpoch);
  return current === null || current === epoch;
}

/** An undone scan whose undo is not here any more would count again. */
function isSentAgain(scan: ScanRecord & { id?: number }, undone: ReadonlySet<number | null>): boolean {
  return scan.synced && (!scan.undone || undone.has(scan.id ?? null));
}

/** The lost server had marked the scan's figure as in doubt; the restored one has lost the mark, and may count on. */
function wasAfterEnd({ kind, refusal }: OperationRecord): boolean {
  return kind === "undo" && refusal?.code === "SESSION_CLOSED";
}

/**
 * The operations to send again: those that the server carried out, and undos that it refused for a scan that was in no total
 * any more, because in the restored one it may be, or because the session had ended.
 */
function operationsToRepeat<Row extends OperationRecord & { id?: number }>(
  operations: readonly Row[],
  undoneScans: ReadonlySet<number>,
): Row[] {
  return operations.filter((row) => {
    if (row.answer?.kind === "none") return false;
    const isOfUndoneScan = row.kind === "undo" && row.targetId !== null && undoneScans.has(row.targetId);
    return row.synced || (row.refusal !== null && isOfUndoneScan) || wasAfterEnd(row);
  });
}

const toBeSent = {
  synced: false,
  syncedAt: null,
  refusal: null,
  declined: undefined,
  isResent: true,
} as const;

/**
 * Notes that a server of another epoch responds, and puts everything that the one before had acknowledged back in the queue,
 * in one transaction (docs/SYNC.md, S30). Returns how many rows that were; null where the epoch was known already.
 */
export async function adoptEpoch(
  database: StocktakeDatabase,
  epoch: string,
  now: string,
): Promise<number | null> {
  const stores = ["settings", "pendingScans", "pendingSubmissions"] as const;
  const transaction = database.transaction(stores, "readwrite", durable);
  const store = transaction.objectStore("settings");
  const known = await readSettingIn(store, settings.serverEpoch);
  if (known === epoch) return null;
  const scans = transaction.objectStore("pendingScans");
  const operations = transaction.objectStore("pendingSubmissions");
  const [allScans, allOperations] = await Promise.all([scans.getAll(), operations.getAll()]);
  const undoneScans = new Set(allScans.flatMap(({ id, undone }) => (undone && id !== undefined ? [id] : [])));
  const repeated = operationsToRepeat(allOperations, undoneScans);
  const undos = allOperations.filter((row) => repeated.includes(row) || isUnsettled(row));
  const undone = new Set(undos.flatMap((row) => (row.kind === "undo" ? [row.targetId] : [])));
  const resent = allScans.filter((scan) => isSentAgain(scan, undone));
  for (const scan of resent) {
    const isUndone = scan.undone || undone.has(scan.id ?? null);
    await scans.put({ ...scan, ...toBeSent, undone: isUndone });
  }
  for (const operation of repeated)
    await operations.put({ ...operation, ...toBeSent, isLeft: false, isRead: false, isTakenBack: false });
  const rows = resent.length + repeated.length;
  await oweReports(store, [...resent, ...repeated], now);
  await writeSettingIn(store, settings.serverEpoch, epoch, now);
  // A device that has only just learned of epochs can't tell a restore from a new version of the server.
  if (known !== null && rows > 0) await writeSettingIn(store, settings.restored, { at: now, rows }, now);
  await transaction.done;
  return rows;
}
