import { rm } from "node:fs/promises";
import { join } from "node:path";
import { backUp, restoreShop } from "../../backup/backup.ts";
import type { DatabaseConnection } from "../../database/connection.ts";
import { createTestDatabase, makeTemporaryFolder, type TestDatabase } from "../../database/testing.ts";

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

/** A database of its own with what a backup holds. It has its tables already, as making them is nothing of what is tested by it. */
export async function restoreDatabase(file: string): Promise<TestDatabase> {
  const restored = await createTestDatabase({ max: 10 });
  await restoreShop(restored.connection, file);
  return restored;
}
