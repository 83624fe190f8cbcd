import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { DatabaseConnection } from "./connection.ts";
import { messageOf } from "./errors.ts";
import type { InstallationFence } from "./installation-fence.ts";
import type { DatabaseLogger } from "./logger.ts";

export interface ListenerOptions {
  readonly channels: readonly string[];
  /** One notification: its channel and what was sent with it ("" where nothing was). */
  onNotification(channel: string, payload: string): void;
  /** Listening again after a loss. What was sent in between is gone: read anew whatever depends on it. */
  onReconnect(): void;
  readonly logger?: DatabaseLogger;
  /** Told what the connection leads to, whenever it is made and at each heartbeat. */
  readonly fence?: InstallationFence | undefined;
  /** 30 s unless given. */
  readonly heartbeatMs?: number;
}

export interface Listener {
  /** Stops listening for good. */
  close(): Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** A connection that a router has dropped reports nothing; only a query finds out. */
const usualHeartbeatMs = 30_000;
const connectTimeoutMs = 10_000;

/**
 * Listens for NOTIFY on a connection of its own, and connects again, after growing pauses, whenever that is lost.
 * Resolves once it listens. Throws when the first connection fails.
 */
export async function createListener(
  connection: DatabaseConnection,
  options: ListenerOptions,
): Promise<Listener> {
  const closing = new AbortController();
  const first = await openLine(connection, options);
  const listening = keepListening(
    first,
    () => reopenLine(connection, options, closing.signal),
    options,
    closing.signal,
  );
  const close = async () => {
    closing.abort();
    await listening;
  };
  return { close };
}

async function keepListening(
  first: Line,
  reopen: () => Promise<Line | undefined>,
  { logger, onReconnect }: ListenerOptions,
  closing: AbortSignal,
): Promise<void> {
  const closed = whenAborted(closing);
  for (let line: Line | undefined = first; line !== undefined; ) {
    const reason = await Promise.race([line.lost, closed]);
    await line.end();
    if (closing.aborted) return;
    logger?.warn(`The connection for the database's notifications was lost: ${reason}`);
    line = await reopen();
    if (line !== undefined && !closing.aborted) onReconnect();
  }
}

/** Tries until it succeeds, or returns undefined once the listener is closed. */
async function reopenLine(
  connection: DatabaseConnection,
  options: ListenerOptions,
  closing: AbortSignal,
): Promise<Line | undefined> {
  for (let wait = firstPauseMs; !closing.aborted; wait = Math.min(wait * 2, longestPauseMs)) {
    try {
      return await openLine(connection, options);
    } catch (error) {
      options.logger?.warn(`Cannot listen for the database's notifications yet: ${messageOf(error)}`);
      // Closing cuts the pause short.
      await pause(wait, undefined, { signal: closing }).catch(() => undefined);
    }
  }
  return undefined;
}

function whenAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("");
    signal.addEventListener("abort", () => resolve(""), { once: true });
  });
}

/** One connection that listens. */
interface Line {
  /** Resolves with the reason when the connection has ended. */
  readonly lost: Promise<string>;
  end(): Promise<void>;
}

async function openLine(connection: DatabaseConnection, options: ListenerOptions): Promise<Line> {
  const { fence, heartbeatMs = usualHeartbeatMs } = options;
  const client = new pg.Client({
    ...connection,
    application_name: "stocktake-listen",
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    keepAlive: true,
  });
  const lost = new Promise<string>((resolve) => {
    client.on("error", (error) => resolve(error.message));
    client.on("end", () => resolve("it was closed"));
  });
  client.on("notification", ({ channel, payload }) => options.onNotification(channel, payload ?? ""));
  try {
    await client.connect();
    await fence?.check(client);
    for (const channel of options.channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await endQuietly(client);
    throw error;
  }
  const heartbeat = setInterval(() => {
    const beat = fence === undefined ? client.query("SELECT 1") : fence.check(client);
    beat.catch(() => endQuietly(client));
  }, heartbeatMs);
  void lost.then(() => clearInterval(heartbeat));
  return { lost, end: () => endQuietly(client) };
}

/** Ending a connection that is broken already fails, and changes nothing. */
async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
