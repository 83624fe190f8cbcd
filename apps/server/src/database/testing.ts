import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { startEmbeddedPostgres } from "../embedded-postgres/embedded.ts";
import { type DatabaseConnection, withDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { createDatabase, type Database } from "./pool.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run, and the migrated database that every test file's own is copied from. */
    testServer: { readonly connection: DatabaseConnection; readonly template: string };
  }
}

export interface TestServer {
  readonly connection: DatabaseConnection;
  readonly template: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly connection: DatabaseConnection;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/** What a test loses in a power cut is no loss; everything else is as in production. */
const FAST_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
};

/**
 * A PostgreSQL for one test run with a migrated template database in it: on the server at `address` where there is
 * one, else an embedded one in a temporary folder.
 */
export async function startTestServer(address?: string): Promise<TestServer> {
  const server = address === undefined ? await startTemporaryPostgres() : sharedServer(address);
  const template = `stocktake_template_${uniqueSuffix()}`;
  try {
    await administer(server.connection, `CREATE DATABASE ${template}`);
    await migrate(withDatabase(server.connection, template));
  } catch (error) {
    await server.stop();
    throw error;
  }
  const stop = async () => {
    await administer(server.connection, `DROP DATABASE ${template} WITH (FORCE)`);
    await server.stop();
  };
  return { connection: server.connection, template, stop };
}

/** An embedded PostgreSQL in a temporary folder that goes with it. */
async function startTemporaryPostgres() {
  const dataDir = await makeTemporaryFolder();
  const embedded = await startEmbeddedPostgres({ dataDir, settings: FAST_SETTINGS });
  const stop = async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { connection: embedded.connection, stop };
}

/** A new folder that any user may pass, as a data folder's parent must be where root runs the tests. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-test-"));
  await chmod(folder, 0o711);
  return folder;
}

function sharedServer(address: string) {
  return { connection: { connectionString: address }, stop: () => Promise.resolve() };
}

/** A copy of the files: PostgreSQL's usual way, page by page through its log, takes four times the processor time. */
function createDatabaseFrom(template: string, name: string): string {
  return `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`;
}

/** A migrated, otherwise empty database for one test file; the file drops it when it is done. */
export async function createTestDatabase({ max = 20 } = {}): Promise<TestDatabase> {
  const { connection: server, template } = inject("testServer");
  const name = `stocktake_test_${uniqueSuffix()}`;
  await administer(server, createDatabaseFrom(template, name));
  const connection = withDatabase(server, name);
  const { database, pool, close } = createDatabase(connection, { max });
  const drop = async () => {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { database, pool, connection, drop };
}

/** A database without any tables, how to empty it again and how to remove it. */
export async function createEmptyDatabase() {
  const { connection: server } = inject("testServer");
  const name = `stocktake_empty_${uniqueSuffix()}`;
  await administer(server, createDatabaseFrom("template1", name));
  const connection = withDatabase(server, name);
  return {
    connection,
    empty: () => administer(connection, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"),
    drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The connection as an address, the form of DATABASE_URL. */
export function addressOf(connection: DatabaseConnection): string {
  if ("connectionString" in connection) return connection.connectionString;
  const { host, user, database } = connection;
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`;
}

async function administer(server: DatabaseConnection, statement: string): Promise<void> {
  const client = new pg.Client({ ...server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function uniqueSuffix(): string {
  return randomBytes(6).toString("hex");
}
