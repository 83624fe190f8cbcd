import type { StocktakeDatabase } from "./database.ts";
import { createOutboxReader, readSetAside } from "./outbox-read.ts";

/** A file for a person to keep or send: every row that the server does not hold, as JSON. */
export interface QueueFile {
  readonly name: string;
  readonly text: string;
}

/** Reads what is not on the server, to be saved as a file before a device is handed in (docs/SYNC.md, S21). */
export async function exportQueue(
  database: StocktakeDatabase,
  deviceId: string,
  now: number,
): Promise<QueueFile> {
  const unsettled = await createOutboxReader(database).unsettled();
  const setAside = await readSetAside(database);
  const exportedAt = new Date(now).toISOString();
  return {
    name: `stocktake-queue-${exportedAt.slice(0, 19).replaceAll(":", "-")}.json`,
    text: JSON.stringify({ deviceId, exportedAt, unsent: unsettled, refused: setAside }, null, 2),
  };
}
