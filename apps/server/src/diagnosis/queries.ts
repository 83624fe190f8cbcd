import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { levelsReadAt } from "../health/health.ts";
import { readUnsentMails, type UnsentMails } from "../notices/notices.ts";

/** What the database holds on this installation. */
export interface Installation {
  readonly epoch: string;
  readonly shopDomain: string | null;
  readonly catalogueReadAt: Date | null;
  readonly levelsReadAt: Date | null;
  /** That may be counted, by name. */
  readonly stores: readonly CountedStore[];
  /** To the administrator. */
  readonly unsentMails: UnsentMails;
}

export interface CountedStore {
  readonly name: string;
  readonly shopifyLocationId: string;
}

export async function readInstallation(database: Database): Promise<Installation> {
  const installation = await database
    .selectFrom("installation")
    .select(["epoch", "shopDomain", "catalogueReadAt", levelsReadAt])
    .executeTakeFirstOrThrow();
  const stores = await database
    .selectFrom("stores")
    .select(["name", "shopifyLocationId"])
    .where("deletedAt", "is", null)
    .where("isActive", "=", true)
    .orderBy("name")
    .execute();
  return { ...installation, stores, unsentMails: await readUnsentMails(database) };
}

/** What PostgreSQL says of itself. */
export interface PostgresServer {
  readonly version: string;
  readonly bytes: number;
  readonly fsync: string;
  readonly connectionsLeft: number;
}

export async function readServer(database: Database): Promise<PostgresServer> {
  const { rows } = await sql<PostgresServer>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes,
      current_setting('fsync') as fsync,
      (current_setting('max_connections')::integer
        - (select count(*) from pg_stat_activity where backend_type = 'client backend'))::integer
        as connections_left`.execute(database);
  const [server] = rows;
  if (server === undefined) throw new Error("PostgreSQL does not describe itself.");
  return server;
}
