import { rm } from "node:fs/promises";
import { join } from "node:path";
import { backUp, restoreShop } from "../../backup/backup.ts";
import type { DatabaseConnection } from "../../database/connection.ts";
import { createDatabase } from "../../database/pool.ts";
import { createEmptyDatabase, makeTemporaryFolder, type TestDatabase } from "../../database/testing.ts";

/** A backup's file, and how to remove it. */
export interface BackupFile {
  readonly file: string;
  remove(): Promise<void>;
}

export async function makeBackup(connection: DatabaseConnection): Promise<BackupFile> {
  const folder = await makeTemporaryFolder();
  const file = join(folder, "backup.gz");
  await backUp(connection, file);
  return { file, remove: () => rm(folder, { recursive: true }) };
}

/** A database of its own with what a backup holds. */
export async function restoreDatabase(file: string): Promise<TestDatabase> {
  const { connection, drop } = await createEmptyDatabase();
  await restoreShop(connection, file);
  const { database, pool, close } = createDatabase(connection, { max: 10 });
  return {
    ...{ database, pool, connection },
    drop: async () => {
      await close();
      await drop();
    },
  };
}
