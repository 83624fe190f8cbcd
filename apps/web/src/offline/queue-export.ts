import type { StocktakeDatabase } from "./database.ts";
import { createOutboxReader, readSetAside } from "./outbox-read.ts";
import { queueFileMark } from "./queue-file.ts";
import type { PendingOperation } from "./records.ts";

/** A file for a person to keep or send: every row that the server does not hold, as JSON. */
export interface SavedQueue {
  readonly name: string;
  readonly text: string;
}

// The scan may have left the file's rows, and its number may have changed since the undo was made.
async function withPresentNumber(
  database: StocktakeDatabase,
  operation: PendingOperation,
): Promise<PendingOperation> {
  if (operation.kind !== "undo" || operation.targetId === null) return operation;
  const target = await database.get("pendingScans", operation.targetId);
  return target === undefined
    ? operation
    : { ...operation, targetSeq: target.seq, deviceId: target.deviceId };
}

/** Reads what is not on the server, to be saved as a file before a device is handed in (docs/SYNC.md, S21). */
export async function exportQueue(
  database: StocktakeDatabase,
  deviceId: string,
  now: number,
): Promise<SavedQueue> {
  const { scans, operations } = await createOutboxReader(database).unsettled();
  const refused = await readSetAside(database);
  const exportedAt = new Date(now).toISOString();
  const unsent = {
    scans,
    operations: await Promise.all(operations.map((operation) => withPresentNumber(database, operation))),
  };
  return {
    name: `stocktake-queue-${exportedAt.slice(0, 19).replaceAll(":", "-")}.json`,
    text: JSON.stringify({ ...queueFileMark, deviceId, exportedAt, unsent, refused }, null, 2),
  };
}
