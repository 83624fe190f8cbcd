import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setImmediate as letOthersGoOn } from "node:timers/promises";
import {
  CamelCasePlugin,
  Kysely,
  type Transaction as KyselyTransaction,
  type PluginTransformResultArgs,
  type PostgresCursor,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryResult,
  type UnknownRow,
} from "kysely";
import pg from "pg";
import { from as copyFromStdin } from "pg-copy-streams";
import { inSlices } from "../kernel/slices.ts";
import type { DatabaseConnection } from "./connection.ts";
import { exactInteger } from "./exact-integer.ts";
import type { InstallationFence } from "./installation-fence.ts";
import type { DatabaseLogger } from "./logger.ts";
import { newClient } from "./new-client.ts";
import { politeSocket } from "./polite-socket.ts";
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
  /**
   * A pooler hands its connections out from one transaction to the next: nothing is prepared on them, and the limits of time
   * are the pooler's to set (docs/OPERATIONS.md).
   */
  readonly pooled?: boolean;
  /** Holds each new connection to the installation of the first one. */
  readonly fence?: InstallationFence;
  /** How long a connection may take, waiting for a free one included; 10 s unless given. */
  readonly connectTimeoutMs?: number;
  /** A connection that carries nothing for so long is broken off; only where nothing may wait longer. */
  readonly silenceMs?: number;
}

/** A person waits for the result; what takes longer than this has gone wrong. */
const statementTimeoutMs = 30_000;
const usualConnectTimeoutMs = 10_000;
/** Longer than any statement: only a transaction that was forgotten waits so long. */
const idleInTransactionTimeoutMs = 60_000;

const timeLimits = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
};

const int8Oid = 20;

/** One or two milliseconds' work. */
const renamedAtOnce = 1_000;

/**
 * Kysely's CamelCasePlugin, with the new names worked out once for a result instead of once for each row: 100,000 rows of
 * 18 columns are renamed in three fifths of the time. Values are passed on as they are, JSON included.
 */
class CamelCaseRows extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (first === undefined) return result;
    const columns = Object.keys(first);
    const names = columns.map((column) => this.camelCase(column));
    if (names.every((name, index) => name === columns[index])) return result;
    return { ...result, rows: await inSlices(result.rows, renamedAtOnce, renamer(names)) };
  }
}

/** Renames by position: pg makes every row of a result from one template, so they have their columns in one order. */
function renamer(names: readonly string[]): (row: UnknownRow) => UnknownRow {
  // Copying a complete row and filling it is a third faster than adding properties one by one to an empty one.
  const template: UnknownRow = Object.fromEntries(names.map((name) => [name, null]));
  return (row) => {
    const renamed = { ...template };
    let index = 0;
    for (const column in row) {
      const name = names[index];
      if (name !== undefined) renamed[name] = row[column];
      index += 1;
    }
    return renamed;
  };
}

/**
 * Begins a statement that each connection is to plan once instead of at every call: the few that every scan takes,
 * where planning costs more than running. Only for statements whose text is always the same, for each text stays
 * prepared as long as its connection.
 */
export const preparedMark = "/* prepared */";

/** Begins a COPY from the client; its one value is an iterable of the bytes. See `copyInto`. */
export const copyMark = "/* copy */";

/** A pool for Kysely that prepares the statements which begin with `preparedMark`. */
function preparingPool(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
    names.set(text, name);
    return name;
  };
  return { connect: async () => preparingClient(await pool.connect(), nameOf), end: () => pool.end() };
}

/** The same pool without prepared statements: what was prepared on one connection would be asked for on another. */
function namelessPool(pool: pg.Pool): PostgresPool {
  return { connect: async () => preparingClient(await pool.connect(), () => null), end: () => pool.end() };
}

function preparingClient(
  client: pg.ClientBase & { release?: () => void },
  nameOf: (text: string) => string | null,
): PostgresPoolClient {
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(statement: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof statement !== "string") throw new TypeError("This product reads no result by a cursor.");
    if (statement.startsWith(copyMark)) return copyFrom(client, statement, values);
    if (!statement.startsWith(preparedMark)) return client.query(statement, [...values]);
    const name = nameOf(statement);
    return client.query({ ...(name === null ? {} : { name }), text: statement, values: [...values] });
  }
  return { query, release: () => client.release?.() };
}

