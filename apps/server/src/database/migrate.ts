import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { DatabaseConnection } from "./connection.ts";
import { systemCode } from "./errors.ts";
import { oldestServerOf, readLanding } from "./landing/landing.ts";
import type { DatabaseLogger } from "./logger.ts";
import { newClient } from "./new-client.ts";

/** One step of the schema, from a file such as `0001_stores.sql`. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, whatever the line endings it was checked out with. */
  readonly checksum: string;
  /** Servers that include this migration may go on with the schema; null where only those may that include the migration itself. */
  readonly oldestServer: number | null;
}

/** The database's schema and this program's do not fit. The message tells what to do; it is meant for the log. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export interface MigrateOptions {
  /** Default: the program's own. */
  readonly migrations?: readonly Migration[];
  readonly logger?: DatabaseLogger;
  /** To go on with a newer schema where that allows it, as servers of two releases do during an update. Default: refuse it. */
  readonly mayShare?: boolean;
  readonly timeouts?: Timeouts;
}

/** How a migration waits for whoever works with its tables, such as a backup. All in milliseconds. */
interface Timeouts {
  /** For a lock: whatever comes to the same table meanwhile waits behind it, scans too. */
  readonly lockMs: number;
  /** Between two tries, for those that have waited. */
  readonly pauseMs: number;
  /** For all tries together. */
  readonly allMs: number;
}

const defaultTimeouts: Timeouts = { lockMs: 2_000, pauseMs: 3_000, allMs: 15 * 60_000 };

/** Held while migrating, so that of several nodes that start at once one does the work. Any fixed number serves. */
const migrationLock = 7_825_611_903;

const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** The migrations of this program: beside this file in the source tree, beside main.js in the build. */
function migrationsFolder(): string {
  return fileURLToPath(new URL("./migrations", import.meta.url));
}

/** Reads a folder's migrations in their order. Throws MigrationError where their numbers are not 1, 2, 3, ... */
export async function readMigrations(folder = migrationsFolder()): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const landed = await readLanding(folder);
  return Promise.all(
    names.map(async (name, index) => {
      const migration = await readMigration(folder, name, index + 1);
      return { ...migration, oldestServer: oldestServerOf(migration.version, landed) };
    }),
  );
}

