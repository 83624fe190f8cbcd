import { createDatabase, type OpenDatabase, type PoolOptions } from "./pool.ts";

/** A replica that does not respond by then is done without. */
const connectTimeoutMs = 2_000;

/** Longer than a statement may take, and than a transaction may wait for the reader of its lines. */
const silenceMs = 65_000;

/**
 * Connections to a streaming replica of the database, for reading alone. Nothing is connected before the first query, and neither is
 * anything prepared: the address may be a pooler's, or that of several replicas.
 */
export function openReplica(
  connectionString: string,
  options: Pick<PoolOptions, "max" | "logger">,
): OpenDatabase {
  return createDatabase({ connectionString }, { ...options, pooled: true, connectTimeoutMs, silenceMs });
}
