import { access, constants, statfs } from "node:fs/promises";
import type { DatabaseStartError } from "../database/errors.ts";
import { explainFailure } from "../database/failure.ts";
import type { DatabaseLogger } from "../database/logger.ts";
import type { Programs } from "./binaries.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Command, Guard, StopRequest } from "./guard.ts";
import { clusterName, waitForPreviousPostgres } from "./postmaster.ts";
import { commandAs, type Identity } from "./unprivileged.ts";

export interface PostgresRun {
  /** Resolves when it takes connections; rejects with DatabaseStartError when it ends before that. */
  readonly ready: Promise<void>;
  /** Resolves at its end, with the error to report if nobody asked for it. */
  readonly ended: Promise<DatabaseStartError>;
  stop(): Promise<void>;
}

interface RunRequest {
  readonly folder: DataFolder;
  readonly programs: Programs;
  readonly identity: Identity;
  readonly guard: Guard;
  readonly endpoint: Endpoint;
  readonly settings: Readonly<Record<string, string>>;
  /** A process id in PostgreSQL's lock file that is certainly nobody's. */
  readonly strayPid: number | undefined;
  readonly logger: DatabaseLogger | undefined;
}

/** PostgreSQL's settings that make its log lines readable for `logPostgresLine` and keep people's data out of them. */
const logSettings = {
  log_line_prefix: "",
  lc_messages: "C",
  // A line's details quote values of the row at fault, and its statement what was asked: names and addresses.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
} as const;

const readyMarker = "database system is ready to accept connections";

/** A fast shutdown writes out at most the cache; a disk that takes longer than this is stuck. */
const stopTimeoutMs = 60_000;

/** How many of the last lines are stored to explain a failure. */
const linesRemembered = 50;

/** Runs PostgreSQL under the guard. */
export function runPostgres(request: RunRequest): PostgresRun {
  const { guard, folder, logger } = request;
  const lines: string[] = [];
  let isReady = (): void => undefined;
  const readyLine = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const ended = runToItsEnd(request, (line) => {
    logPostgresLine(logger, line);
    lines.push(line);
    if (lines.length > linesRemembered) lines.shift();
    if (line.includes(readyMarker)) isReady();
  }).then(() => explainFailure(folder.root, lines));
  const ready = Promise.race([readyLine, ended.then((error) => Promise.reject(error))]);
  return { ready, ended, stop: () => stopPostgres(guard, ended) };
}

/** Passes a line of PostgreSQL's log on at our level for it. */
function logPostgresLine(logger: DatabaseLogger | undefined, line: string): void {
  if (logger === undefined || line.trim() === "") return;
  const severity = /^([A-Z]+\d?): {2}/.exec(line)?.[1];
  const message = `PostgreSQL: ${line}`;
  if (severity === "PANIC" || severity === "FATAL") logger.error(message);
  else if (severity === "WARNING") logger.warn(message);
  // A statement's error goes to whoever sent the statement, who logs it where it matters.
  else logger.debug(message);
}

async function runToItsEnd(request: RunRequest, onLine: (line: string) => void): Promise<void> {
  const { guard, folder, programs, identity } = request;
  const command = await postgresCommand(request);
  const end = await guard.run(command, stopRequest(programs, folder, identity), onLine);
  // Neither code nor signal: the guard itself was killed, and PostgreSQL may be running on without it.
  if (end.code === null && end.signal === null)
    await waitForPreviousPostgres(folder.data, { isLockHeld: true, timeoutMs: stopTimeoutMs });
}

async function stopPostgres(guard: Guard, ended: Promise<unknown>): Promise<void> {
  guard.stop();
  const timer = setTimeout(() => guard.signal("SIGQUIT"), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}

/** Parallel hash joins ask for tens of megabytes at a time; Docker's default /dev/shm holds 64 in all. */
const enoughBytes = 256 * 1024 * 1024;

interface SharedMemory {
  /** Where the system keeps POSIX shared memory. */
  readonly folder?: string;
  readonly platform?: string;
  /** The free bytes there that are enough. */
  readonly enough?: number;
}

/**
 * PostgreSQL's setting for the memory that its processes share while a query runs. Linux keeps it in /dev/shm; where
 * that is small, absent or closed to us, queries would fail half-way, and files in the data folder serve instead.
 */
export async function sharedMemorySettings(memory: SharedMemory = {}): Promise<Record<string, string>> {
  const { folder = "/dev/shm", platform = process.platform, enough = enoughBytes } = memory;
  if (platform !== "linux") return {};
  return (await freeBytes(folder)) >= enough ? {} : { dynamic_shared_memory_type: "mmap" };
}

async function freeBytes(folder: string): Promise<number> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // Not there, or not for us: no room either way.
    return 0;
  }
}

async function postgresCommand({
  folder,
  programs,
  identity,
  endpoint,
  settings,
  strayPid,
}: RunRequest): Promise<Command> {
  const all = {
    ...logSettings,
    ...(await sharedMemorySettings()),
    cluster_name: clusterName,
    // Compiling a report's statement takes longer than what it saves: 0.1 s of 0.55 (docs/PERFORMANCE.md).
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...settings,
    ...endpoint.settings,
  };
  const set = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = commandAs(identity, programs, programs.postgres, ["-D", folder.data, ...set]);
  if (strayPid === undefined) return command;
  // PostgreSQL disregards this id in its lock files, yet still refuses while processes of the old run hold its memory.
  const env = { ...command.options.env, PG_GRANDPARENT_PID: String(strayPid) };
  return { ...command, options: { ...command.options, env } };
}

/** SIGINT is PostgreSQL's fast shutdown. On Windows a signal would kill it, so its own tool asks it. */
function stopRequest(programs: Programs, folder: DataFolder, identity: Identity): StopRequest {
  if (process.platform !== "win32") return { signal: "SIGINT" };
  const command = commandAs(identity, programs, programs.pgCtl, ["stop", "-D", folder.data, "-m", "fast"]);
  return { signal: "SIGINT", command };
}
