import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { from as copyFromStdin } from "pg-copy-streams";

/**
 * Begins a statement that each connection is to plan once instead of at every call: the few that every scan takes,
 * where planning costs more than running. Only for statements whose text is always the same, for each text stays
 * prepared as long as its connection.
 */
export const preparedMark = "/* prepared */";

/** Begins a COPY from the client; its one value is an iterable of the bytes. See `copyInto`. */
export const copyMark = "/* copy */";

/** A pool for Kysely that prepares the statements which begin with `preparedMark`. */
export function preparingPool(pool: pg.Pool): PostgresPool {
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

function preparingClient(client: pg.PoolClient, nameOf: (text: string) => string): PostgresPoolClient {
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(statement: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof statement !== "string") throw new TypeError("This product reads no result by a cursor.");
    if (statement.startsWith(copyMark)) return copyFrom(client, statement, values);
    if (!statement.startsWith(preparedMark)) return client.query(statement, [...values]);
    return client.query({ name: nameOf(statement), text: statement, values: [...values] });
  }
  return { query, release: () => client.release() };
}

async function copyFrom(
  client: pg.PoolClient,
  statement: string,
  [bytes]: readonly unknown[],
): Promise<PostgresQueryResult<never>> {
  if (!isIterable(bytes)) throw new TypeError("A COPY takes an iterable of bytes.");
  await pipeline(Readable.from(bytes), client.query(copyFromStdin(statement)));
  // Kysely gets an insert without a count of rows: PostgreSQL reports none here.
  return { command: "INSERT", rowCount: 0, rows: [] };
}

function isIterable(value: unknown): value is Iterable<Buffer> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
