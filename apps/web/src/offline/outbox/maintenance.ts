import { durable, type StocktakeDatabase } from "../database/database.ts";
import { isSetAside } from "../database/records.ts";
import { withId } from "./read.ts";

/** Puts everything that was set aside back in the queue, to be sent again in its original order. */
export async function retrySetAside(database: StocktakeDatabase): Promise<void> {
  const transaction = database.transaction(["pendingScans", "pendingSubmissions"], "readwrite", durable);
  const scans = transaction.objectStore("pendingScans");
  for (const scan of await scans.getAll()) if (isSetAside(scan)) await scans.put({ ...scan, refusal: null });
  const operations = transaction.objectStore("pendingSubmissions");
  for (const operation of await operations.getAll()) {
    if (isSetAside(operation)) await operations.put({ ...operation, refusal: null });
  }
  await transaction.done;
}

const retentionMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Deletes acknowledged rows after two days. A row that the server has not acknowledged is never deleted, nor a scan whose
 * undo it has not acknowledged: the undo is sent with the scan's number.
 */
export async function pruneOutbox(database: StocktakeDatabase, now: number): Promise<void> {
  const before = now - retentionMs;
  const transaction = database.transaction(["pendingScans", "pendingSubmissions"], "readwrite", durable);
  const scans = transaction.objectStore("pendingScans");
  const operations = transaction.objectStore("pendingSubmissions");
  const allOperations = (await operations.getAll()).map(withId);
  const needed = new Set(
    allOperations.flatMap((row) => (row.kind === "undo" && !row.synced ? [row.targetId] : [])),
  );
  const oldScans = await scans.index("timestamp").getAll(IDBKeyRange.upperBound(before, true));
  for (const { id, synced } of oldScans.map(withId)) {
    if (synced && !needed.has(id)) await scans.delete(id);
  }
  for (const { id, synced, createdAt } of allOperations) {
    if (synced && Date.parse(createdAt) < before) await operations.delete(id);
  }
  await transaction.done;
}
