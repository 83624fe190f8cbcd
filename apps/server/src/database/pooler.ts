import pg from "pg";
import type { DatabaseConnection } from "./connection.ts";
import { DatabaseStartError, messageOf, systemCode } from "./errors.ts";

/** A setting of a session that no server has by itself, in milliseconds. */
const markMs = 2_147_483;
const usualConnectTimeoutMs = 10_000;

/**
 * Makes sure that a connection is a session of PostgreSQL's own, and not what a pooler such as pgbouncer hands out from one
 * transaction to the next: locks and LISTEN would be lost there without a word. A setting that is asked for with the connection
 * tells: a pooler refuses it, or leaves it out. `variable` is what the address was read from. Throws DatabaseStartError.
 */
export async function requireOwnSession(
  connection: DatabaseConnection,
  variable: string,
  connectTimeoutMs = usualConnectTimeoutMs,
): Promise<void> {
  const settings = { ...connection, connectionTimeoutMillis: connectTimeoutMs, statement_timeout: markMs };
  await tryConnection(settings, variable, async (client) => {
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
    );
    if (rows[0]?.setting !== String(markMs)) throw pooled(variable);
  });
}

/** Makes sure that there is a database at an address, a pooler's too; `variable` is what it was read from. Throws DatabaseStartError. */
export async function requireReachable(
  connection: DatabaseConnection,
  variable: string,
  connectTimeoutMs = usualConnectTimeoutMs,
): Promise<void> {
  const settings = { ...connection, connectionTimeoutMillis: connectTimeoutMs };
  await tryConnection(settings, variable, async (client) => {
    await client.query("SELECT");
  });
}

async function tryConnection(
  settings: pg.ClientConfig,
  variable: string,
  look: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = clientOf(settings, variable);
  client.on("error", () => undefined);
  try {
    await client.connect();
    await look(client);
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    if (/unsupported startup parameter/i.test(messageOf(error))) throw pooled(variable, error);
    throw unreachable(variable, whyUnreachable(client, error), error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function clientOf(settings: pg.ClientConfig, variable: string): pg.Client {
  try {
    return new pg.Client({ ...settings, application_name: "stocktake-start" });
  } catch (error) {
    // A name that can't be decoded, or a certificate's file that is not there.
    throw unreachable(variable, messageOf(error), error);
  }
}

function pooled(variable: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    "POOLED",
    `${variable} leads to a connection pooler, such as pgbouncer. Events, the locks of a start and migrations need connections ` +
      "to PostgreSQL itself, so the server did not start; nothing was changed. Set DATABASE_DIRECT_URL to the PostgreSQL server; " +
      "DATABASE_URL may then stay the pooler's.",
    { cause },
  );
}

function unreachable(variable: string, why: string, cause: unknown): DatabaseStartError {
  return new DatabaseStartError(
    "UNREACHABLE",
    `${variable} leads to no database that can be used: ${why}. The server did not start; nothing was changed. See that ` +
      `PostgreSQL runs there and lets Stocktake in, or correct ${variable}.`,
    { cause },
  );
}

/** What went wrong, for people, with the host and never the password; the code is for whoever searches for it. */
function whyUnreachable({ host, port, user = "", database = "" }: pg.Client, error: unknown): string {
  const code = systemCode(error);
  const at = `${host}:${port}`;
  switch (code) {
    case "ECONNREFUSED":
    case "ENOENT":
      return `nothing listens at ${at} (${code})`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host ${host} can't be found (${code})`;
    case "28P01":
    case "28000":
      return `PostgreSQL at ${at} does not let the user "${user}" in: ${messageOf(error)} (${code})`;
    case "3D000":
      return `PostgreSQL at ${at} has no database "${database}" (${code})`;
    default:
      if (code === "ETIMEDOUT" || /timeout/i.test(messageOf(error))) return `${at} does not respond`;
      return `${at} says "${messageOf(error)}"`;
  }
}