async function readMigration(
  folder: string,
  name: string,
  expected: number,
): Promise<Omit<Migration, "oldestServer">> {
  const version = Number(fileName.exec(name)?.[1]);
  if (version !== expected) {
    throw new MigrationError(
      `The migration file ${name} should have number ${expected}: they are numbered without a gap.`,
    );
  }
  const sql = (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n");
  return { version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}

/**
 * Brings the database's schema up to the program's, each migration in a transaction of its own; a database that is up
 * to date is left as it is. Safe to call from several processes at once. Throws MigrationError.
 */
export async function migrate(connection: DatabaseConnection, options: MigrateOptions = {}): Promise<void> {
  const migrations = options.migrations ?? (await readMigrations());
  // A client of its own, without the pool's time limits: waiting for another node or a long migration is right here.
  const client = newClient({ ...connection, application_name: "stocktake-migrate" });
  await client.connect();
  try {
    if (await isUpToDate(client, migrations, options)) return;
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    for (const migration of await pendingMigrations(client, migrations, options)) {
      options.logger?.info(`Migrating the database: ${migration.name}`);
      await applyPatiently(client, migration, options);
    }
  } finally {
    // Ending the session gives the lock back.
    await client.end();
  }
}

/** Asked without the lock: a start that has nothing to migrate must not wait for an archive, which holds it. */
async function isUpToDate(
  client: pg.Client,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<boolean> {
  const { rowCount } = await client.query(presentForm);
  return rowCount === 1 && (await pendingMigrations(client, migrations, options)).length === 0;
}

/**
 * Lets nobody migrate as long as `client` is connected, and waits for whoever does. Taken before a transaction whose snapshot is to see
 * the schema as it stays.
 */
export async function holdSchema(client: pg.Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock_shared($1)", [migrationLock]);
}

/**
 * The same within the transaction that `client` is in, for rows that must never be seen in between. Throws
 * MigrationError.
 */
export async function migrateWithin(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
  // A table that has rows to check at the end can't be altered before they are.
  await client.query("SET CONSTRAINTS ALL IMMEDIATE");
  for (const migration of await pendingMigrations(client, migrations)) await apply(client, migration);
}

/** A migration as the database remembers it. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

interface SharedMigration extends AppliedMigration {
  readonly oldestServer: number | null;
}

async function pendingMigrations(
  client: pg.Client,
  migrations: readonly Migration[],
  { mayShare = false, logger }: Omit<MigrateOptions, "migrations"> = {},
): Promise<Migration[]> {
  await prepareRecord(client);
  const { rows } = await client.query<SharedMigration>(
    `SELECT version, name, checksum, oldest_server AS "oldestServer" FROM schema_migrations ORDER BY version`,
  );
  const ours = migrations.at(-1)?.version ?? 0;
  const shared: string[] = [];
  for (const applied of rows) {
    const known = migrations.find(({ version }) => version === applied.version);
    if (known === undefined && mayShare && isSharedWith(ours, applied)) shared.push(applied.name);
    else checkApplied(applied, known);
  }
  if (shared.length > 0) {
    logger?.warn(
      `A newer release has migrated the database (${shared.join(", ")}). This server goes on with it, as far as it knows it: update it soon`,
    );
  }
  const done = new Set(rows.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}

function isSharedWith(ours: number, { oldestServer }: SharedMigration): boolean {
  return oldestServer !== null && ours >= oldestServer;
}

/** Finds one row where the table of migrations is as this release writes it. */
const presentForm = `SELECT FROM pg_attribute
  WHERE attrelid = to_regclass('schema_migrations') AND attname = 'oldest_server' AND NOT attisdropped`;

/** The table is altered only where it has to be: a backup that is under way holds it, and a start must not wait for that. */
async function prepareRecord(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    oldest_server integer
  )`);
  const { rowCount } = await client.query(presentForm);
  if (rowCount === 0) await client.query("ALTER TABLE schema_migrations ADD COLUMN oldest_server integer");
}

function checkApplied(applied: AppliedMigration, known: Migration | undefined): void {
  if (known === undefined) {
    throw new MigrationError(
      `The database has been migrated by a newer release (${applied.name}), which this one can't work with. ` +
        "The data is untouched. Start the newer release, or restore a backup made with this one into an empty database.",
    );
  }
  if (known.checksum !== applied.checksum) {
    throw new MigrationError(
      `The migration ${known.name} is not the one that this database was made with. The data is untouched. ` +
        "Restore the file as it was released; a change to the schema is a new migration with the next number.",
    );
  }
}

/**
 * Servers may work beside it: a change of a table that waits for a backup's lock would stop every statement that comes to that table
 * after it. So it waits briefly, and tries again.
 */
async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  { logger, timeouts = defaultTimeouts }: MigrateOptions,
): Promise<void> {
  const until = Date.now() + timeouts.allMs;
  for (;;) {
    try {
      await applyAlone(client, migration, timeouts.lockMs);
      return;
    } catch (error) {
      if (systemCode(error) !== lockNotAvailable) throw error;
      if (Date.now() >= until) throw stillInUse(migration, error);
      logger?.info(
        `${migration.name} waits for tables that something else works with, such as a backup; it is tried again`,
      );
      await setTimeout(timeouts.pauseMs);
    }
  }
}

const lockNotAvailable = "55P03";

function stillInUse({ name }: Migration, cause: unknown): MigrationError {
  return new MigrationError(
    `The migration ${name} found its tables in use at every try. Nothing of it was done, and the data is untouched. Wait for what works ` +
      "with the database (a backup, or a program of yours), and start the server again.",
    { cause },
  );
}

async function applyAlone(client: pg.Client, migration: Migration, lockMs: number): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL lock_timeout = ${Math.trunc(lockMs)}`);
    await apply(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    // On a connection that broke this fails too, and says less than what went wrong.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function apply(
  client: pg.Client,
  { version, name, sql, checksum, oldestServer }: Migration,
): Promise<void> {
  await client.query(sql);
  await client.query(
    "INSERT INTO schema_migrations (version, name, checksum, oldest_server) VALUES ($1, $2, $3, $4)",
    [version, name, checksum, oldestServer],
  );
}
