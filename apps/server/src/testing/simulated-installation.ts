import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "@stocktake/shopify-emulator";
import { pino } from "pino";
import { buildApp } from "../assembly/app.ts";
import { type AppContext, assembleServices } from "../assembly/assembly.ts";
import { allSlices } from "../assembly/slices.ts";
import { ensureAdmin } from "../auth/admin-password.ts";
import { createPasswords } from "../auth/passwords.ts";
import { backUp, restoreShop } from "../backup/backup.ts";
import { type DatabaseConnection, withDatabase } from "../database/connection.ts";
import { migrate } from "../database/migrate.ts";
import { createDatabase } from "../database/pool.ts";
import { startEmbeddedPostgres } from "../embedded-postgres/embedded.ts";
import type { Clock } from "../kernel/clock.ts";
import { createOutboxMailer } from "../mail/mail.ts";
import { shopifyApiVersion } from "../shopify/documents.ts";
import { createShopifyPlatform } from "../shopify/platform.ts";
import { TIME_LIMIT_MS } from "../shopify/testing/test-clock.ts";
import { createShopifyTransport, type TransportOptions } from "../shopify/transport.ts";

/*
 * Installations of the product in simulated time: its servers run in this process, PostgreSQL tells the time that the
 * simulation tells it. Nothing of the product is changed for it: in these databases now() and clock_timestamp() are
 * found in a schema before PostgreSQL's own.
 */

function timeSchema(file: string): string {
  const time = `SELECT pg_catalog.to_timestamp(pg_catalog.pg_read_file('${file}')::bigint / 1000.0)`;
  return `
    CREATE SCHEMA simulated_time;
    CREATE FUNCTION simulated_time.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ ${time} $$;
    CREATE FUNCTION simulated_time.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ ${time} $$;`;
}

/** What a simulation loses in a power cut is no loss. */
const fastSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** A PostgreSQL in a folder, in which installations are made and restored. */
export interface SimulatedDatabases {
  /** Sets what time it is for all of them, in milliseconds since 1970. */
  setTime(now: number): void;
  /** A database of a new installation, without any row. */
  create(): Promise<SimulatedDatabase>;
  /** The database of an installation that is restored from a backup. */
  restore(file: string): Promise<SimulatedDatabase>;
  stop(): Promise<void>;
}

export interface SimulatedDatabase {
  readonly connection: DatabaseConnection;
  /** Every scan that was sent. */
  scans(sessionId: string): Promise<readonly StoredScan[]>;
  backUp(file: string): Promise<void>;
  drop(): Promise<void>;
}

/** A scan as the server has it. */
export interface StoredScan {
  readonly opId: string;
  /** As it was read. */
  readonly input: string;
  readonly status: string;
  readonly sku: string | null;
  readonly quantity: number;
  readonly areaId: string;
  readonly deviceId: string;
  /** The time that was sent with it, in milliseconds since 1970. */
  readonly givenAt: number | null;
}

