import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from "kysely";
import pg from "pg";
import { CamelCaseRows } from "./camel-case-rows.ts";
import type { DatabaseConnection } from "./connection.ts";
import type { DatabaseLogger } from "./logger.ts";
import { preparingPool } from "./prepared-statements.ts";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;

export interface OpenDatabase {
  readonly database: Database;
  /** The same connections, for what Kysely does not cover. */
  readonly pool: pg.Pool;
  /** Waits for running queries and closes every connection. */
  close(): Promise<void>;
}

export interface PoolOptions {
  /** The most connections at a time. */
  readonly max: number;
  readonly logger?: DatabaseLogger;
}

/** A person waits for the result; what takes longer than this has gone wrong. */
const statementTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;
/** Longer than any statement: only a transaction that was forgotten waits so long. */
const idleInTransactionTimeoutMs = 60_000;

const int8Oid = 20;

/** A pool of connections and Kysely over it. Nothing is connected before the first query. */
export function createDatabase(connection: DatabaseConnection, { max, logger }: PoolOptions): OpenDatabase {
  const pool = new pg.Pool({
    ...connection,
    max,
    types: { getTypeParser },
    application_name: "stocktake",
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on("error", (error) => logger?.warn(`A database connection was lost: ${error.message}`));
  // One that breaks in a transaction, between two statements, fails the next of them: that is where it is heard of.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparingPool(pool) }),
    // The columns are snake_case, every row in code camelCase. What a json column holds is left as it was written.
    plugins: [new CamelCaseRows({ maintainNestedObjectKeys: true })],
  });
  return { database, pool, close: () => database.destroy() };
}

const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (id: number, format?: "text" | "binary") =>
  id === int8Oid && format !== "binary" ? parseInt8 : pg.types.getTypeParser(id, format);

/** bigint as a number. Throws RangeError past 2^53, where a number would silently be another one. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(
    `The database holds the number ${text}, which is too large to be worked with exactly.`,
  );
}