async function copyFrom(
  client: pg.ClientBase,
  statement: string,
  [bytes]: readonly unknown[],
): Promise<PostgresQueryResult<never>> {
  if (!isIterable(bytes)) throw new TypeError("A COPY takes an iterable of bytes.");
  await pipeline(inTurn(bytes), client.query(copyFromStdin(statement)));
  // Kysely gets an insert without a count of rows: PostgreSQL reports none here.
  return { command: "INSERT", rowCount: 0, rows: [] };
}

/** One piece at a time, so that others go on while the next ones are made. */
async function* inTurn(bytes: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const piece of bytes) {
    yield piece;
    await letOthersGoOn();
  }
}

function isIterable(value: unknown): value is Iterable<Buffer> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** A pool of connections and Kysely over it. Nothing is connected before the first query. */
export function createDatabase(
  connection: DatabaseConnection,
  { max, logger, fence, silenceMs, pooled = false, connectTimeoutMs = usualConnectTimeoutMs }: PoolOptions,
): OpenDatabase {
  const pool = new pg.Pool({
    ...connection,
    max,
    types: { getTypeParser },
    application_name: "stocktake",
    connectionTimeoutMillis: connectTimeoutMs,
    ...(pooled ? {} : timeLimits),
    keepAlive: true,
    stream: silenceMs === undefined ? politeSocket : () => endWhenSilent(politeSocket(), silenceMs),
    ...(fence === undefined ? {} : { verify: fence.verify }),
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on("error", (error) => logger?.warn(`A database connection was lost: ${error.message}`));
  // One that breaks in a transaction, between two statements, fails the next of them: that is where it is heard of.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const database = kyselyOver(
    new PostgresDialect({ pool: pooled ? namelessPool(pool) : preparingPool(pool) }),
  );
  return { database, pool, close: () => database.destroy() };
}

/** A host that vanishes says nothing: without this its connections last until TCP times out, after two hours. */
function endWhenSilent(socket: Socket, silenceMs: number): Socket {
  return socket.setTimeout(silenceMs, () =>
    socket.destroy(new Error("Connection terminated: nothing came over it")),
  );
}

function kyselyOver(dialect: PostgresDialect): Database {
  return new Kysely<Tables>({
    dialect,
    // The columns are snake_case, every row in code camelCase. What a json column holds is left as it was written.
    plugins: [new CamelCaseRows({ maintainNestedObjectKeys: true })],
  });
}

/** One connection without limits of time, and Kysely over it: a transaction of Kysely's is that of `client` too. */
export interface OneConnection {
  readonly database: Database;
  readonly client: pg.Client;
  close(): Promise<void>;
}

/** For a command that copies rows in or out and does all else in the same transaction. */
export async function openOneConnection(
  connection: DatabaseConnection,
  applicationName: string,
): Promise<OneConnection> {
  const types = { getTypeParser };
  const client = newClient({ ...connection, types, application_name: applicationName, keepAlive: true });
  await client.connect();
  const close = () => client.end();
  const connect = () => Promise.resolve(preparingClient(client, () => null));
  return { database: kyselyOver(new PostgresDialect({ pool: { connect, end: close } })), client, close };
}

/** Begins and ends nothing: a transaction of Kysely's is the one that its only connection is in. */
class JoiningDriver extends PostgresDriver {
  override beginTransaction(): Promise<void> {
    return Promise.resolve();
  }

  override commitTransaction(): Promise<void> {
    return Promise.resolve();
  }

  override rollbackTransaction(): Promise<void> {
    return Promise.resolve();
  }
}

class JoiningDialect extends PostgresDialect {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new JoiningDriver({ pool: this.#pool });
  }
}

/** Does `work` by Kysely in the transaction that `client` is in, which stays open. */
export function withinTransactionOf<Result>(
  client: pg.ClientBase,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const joined = preparingClient(client, () => null);
  const pool = {
    connect: () => Promise.resolve({ ...joined, release: () => undefined }),
    end: () => Promise.resolve(),
  };
  return kyselyOver(new JoiningDialect(pool)).transaction().execute(work);
}

const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (id: number, format?: "text" | "binary") =>
  id === int8Oid && format !== "binary"
    ? (text: string) => exactInteger(Number(text), text)
    : pg.types.getTypeParser(id, format);
