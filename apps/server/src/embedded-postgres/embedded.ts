import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import pg from "pg";
import type { ConnectionParts, DatabaseConnection } from "../database/connection.ts";
import { DatabaseStartError } from "../database/errors.ts";
import { inUse } from "../database/failure.ts";
import type { DatabaseLogger } from "../database/logger.ts";
import { newClient } from "../database/new-client.ts";
import { findPackage, preparePrograms } from "./binaries.ts";
import {
  type DataFolder,
  holdsDatabase,
  holdsEmbeddedDatabase,
  initialise,
  prepareFolder,
} from "./data-folder.ts";
import { makeEndpoint } from "./endpoint.ts";
import { type Guard, startGuard } from "./guard.ts";
import { waitForPreviousPostgres } from "./postmaster.ts";
import { type PostgresRun, runPostgres } from "./run-postgres.ts";
import { chooseIdentity } from "./unprivileged.ts";

export interface EmbeddedOptions {
  /** Its subfolder `postgres` holds all of the database. */
  readonly dataDir: string;
  readonly logger?: DatabaseLogger;
  /** PostgreSQL's settings by name, over our own. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  readonly connection: ConnectionParts;
  /** Resolves when PostgreSQL ends without having been asked to; nothing can be stored from then on. */
  readonly endedUnexpectedly: Promise<DatabaseStartError>;
  /** Ends open transactions, writes everything to the disk and stops PostgreSQL. May be called again. */
  stop(): Promise<void>;
}

/** How long an earlier server's PostgreSQL may take to write out what it holds and end. */
const predecessorTimeoutMs = 60_000;

/**
 * Runs a PostgreSQL of our own on `dataDir`, made if it is not there yet, until `stop` or the end of this process,
 * however it ends. Throws DatabaseStartError.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const found = await claimOrFind(options);
  if (found.kind === "own") return found.postgres;
  throw inUse(found.folder.root);
}

/** Where a command beside the server finds the database. */
interface CommandConfig {
  readonly databaseUrl: string | null;
  /** What it is reached by itself, where `databaseUrl` is a pooler's. */
  readonly databaseDirectUrl?: string | null;
  readonly dataDir: string;
}

/** The database that a command beside the server works on, and what ends the work. */
interface CommandDatabase {
  readonly connection: DatabaseConnection;
  /** For the person at the shell: "the database stock on db.example", "the database in /var/lib/stocktake". */
  readonly name: string;
  close(): Promise<void>;
}

/**
 * The shared server at `databaseUrl`; or else the embedded database of `dataDir`: the running server's where there is
 * one (then `close` leaves it alone), or one started for the purpose. Only with `mayMake` is one made where there is
 * none. Throws DatabaseStartError.
 */
export async function openForCommand(
  config: CommandConfig,
  { mayMake = false } = {},
): Promise<CommandDatabase> {
  const close = () => Promise.resolve();
  const address = config.databaseDirectUrl ?? config.databaseUrl;
  if (address !== null) {
    const { host, database } = new pg.Client({ connectionString: address });
    return {
      connection: { connectionString: address },
      name: `the database ${database} on ${host}`,
      close,
    };
  }
  if (!mayMake) await requireDatabase(config);
  const name = `the database in ${resolve(config.dataDir)}`;
  const found = await claimOrFind({ dataDir: config.dataDir });
  if (found.kind === "own")
    return { connection: found.postgres.connection, name, close: found.postgres.stop };
  if (found.connection === undefined) throw inUse(found.folder.root);
  return { connection: found.connection, name, close };
}

/**
 * Refuses a data folder in which no database was ever made: whoever runs a command without the service's environment
 * would work on a new one, and be told that all is well. Says nothing of a `databaseUrl`. @throws DatabaseStartError.
 */
export async function requireDatabase({ databaseUrl, dataDir }: CommandConfig): Promise<void> {
  if (databaseUrl !== null || (await holdsEmbeddedDatabase(dataDir))) return;
  throw new DatabaseStartError(
    "FAILED",
    `There is no database in ${resolve(dataDir)}. Nothing was changed. Run the command with the service's environment ` +
      "(node --env-file=/etc/stocktake.env …), or set DATA_DIR or DATABASE_URL to where the data is. A new installation's " +
      "database is made by the first start of its server.",
  );
}

type Found =
  | { readonly kind: "own"; readonly postgres: EmbeddedPostgres }
  | { readonly kind: "other"; readonly folder: DataFolder; readonly connection: ConnectionParts | undefined };

async function claimOrFind(options: EmbeddedOptions): Promise<Found> {
  const packageFolder = findPackage();
  const folder = await prepareFolder(options.dataDir);
  const guard = startGuard(folder.root);
  try {
    const claim = await guard.claim(predecessorTimeoutMs);
    if (claim.kind === "owned") {
      const isLockHeld = claim.unlocked === undefined;
      if (!isLockHeld) warnOfMissingLock(claim.unlocked, options.logger);
      return { kind: "own", postgres: await serve({ packageFolder, folder, guard, isLockHeld }, options) };
    }
    await guard.release();
    return { kind: "other", folder, connection: claim.connection };
  } catch (error) {
    await guard.release();
    throw error;
  }
}

function warnOfMissingLock(why: string, logger: DatabaseLogger | undefined): void {
  logger?.warn(
    `The data folder's file system has no sockets (${why}). Make sure yourself that no server in another ` +
      "container uses the same folder.",
  );
}

/** A data folder that is ours to serve. */
interface OwnedFolder {
  readonly packageFolder: string;
  readonly folder: DataFolder;
  readonly guard: Guard;
  /** False on file systems without sockets, where PostgreSQL's own lock has to do. */
  readonly isLockHeld: boolean;
}

async function serve(
  owned: OwnedFolder,
  { logger, settings = {} }: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const { folder, guard, isLockHeld } = owned;
  const programs = await preparePrograms(owned.packageFolder, folder.libraries);
  const isThere = await holdsDatabase(folder, programs);
  const identity = await chooseIdentity(folder.root, programs);
  const endpoint = await makeEndpoint(folder, identity, isLockHeld);
  const { connection } = endpoint;
  if (!isThere) {
    logger?.info(`Making a new database in ${folder.data}.`);
    const durable = settings.fsync !== "off";
    await initialise({ folder, programs, identity, guard, durable, password: connection.password });
  }
  const strayPid = await waitForPreviousPostgres(folder.data, {
    isLockHeld,
    timeoutMs: predecessorTimeoutMs,
  });
  const run = runPostgres({ folder, programs, identity, guard, endpoint, settings, strayPid, logger });
  await run.ready;
  await ensureDatabase(connection);
  guard.announce(connection);
  return supervise(run, connection, async () => {
    await guard.release();
    if (endpoint.temporaryFolder !== undefined)
      await rm(endpoint.temporaryFolder, { recursive: true, force: true });
  });
}

/** Makes the database that `connection` names, where the server has none of that name. */
async function ensureDatabase(connection: ConnectionParts): Promise<void> {
  const client = newClient({ ...connection, database: "postgres" });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [
      connection.database,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(connection.database)}`);
  } finally {
    await client.end();
  }
}

function supervise(
  run: PostgresRun,
  connection: ConnectionParts,
  cleanUp: () => Promise<void>,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const endedUnexpectedly = new Promise<DatabaseStartError>((resolve) => {
    void run.ended.then(async (error) => {
      if (stopping !== undefined) return;
      await cleanUp();
      resolve(error);
    });
  });
  const stop = () => {
    stopping ??= run.stop().then(cleanUp);
    return stopping;
  };
  return { connection, endedUnexpectedly, stop };
}
