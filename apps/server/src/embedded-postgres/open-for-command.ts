import type { DatabaseConnection } from "../database/connection.ts";
import { openEmbeddedPostgres } from "./embedded.ts";

/** The database that a command beside the server works on, and what ends the work. */
export interface CommandDatabase {
  readonly connection: DatabaseConnection;
  close(): Promise<void>;
}

/**
 * The shared server at `databaseUrl`, or else the embedded database of `dataDir`, whether its server runs or not.
 * Throws DatabaseStartError.
 */
export async function openForCommand(config: {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}): Promise<CommandDatabase> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, close: () => Promise.resolve() };
  }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir: config.dataDir });
  return { connection, close: stop };
}
