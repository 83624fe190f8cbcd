import { NewPassword } from "@stocktake/contract";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import { MigrationError, migrate } from "../database/migrate.ts";
import { createDatabase } from "../database/pool.ts";
import { openForCommand } from "../embedded-postgres/embedded-postgres.ts";
import { type Config, ConfigError } from "../kernel/config.ts";
import { resetAdminPassword } from "./admin-password.ts";
import { type CommandInput, GivenUp, readPassword } from "./ask-password.ts";
import { createPasswords } from "./passwords.ts";

export interface AdminPasswordCommand {
  /** Throws an error with a message for the person at the shell. */
  readConfig(): Pick<Config, "databaseUrl" | "dataDir">;
  readonly input: CommandInput;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
}

/**
 * Sets a new administrator's password: typed twice at the terminal, or piped in. It is no argument of the command,
 * because arguments stay in the shell's history and show in the list of processes. Answers with the exit code.
 */
export async function runAdminPassword(command: AdminPasswordCommand): Promise<number> {
  try {
    const config = command.readConfig();
    await storePassword(config, await choosePassword(command));
    command.output.write(
      "The administrator's password is set. Every admin login has ended: sign in with it.\n",
    );
    return 0;
  } catch (error) {
    command.errors.write(`${explain(error)}\n`);
    return 1;
  }
}

class UnusablePassword extends Error {
  override readonly name = "UnusablePassword";
}

async function choosePassword({ input, errors }: AdminPasswordCommand): Promise<string> {
  const prompts = ["New admin password: ", "The same again: "];
  const [password = "", again = password] = await readPassword(input, prompts, (line) => errors.write(line));
  if (again !== password) throw new UnusablePassword("New passwords do not match");
  const checked = NewPassword.safeParse(password);
  if (!checked.success)
    throw new UnusablePassword(checked.error.issues[0]?.message ?? "Choose another password.");
  return password;
}

async function storePassword(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  password: string,
): Promise<void> {
  const { connection, close } = await openForCommand(config);
  try {
    await migrate(connection);
    const open = createDatabase(connection, { max: 1 });
    try {
      await resetAdminPassword(open.database, createPasswords(), password);
    } finally {
      await open.close();
    }
  } finally {
    await close();
  }
}

function explain(error: unknown): string {
  if (error instanceof UnusablePassword) return `${error.message}\nNothing was changed.`;
  const speaksForItself = [GivenUp, ConfigError, DatabaseStartError, MigrationError];
  if (speaksForItself.some((kind) => error instanceof kind)) return messageOf(error);
  return `The password was not changed: ${messageOf(error)}`;
}
