import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { databaseUser } from "../database/connection.ts";
import { systemCode } from "../database/errors.ts";
import { inUse } from "../database/failure.ts";
import { newClient } from "../database/new-client.ts";

/** Marks the PostgreSQL processes that this program started. */
export const clusterName = "stocktake";

/** PostgreSQL's record of the process that serves a data directory (postmaster.pid in its storage documentation). */
interface PostmasterRecord {
  readonly pid: number;
  readonly port: number;
  readonly host: string;
}

/** Whose process a record names: nobody's, a PostgreSQL of ours, or another one. */
type Owner = "nobody" | "ours" | "foreign";

const pollMs = 50;

/**
 * Waits until a new PostgreSQL can start on `data`. Where we hold the folder's lock, one that is ours has lost its guard:
 * it is stopped, and awaited for at most `timeoutMs`. Returns the process id in a record that is out of date, for
 * the new PostgreSQL to disregard: after a crash that number may belong to any program.
 * Throws DatabaseStartError IN_USE where a PostgreSQL that is not ours serves the folder, or ours does not end.
 */
export async function waitForPreviousPostgres(
  data: string,
  { isLockHeld, timeoutMs }: { readonly isLockHeld: boolean; readonly timeoutMs: number },
): Promise<number | undefined> {
  const record = await readRecord(data);
  if (record === undefined) return undefined;
  const owner = await ownerOf(record);
  if (owner === "nobody") return record.pid;
  if (owner === "foreign" || !isLockHeld) throw inUse(data);
  signalIfAlive(record.pid, "SIGINT");
  for (let waited = 0; waited < timeoutMs; waited += pollMs) {
    if (!signalIfAlive(record.pid, 0)) return record.pid;
    await pause(pollMs);
  }
  throw inUse(data);
}

async function readRecord(data: string): Promise<PostmasterRecord | undefined> {
  try {
    const lines = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
    const [pid, , , port, host] = lines.map((line) => line.trim());
    return { pid: Number(pid), port: Number(port), host: host || "127.0.0.1" };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A PostgreSQL listens from its first moments to its very last; where nobody listens, nobody serves. */
async function ownerOf({ host, port }: PostmasterRecord): Promise<Owner> {
  const client = newClient({
    ...{ host, port, user: databaseUser, database: "postgres" },
    connectionTimeoutMillis: 5_000,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>("SELECT current_setting('cluster_name') AS name");
    return rows[0]?.name === clusterName ? "ours" : "foreign";
  } catch (error) {
    if (["ENOENT", "ECONNREFUSED"].includes(systemCode(error) ?? "")) return "nobody";
    // cannot_connect_now: it is starting up or shutting down.
    return systemCode(error) === "57P03" ? "ours" : "foreign";
  } finally {
    await client.end().catch(() => undefined);
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) === "ESRCH") return false;
    throw error;
  }
}
