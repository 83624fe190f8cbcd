import { parseArgs } from "node:util";
import { sql } from "kysely";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import { readOneMoment } from "../database/one-moment.ts";
import { createDatabase, type Database, type Transaction } from "../database/pool.ts";
import { openForCommand } from "../embedded-postgres/embedded-postgres.ts";
import { ConfigError } from "../kernel/config.ts";
import { countText, minuteText } from "../kernel/formats.ts";
import { generalChain } from "./chain.ts";
import { type ChainVerdict, verifyChain, verifyChains } from "./verify.ts";

export interface VerifyCommand {
  /** What follows the command. */
  readonly args: readonly string[];
  /** Throws an error with a message for the person at the shell. */
  readConfig(): { readonly databaseUrl: string | null; readonly dataDir: string };
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
}

/** A printed hash, and the session whose report or export it was printed on: its ID, or the end of it that pages show. */
interface PrintedHash {
  readonly session: string;
  readonly hash: string;
}

const usage = `Usage: npm run verify-audit -- [--session ID --hash HASH]
  ID    a session's, whole or its last 8 characters as the Sessions page shows them
  HASH  all 64 characters: Copy on the report, or the column Audit Hash of its CSV export
`;
const sessionForm = /^[0-9a-f-]{8,36}$/;
const hashForm = /^[0-9a-f]{64}$/;

/**
 * Proves the audit log, or names the first broken entry of each broken chain. Given a session and a hash that was
 * printed on its report or export, proves that the hash is of that session's chain. Changes nothing; returns the
 * exit code: 0 proven, 1 broken or not readable, 2 for arguments that make no sense.
 */
export async function runVerifyAudit(command: VerifyCommand): Promise<number> {
  const printed = readArguments(command.args);
  if (printed === "unusable") {
    command.errors.write(usage);
    return 2;
  }
  try {
    return (await verifyOnce(command, printed)) ? 0 : 1;
  } catch (error) {
    command.errors.write(`${explain(error)}\n`);
    return 1;
  }
}

function readArguments(args: readonly string[]): PrintedHash | null | "unusable" {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { session: { type: "string" }, hash: { type: "string" } },
    });
    if (values.session === undefined && values.hash === undefined) return null;
    const session = values.session?.trim().toLowerCase() ?? "";
    const hash = values.hash?.trim().toLowerCase() ?? "";
    return sessionForm.test(session) && hashForm.test(hash) ? { session, hash } : "unusable";
  } catch {
    // Unknown options and stray words: the usage lists what there is.
    return "unusable";
  }
}

async function verifyOnce(command: VerifyCommand, printed: PrintedHash | null): Promise<boolean> {
  const { connection, close } = await openForCommand(command.readConfig());
  try {
    const open = createDatabase(connection, { max: 1 });
    try {
      return await verifyAtOneMoment(open.database, command.output, printed);
    } finally {
      await open.close();
    }
  } finally {
    await close();
  }
}

function verifyAtOneMoment(
  database: Database,
  output: NodeJS.WritableStream,
  printed: PrintedHash | null,
): Promise<boolean> {
  return readOneMoment(database, async (transaction) => {
    await requireLog(transaction);
    return printed === null ? verifyAll(transaction, output) : findPrinted(transaction, output, printed);
  });
}

/** There is nothing to prove. The message is for the person at the shell. */
class NothingToProveError extends Error {
  override readonly name = "NothingToProveError";
}

async function requireLog(transaction: Transaction): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('audit_entries') is not null as found`.execute(transaction);
  if (rows[0]?.found === true) return;
  throw new NothingToProveError(
    "This database holds no audit log: no server of this release has worked on it yet. " +
      "Check DATABASE_URL or DATA_DIR, or start the server once.",
  );
}

async function verifyAll(transaction: Transaction, output: NodeJS.WritableStream): Promise<boolean> {
  let chains = 0;
  let broken = 0;
  for await (const verdict of verifyChains(transaction)) {
    chains += 1;
    if (!verdict.intact) broken += 1;
    output.write(`${sentenceOf(verdict)}\n`);
  }
  output.write(
    broken === 0
      ? `The audit log is whole: ${chains} ${chains === 1 ? "chain" : "chains"}.\n`
      : `The audit log was changed: ${broken} of ${chains} chains are broken.\n`,
  );
  await sayRestore(transaction, output);
  return broken === 0;
}

/** What was recorded between a backup and its restore is in no chain, and nothing in the chains shows that it was there. */
async function sayRestore(transaction: Transaction, output: NodeJS.WritableStream): Promise<void> {
  const { restoredAt, backupMadeAt } = await transaction
    .selectFrom("installation")
    .select(["restoredAt", "backupMadeAt"])
    .executeTakeFirstOrThrow();
  if (restoredAt === null || backupMadeAt === null) return;
  output.write(
    `The database was restored on ${minuteText(restoredAt)} to ${minuteText(backupMadeAt)}: what was recorded between is gone, and ` +
      "a hash that was printed then is in no entry.\n",
  );
}

/** Also of a session that is gone from the database and of one without a chain, so that neither passes for a mistyped ID. */
async function findSessionId(transaction: Transaction, ending: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id::text from sessions union select chain from audit_chains) known
    where id like ${`%${ending}`} limit 2`.execute(transaction);
  const [found, another] = rows;
  if (found !== undefined && another === undefined) return found.id;
  throw new NothingToProveError(
    found === undefined
      ? `This database has no session with the ID ${ending}. Check the ID, and DATABASE_URL or DATA_DIR.`
      : `Several sessions have an ID that ends with ${ending}. Give the whole ID: it is in the report's address.`,
  );
}

async function findPrinted(
  transaction: Transaction,
  output: NodeJS.WritableStream,
  { session, hash }: PrintedHash,
): Promise<boolean> {
  const sessionId = await findSessionId(transaction, session);
  let foundAt: number | null = null;
  const verdict = await verifyChain(transaction, sessionId, (row) => {
    if (row.hash === hash) foundAt = row.position;
  });
  output.write(`${sentenceOf(verdict)}\n`);
  output.write(
    foundAt === null
      ? "The printed hash is in no entry of it: the log is not the one that the hash was printed from.\n"
      : `The printed hash is that of entry ${foundAt}: up to there the log is as it was when the hash was printed.\n`,
  );
  if (foundAt === null) await sayRestore(transaction, output);
  return verdict.intact && foundAt !== null;
}

function sentenceOf(verdict: ChainVerdict): string {
  const name = verdict.chain === generalChain ? "No session" : `Session ${verdict.chain}`;
  if (!verdict.intact) return `${name}: BROKEN at entry ${verdict.position}: ${verdict.why}.`;
  const { length, lastHash } = verdict;
  return `${name}: ${countText(length, "entry", "entries")}, last hash ${lastHash ?? "none"}`;
}

function explain(error: unknown): string {
  const isSelfExplanatory = [ConfigError, DatabaseStartError, NothingToProveError].some(
    (kind) => error instanceof kind,
  );
  return isSelfExplanatory ? messageOf(error) : `The audit log could not be verified: ${messageOf(error)}`;
}
