import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFromStdin } from "pg-copy-streams";
import type { DatabaseConnection } from "../database/connection.ts";
import { messageOf } from "../database/errors.ts";
import {
  type Migration,
  MigrationError,
  migrate,
  migrateWithin,
  readMigrations,
} from "../database/migrate.ts";
import {
  type BackupHeader,
  type BackupTrailer,
  damaged,
  formatVersion,
  headerSchema,
  type LineReader,
  sectionSchema,
  type TableSection,
  TransferError,
  withLines,
} from "./transfer-format.ts";
import type { TransferSummary } from "./transfer-out.ts";
import {
  type CopiedTable,
  copyTarget,
  holdsOwnRows,
  inOneTransaction,
  readTables,
} from "./transfer-schema.ts";

/**
 * Fills an empty database from a backup file, wholly or not at all, and brings it up to this release's schema; a
 * backup of an earlier release is as good. Throws TransferError where the file is damaged or of a newer release, or
 * the database already holds something. `finish` does in the same transaction what is left to do with the rows, which
 * fit this release's schema by then.
 */
export async function restore(
  connection: DatabaseConnection,
  file: string,
  migrations?: readonly Migration[],
  finish: (client: pg.Client, header: BackupHeader) => Promise<unknown> = () => Promise.resolve(),
): Promise<TransferSummary> {
  const known = migrations ?? (await readMigrations());
  return withLines(file, async (lines) => {
    const header = readHeader(await lines.next());
    await prepareSchema(connection, migrationsOf(header, known));
    return await inOneTransaction(connection, "BEGIN", async (client) => {
      const filled = await fill(client, lines);
      await migrateWithin(client, known);
      await finish(client, header);
      return filled;
    });
  });
}

function readHeader(line: string | undefined): BackupHeader {
  const header = headerSchema.safeParse(parseJson(line));
  if (!header.success) throw damaged("it does not begin like one");
  if (header.data.formatVersion > formatVersion) throw tooNew(header.data);
  return header.data;
}

function parseJson(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? "");
  } catch (error) {
    throw damaged("a line of its own is unreadable", error);
  }
}

/** Those of our migrations that the backup's rows fit. */
function migrationsOf(header: BackupHeader, known: readonly Migration[]): readonly Migration[] {
  for (const { version, checksum } of header.migrations) {
    if (known.find((migration) => migration.version === version)?.checksum !== checksum) throw tooNew(header);
  }
  return known.slice(0, header.migrations.length);
}

function tooNew(header: BackupHeader): TransferError {
  return new TransferError(
    `The backup of ${header.madeAt} was made by a newer release of Stocktake, or by another build of it. ` +
      "Nothing was restored. Restore it with the release that made it, or a later one.",
  );
}

async function prepareSchema(
  connection: DatabaseConnection,
  migrations: readonly Migration[],
): Promise<void> {
  try {
    await migrate(connection, { migrations });
  } catch (error) {
    if (error instanceof MigrationError) throw notEmpty("its schema is newer than the backup's", error);
    throw error;
  }
}

function notEmpty(why: string, cause?: unknown): TransferError {
  return new TransferError(
    `A backup is restored into an empty database only, and this one is not: ${why}. Nothing was changed. ` +
      "Set DATA_DIR to a new folder, or DATABASE_URL to a new, empty database, and restore there.",
    { cause },
  );
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  /** As `ALTER TABLE … ADD CONSTRAINT` takes it. */
  readonly definition: string;
}

async function readForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`,
  );
  return rows;
}

async function fill(client: pg.Client, lines: LineReader): Promise<TransferSummary> {
  const tables = await readTables(client);
  await emptyTables(client, tables);
  // As the tables refer to each other in circles, the references are put back, and so checked, when all are full.
  const foreignKeys = await readForeignKeys(client);
  for (const { table, name } of foreignKeys)
    await alter(client, table, `DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  for (const { name } of tables) await alter(client, name, "DISABLE TRIGGER USER");
  const rowCounts = await copySections(client, lines, tables);
  for (const { name } of tables) await alter(client, name, "ENABLE TRIGGER USER");
  for (const { table, name, definition } of foreignKeys) {
    await alter(client, table, `ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`);
  }
  await client.query("ANALYZE");
  return { tables: rowCounts.size, rows: [...rowCounts.values()].reduce((sum, count) => sum + count, 0) };
}

async function alter(client: pg.Client, table: string, change: string): Promise<void> {
  await client.query(`ALTER TABLE ${pg.escapeIdentifier(table)} ${change}`);
}

/** Takes the tables for us alone, makes sure that nobody has used them, and removes what migrations put there. */
async function emptyTables(client: pg.Client, tables: readonly CopiedTable[]): Promise<void> {
  const all = tables.map(({ name }) => pg.escapeIdentifier(name)).join(", ");
  await client.query(`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`);
  for (const { name } of tables) {
    if (await holdsOwnRows(client, name)) throw notEmpty(`its table ${name} holds rows`);
  }
  await client.query(`TRUNCATE ${all}`);
}

/** Copies table after table up to the trailer, which must agree. Answers with the number of rows of each. */
async function copySections(client: pg.Client, lines: LineReader, tables: readonly CopiedTable[]) {
  const rowCounts = new Map<string, number>();
  for (;;) {
    const section = sectionSchema.safeParse(parseJson(await lines.next()));
    if (!section.success) throw damaged("a part of it is unreadable");
    if ("rows" in section.data) {
      await finish(client, section.data, rowCounts, tables);
      return rowCounts;
    }
    rowCounts.set(section.data.table, await copyRows(client, lines, section.data, tables));
  }
}

async function copyRows(
  client: pg.Client,
  lines: LineReader,
  { table, columns }: TableSection,
  tables: readonly CopiedTable[],
): Promise<number> {
  const known = tables.find(({ name }) => name === table);
  if (known === undefined || !columns.every((column) => known.columns.includes(column))) {
    throw damaged(`it holds a table ${table} that does not fit`);
  }
  let count = 0;
  async function* batches(): AsyncGenerator<Buffer> {
    for await (const batch of lines.rows()) {
      count += batch.length;
      yield Buffer.concat(batch);
    }
  }
  const input = client.query(copyFromStdin(`COPY ${copyTarget({ name: table, columns })} FROM STDIN`));
  await pipeline(Readable.from(batches()), input).catch((error) => {
    throw error instanceof TransferError ? error : damaged(`table ${table}: ${messageOf(error)}`, error);
  });
  return count;
}

async function finish(
  client: pg.Client,
  trailer: BackupTrailer,
  rowCounts: ReadonlyMap<string, number>,
  tables: readonly CopiedTable[],
): Promise<void> {
  const wrong = tables.find(({ name }) => rowCounts.get(name) !== trailer.rows[name]);
  if (wrong !== undefined) throw damaged(`rows of table ${wrong.name} are missing`);
  for (const { name, value, isCalled } of trailer.sequences) {
    await client.query("SELECT setval($1::regclass, $2, $3)", [pg.escapeIdentifier(name), value, isCalled]);
  }
}
