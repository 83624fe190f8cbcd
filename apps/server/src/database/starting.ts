import pg from "pg";
import type { DatabaseConnection } from "./connection.ts";
import type { DatabaseLogger } from "./logger.ts";

/** Held while a node starts. Any fixed number serves that no other lock of the database has. */
const startLock = 7_825_611_904;

/**
 * Does what makes or changes the database's tables at a start while no other node of this database does. The lock is a
 * connection's of its own: it ends with the work, with the process, and with the connection.
 */
export async function startAlone<Result>(
  connection: DatabaseConnection,
  work: () => Promise<Result>,
  logger?: DatabaseLogger,
): Promise<Result> {
  const client = new pg.Client({ ...connection, application_name: "stocktake-start", keepAlive: true });
  // Work that needs the database fails by itself when that is gone; without a listener this would end the process.
  client.on("error", (error) => logger?.warn(`The lock of a start was lost: ${error.message}`));
  await client.connect();
  try {
    await acquireStartLock(client, logger);
    return await work();
  } finally {
    await client.end();
  }
}

async function acquireStartLock(client: pg.Client, logger?: DatabaseLogger): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
    startLock,
  ]);
  if (rows[0]?.taken === true) return;
  logger?.info("Another node is starting on this database; this one waits for it");
  await client.query("SELECT pg_advisory_lock($1)", [startLock]);
}
