import pg from "pg";
import type { ConnectionParts } from "./connection.ts";

/** Makes the database that `connection` names, where the server has none of that name. */
export async function ensureDatabase(connection: ConnectionParts): Promise<void> {
  const client = new pg.Client({ ...connection, database: "postgres" });
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
