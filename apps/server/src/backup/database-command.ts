import type { DatabaseConnection } from "../database/connection.ts";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import { MigrationError } from "../database/migrate.ts";
import { openForCommand } from "../embedded-postgres/embedded-postgres.ts";
import { ConfigError } from "../kernel/config.ts";
import { TransferError } from "./transfer-format.ts";

interface CommandConfig {
  readonly databaseUrl: string | null;
  readonly databaseDirectUrl?: string | null;
  readonly dataDir: string;
}

/** A command from the shell that works on the database in one transaction. */
export interface DatabaseCommand {
  /** What follows the command. */
  readonly args: readonly string[];
  /** Throws an error with a message for the person at the shell. */
  readConfig(): CommandConfig;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
}

interface Opened {
  readonly connection: DatabaseConnection;
  /** What the database is called to the person at the shell. */
  readonly name: string;
}

/** Opens the database for `work` and says what failed, which is named by `what`. Returns the exit code: 0 done, 1 refused or failed. */
export async function runOnDatabase(
  command: DatabaseCommand,
  what: string,
  work: (opened: Opened, config: CommandConfig) => Promise<unknown>,
): Promise<number> {
  try {
    const config = command.readConfig();
    const { close, ...opened } = await openForCommand(config);
    try {
      await work(opened, config);
    } finally {
      await close();
    }
    return 0;
  } catch (error) {
    const isSelfExplanatory = [TransferError, DatabaseStartError, MigrationError, ConfigError].some(
      (kind) => error instanceof kind,
    );
    command.errors.write(`${isSelfExplanatory ? messageOf(error) : whollyOrNotAtAll(what, error)}\n`);
    return 1;
  }
}

/** A connection that breaks at the very end leaves open which of the two it was. */
export function whollyOrNotAtAll(what: string, error: unknown): string {
  return `${what} failed: ${messageOf(error)}. It was done wholly or not at all: run it again, and it says which.`;
}

/** What was done to a database that no server has worked on: nothing. */
export function emptyDatabase(): TransferError {
  return new TransferError(
    "This database is empty: no server has worked on it yet. Nothing was changed. Check DATABASE_URL or DATA_DIR.",
  );
}
