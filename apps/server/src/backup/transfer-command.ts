import type { DatabaseConnection } from "../database/connection.ts";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import { openForCommand } from "../embedded-postgres/embedded-postgres.ts";
import { countText } from "../kernel/formats.ts";
import { whollyOrNotAtAll } from "./database-command.ts";
import { TransferError } from "./transfer-format.ts";
import type { TransferSummary } from "./transfer-out.ts";

export interface TransferCommand {
  readonly name: "backup" | "restore";
  /** What follows the command: the file. */
  readonly args: readonly string[];
  /** Throws an error with a message for the person at the shell. */
  readConfig(): { readonly databaseUrl: string | null; readonly dataDir: string };
  transfer(connection: DatabaseConnection, file: string): Promise<TransferSummary>;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
}

const afterRestore =
  "Shopify was not restored with it: no session of the backup is deployed or rolled back before it is compared with " +
  "Shopify's stock and released on its report. The dashboard names them.\n";

/** Runs a command from the shell and returns its exit code. */
export async function runTransfer(command: TransferCommand): Promise<number> {
  const [file, ...more] = command.args;
  if (file === undefined || more.length > 0) {
    command.errors.write(`Usage: npm run ${command.name} -- FILE\n`);
    return 2;
  }
  try {
    const { tables, rows } = await transferOnce(command, file);
    command.output.write(
      `The ${command.name} is done: ${countText(rows, "row", "rows")} of ${countText(tables, "table", "tables")}, ${file}\n`,
    );
    if (command.name === "restore") command.output.write(afterRestore);
    return 0;
  } catch (error) {
    command.errors.write(`${explain(command.name, error)}\n`);
    return 1;
  }
}

async function transferOnce(command: TransferCommand, file: string): Promise<TransferSummary> {
  const mayMake = command.name === "restore";
  const { connection, close } = await openForCommand(command.readConfig(), { mayMake });
  try {
    return await command.transfer(connection, file);
  } finally {
    await close();
  }
}

function explain(name: TransferCommand["name"], error: unknown): string {
  if (error instanceof TransferError || error instanceof DatabaseStartError) return error.message;
  if (name === "backup") return `The backup failed, and nothing was changed: ${messageOf(error)}`;
  return whollyOrNotAtAll("The restore", error);
}