export async function startSimulatedDatabases(folder: string): Promise<SimulatedDatabases> {
  const dataDir = join(folder, "data");
  const embedded = await startEmbeddedPostgres({ dataDir, settings: fastSettings });
  const { pool } = createDatabase(embedded.connection, { max: 1 });
  const administer = (statement: string) => pool.query(statement);

  async function make(template: string | null): Promise<DatabaseConnection> {
    const name = `simulated_${randomBytes(6).toString("hex")}`;
    await administer(`CREATE DATABASE ${name} TEMPLATE ${template ?? "template1"} STRATEGY file_copy`);
    await administer(`ALTER DATABASE ${name} SET search_path = public, simulated_time, pg_catalog`);
    return withDatabase(embedded.connection, name);
  }

  const timeFile = join(folder, "time");
  // Written in place, and always as long, so that whoever reads it meanwhile finds one time or the other.
  const time = openSync(timeFile, "w", 0o644);
  const setTime = (now: number) => void writeSync(time, String(now), 0);
  setTime(Date.now());
  const bare = await make(null);
  await once(bare, timeSchema(timeFile));
  const migrated = await make(nameOf(bare));
  await migrate(migrated);
  return {
    setTime,
    create: async () => open(await make(nameOf(migrated)), administer),
    async restore(file) {
      const connection = await make(nameOf(bare));
      await restoreShop(connection, file);
      return open(connection, administer);
    },
    async stop() {
      await pool.end();
      await embedded.stop();
      closeSync(time);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function nameOf(connection: DatabaseConnection): string {
  return "database" in connection ? connection.database : "";
}

async function once(connection: DatabaseConnection, statements: string): Promise<void> {
  const { pool } = createDatabase(connection, { max: 1 });
  await pool.query(statements);
  await pool.end();
}

function open(
  connection: DatabaseConnection,
  administer: (statement: string) => Promise<unknown>,
): SimulatedDatabase {
  const { pool, database } = createDatabase(connection, { max: 1 });
  return {
    connection,
    async scans(sessionId) {
      const rows = await database
        .selectFrom("scans")
        .select(["opId", "input", "status", "sku", "quantity", "areaId", "deviceId", "givenScannedAt"])
        .where("sessionId", "=", sessionId)
        .execute();
      return rows.map(({ opId, givenScannedAt, ...scan }) => ({
        ...scan,
        opId: opId ?? "",
        givenAt: givenScannedAt?.getTime() ?? null,
      }));
    },
    backUp: async (file) => {
      await backUp(connection, file);
    },
    async drop() {
      await pool.end();
      await administer(`DROP DATABASE ${nameOf(connection)} WITH (FORCE)`);
    },
  };
}

export interface SimulatedNodeOptions {
  readonly database: SimulatedDatabase;
  readonly emulator: Emulator;
  readonly adminPassword: string;
  /** This machine's clock. Its sleeps, time limits all of them, take real time. */
  readonly clock: Clock;
  /** The same for its calls to Shopify: pauses between them let simulated time pass. */
  readonly shopClock: Clock;
  /** How its calls reach Shopify. */
  readonly fetch: NonNullable<TransportOptions["fetch"]>;
}

/** One server of an installation. */
export interface SimulatedNode {
  readonly url: string;
  readonly context: AppContext;
  close(): Promise<void>;
}

/** Starts a server over the database as the product does, but without its schedule. */
export async function startSimulatedNode(options: SimulatedNodeOptions): Promise<SimulatedNode> {
  const { emulator, adminPassword } = options;
  const { connection } = options.database;
  const { database, pool, close } = createDatabase(connection, { max: 10 });
  const auth = { kind: "token", accessToken: emulator.credentials.accessToken } as const;
  const config = {
    ...{
      port: 0,
      host: "127.0.0.1",
      publicUrl: null,
      dataDir: "",
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReplicaUrl: null,
      adminPassword,
    },
    shopify: { shop: emulator.store.shop.myshopifyDomain, apiUrl: emulator.url, auth, webhookSecret: null },
    ...{ smtp: null, logLevel: "silent" as const, trustProxy: false },
    ...{ adminEmail: null, mailFrom: null, metricsToken: null },
  };
  const parts = await assembleServices({
    ...{ config, version: "1.0.0", database, pool, connection, platform: platformOf(options) },
    mailer: createOutboxMailer(),
    ...{ clock: options.clock, workClock: options.clock, logger: pino({ level: "silent" }) },
  });
  await ensureAdmin(database, { adminPassword }, createPasswords());
  const app = await buildApp(parts.context, allSlices, null);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    url,
    context: parts.context,
    async close() {
      await app.close();
      await parts.close();
      await close();
    },
  };
}

function platformOf({ emulator, shopClock: clock, fetch }: SimulatedNodeOptions) {
  const transport = createShopifyTransport({
    ...{ apiUrl: emulator.url, version: shopifyApiVersion, clock, fetch, random: () => 0.5 },
    auth: { kind: "token", accessToken: emulator.credentials.accessToken },
    timeouts: { call: TIME_LIMIT_MS, token: TIME_LIMIT_MS, idle: TIME_LIMIT_MS },
  });
  return createShopifyPlatform({ transport, clock });
}
