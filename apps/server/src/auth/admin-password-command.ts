import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReadStream } from "node:tty";
import { NewPassword } from "@stocktake/contract";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import { MigrationError, migrate } from "../database/migrate.ts";
import { createDatabase } from "../database/pool.ts";
import { openForCommand, requireDatabase } from "../embedded-postgres/embedded-postgres.ts";
import { type Config, ConfigError } from "../kernel/config.ts";
import { type PasswordReset, resetAdminPassword } from "./admin-password.ts";
import { createPasswords } from "./passwords.ts";

/** Where a command reads from: a terminal, or whatever is piped into it. */
type CommandInput = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

export interface AdminPasswordCommand {
  /** Throws an error with a message for the person at the shell. */
  readConfig(): Pick<Config, "databaseUrl" | "dataDir">;
  readonly input: CommandInput;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
}

/**
 * Sets a new administrator's password: typed twice at the terminal, or piped in. It is no argument of the command,
 * because arguments stay in the shell's history and show in the list of processes. Returns the exit code.
 */
export async function runAdminPassword(command: AdminPasswordCommand): Promise<number> {
  try {
    const config = command.readConfig();
    await requireDatabase(config);
    const stored = await storePassword(config, await choosePassword(command));
    const { secondFactorsRemoved } = stored;
    command.output.write(
      stored.isFirst
        ? `There was no administrator yet in ${stored.databaseName}: no server has run on it. One was made, "admin", and has the ` +
            "password. If Stocktake has data elsewhere, nothing was changed there: check DATABASE_URL and DATA_DIR.\n"
        : "The administrator's password is set. Every admin login has ended: sign in with it.\n",
    );
    if (secondFactorsRemoved > 0) {
      command.output.write(
        "Every second factor was removed, the recovery codes too: the password alone signs in. Add them again in Settings.\n",
      );
    }
    return 0;
  } catch (error) {
    command.errors.write(`${explain(error)}\n`);
    return 1;
  }
}

/** The person at the terminal pressed Ctrl-C or Ctrl-D. */
class GivenUp extends Error {
  override readonly name = "GivenUp";
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

/**
 * Returns the lines that are piped in, one for each prompt where there are as many; or what is typed at the terminal,
 * where `show` prints each prompt. Throws GivenUp.
 */
async function readPassword(input: CommandInput, prompts: readonly string[], show: (line: string) => void) {
  if (input.isTTY !== true) return (await text(input)).replace(/\r?\n$/, "").split(/\r?\n/);
  return askHidden(input, prompts, show);
}

/** Without echo: readline edits the line on a terminal that discards its output. */
async function askHidden(
  input: CommandInput,
  prompts: readonly string[],
  show: (line: string) => void,
): Promise<string[]> {
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: discarded, terminal: true, historySize: 0 });
  const givenUp = new Promise<never>((_resolve, reject) => {
    lines.once("close", () => reject(new GivenUp("Nothing was changed.")));
  });
  try {
    const typed: string[] = [];
    for (const prompt of prompts) {
      show(prompt);
      typed.push(await Promise.race([lines.question(""), givenUp]));
      show("\n");
    }
    return typed;
  } finally {
    givenUp.catch(() => undefined);
    lines.close();
  }
}

async function storePassword(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  password: string,
): Promise<PasswordReset & { readonly databaseName: string }> {
  const { connection, name, close } = await openForCommand(config);
  try {
    await migrate(connection, { mayShare: true });
    const open = createDatabase(connection, { max: 1 });
    try {
      const reset = await resetAdminPassword(open.database, createPasswords(), password);
      return { ...reset, databaseName: name };
    } finally {
      await open.close();
    }
  } finally {
    await close();
  }
}

function explain(error: unknown): string {
  if (error instanceof UnusablePassword) return `${error.message}\nNothing was changed.`;
  const selfExplanatory = [GivenUp, ConfigError, DatabaseStartError, MigrationError];
  if (selfExplanatory.some((kind) => error instanceof kind)) return messageOf(error);
  return `The password was not changed: ${messageOf(error)}`;
}
