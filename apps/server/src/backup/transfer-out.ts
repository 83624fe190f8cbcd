import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyToStdout } from "pg-copy-streams";
import type { DatabaseConnection } from "../database/connection.ts";
import { writeWhole } from "./new-file.ts";
import {
  type BackupTrailer,
  backupFormat,
  endOfRows,
  formatVersion,
  TransferError,
} from "./transfer-format.ts";
import {
  type CopiedTable,
  copyTarget,
  inOneTransaction,
  readAppliedMigrations,
  readTables,
} from "./transfer-schema.ts";

/** What went into a file or came out of it. */
export interface TransferSummary {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Writes every table but what opens something, as of one moment, to `file`, while the server goes on. The file appears, or is replaced, when it
 * is whole and on the disk; only its owner may read it, for it holds names and addresses.
 */
export async function backUp(connection: DatabaseConnection, file: string): Promise<TransferSummary> {
  const rowCounts: Record<string, number> = {};
  await writeWhole(file, ({ handle }) =>
    inOneTransaction(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", (client) =>
      // Flushed before it is closed: the name below must never name bytes that a power cut takes away.
      pipeline(
        Readable.from(writeBackup(client, rowCounts)),
        createGzip(),
        handle.createWriteStream({ flush: true }),
      ),
    ),
  );
  const counts = Object.values(rowCounts);
  return { tables: counts.length, rows: counts.reduce((sum, count) => sum + count, 0) };
}

async function readSequences(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'",
  );
  const sequences: { name: string; value: string; isCalled: boolean }[] = [];
  for (const { name } of rows) {
    const state = await client.query<{ value: string; isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${pg.escapeIdentifier(name)}`,
    );
    for (const { value, isCalled } of state.rows) sequences.push({ name, value, isCalled });
  }
  return sequences;
}

async function* writeBackup(
  client: pg.Client,
  rowCounts: Record<string, number>,
): AsyncGenerator<string | Buffer> {
  const migrations = await readAppliedMigrations(client);
  if (migrations.length === 0) throw new TransferError("The database is empty: there is nothing to back up.");
  yield line({
    format: backupFormat,
    formatVersion: formatVersion,
    madeAt: (await readTime(client)).toISOString(),
    migrations,
  });
  for (const table of (await readTables(client)).map(savedColumns)) {
    yield line({ table: table.name, columns: table.columns });
    let rows = 0;
    for await (const chunk of client.query(copyToStdout(`COPY ${sourceOf(table)} TO STDOUT`))) {
      rows += countLines(chunk);
      yield chunk;
    }
    rowCounts[table.name] = rows;
    yield `${endOfRows}\n`;
  }
  const trailer: BackupTrailer = { rows: rowCounts, sequences: await readSequences(client) };
  yield line(trailer);
}

/**
 * Rows that whoever finds a backup could use: links by which anybody joins a session, and the secrets of draws that are still to
 * come (docs/SAMPLES.md), which could be foreseen, or repeated elsewhere until the outcome pleases.
 */
const rowsNeverSaved: ReadonlySet<string> = new Set(["outbox_mails", "sample_secrets"]);

/**
 * With the key of browsers' marks anybody could be a known browser. Where it is missing, restoring makes another one; a schema
 * that this release has not migrated yet identifies rows of files by the same key, and keeps it.
 */
function savedColumns({ name, columns }: CopiedTable): CopiedTable {
  const isApart = name === "installation" && columns.includes("row_key");
  return { name, columns: isApart ? columns.filter((column) => column !== "mark_key") : columns };
}

function sourceOf(table: CopiedTable): string {
  if (!rowsNeverSaved.has(table.name)) return copyTarget(table);
  return `(SELECT ${table.columns.map((column) => pg.escapeIdentifier(column)).join(", ")}
    FROM ${pg.escapeIdentifier(table.name)} WHERE false)`;
}

/** The database's time, which a restored server compares with others of its times, however this machine's clock is set. */
async function readTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not say what time it is.");
  return row.now;
}

/** COPY's text format has one row a line, and no line break within a row. */
function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", at + 1)) count += 1;
  return count;
}

function line(content: object): string {
  return `${JSON.stringify(content)}\n`;
}
