import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "../database/pool.ts";
import { findPackage, preparePrograms } from "../embedded-postgres/binaries.ts";
import { chooseIdentity, commandAs, giveTo } from "../embedded-postgres/unprivileged.ts";
import { systemClock } from "../kernel/clock.ts";

/** Another PostgreSQL that follows a running embedded one. */
export interface Standby {
  readonly dataDir: string;
  /** The process that its others descend from. */
  readonly processId: number;
  /** As an address names it. */
  readonly url: string;
  /** It applies nothing until it goes on; what the primary stores still comes to it. */
  standStill(): Promise<void>;
  goOn(): Promise<void>;
  /** It takes writes once this resolves. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

interface StandbyOptions {
  /** What the primary acknowledges it has too. */
  readonly synchronous: boolean;
}

const name = "standby";
const lookAgainMs = 20;
const socketsIn = (dataDir: string) => join(dataDir, "postgres/sockets");

/** Statements on one connection, for what PostgreSQL's programs would do that are not shipped with it. */
async function onServer<Result>(
  dataDir: string,
  work: (ask: (statement: string) => Promise<Record<string, string>[]>) => Promise<Result>,
): Promise<Result> {
  const connection = { host: socketsIn(dataDir), user: "stocktake", database: "stocktake" };
  const { pool } = createDatabase(connection, { max: 1 });
  try {
    return await work(async (statement) => (await pool.query(statement)).rows);
  } finally {
    await pool.end();
  }
}

/** Copies the files of a running server as its documentation says ("Making a Base Backup Using the Low Level API"). */
async function copyRunning(primary: string, to: string): Promise<void> {
  await onServer(primary, async (ask) => {
    await ask("SELECT pg_backup_start('standby', true)");
    await cp(join(primary, "postgres/data"), join(to, "postgres/data"), {
      recursive: true,
      preserveTimestamps: true,
      // What the server removes meanwhile is in its log.
      filter: (path) => !/postmaster\.(?:pid|opts)$|\/pgsql_tmp|\/pg_stat_tmp/.test(path),
    });
    const [stopped] = await ask("SELECT labelfile FROM pg_backup_stop(false)");
    await writeFile(join(to, "postgres/data/backup_label"), stopped?.labelfile ?? "");
    await writeFile(join(to, "postgres/data/standby.signal"), "");
  });
}

async function run(primary: string, dataDir: string): Promise<ChildProcess> {
  const programs = await preparePrograms(findPackage(), join(dataDir, "libraries"));
  const root = join(dataDir, "postgres");
  const identity = await chooseIdentity(root, programs);
  await giveTo(identity, root);
  await chmod(join(root, "data"), 0o700);
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socketsIn(dataDir),
    hot_standby: "on",
    primary_conninfo: `host=${socketsIn(primary)} user=stocktake application_name=${name}`,
    timezone: "UTC",
  };
  const set = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const { file, args, options } = commandAs(identity, programs, programs.postgres, [
    "-D",
    join(root, "data"),
    ...set,
  ]);
  return spawn(file, args, { ...options, stdio: "ignore" });
}

async function until(isSo: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  while (!(await isSo().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`The standby has ended with ${child.exitCode}.`);
    await systemClock.sleep(lookAgainMs);
  }
}

async function acknowledgeTogether(primary: string, child: ChildProcess): Promise<void> {
  await onServer(primary, async (ask) => {
    await ask(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await ask("SELECT pg_reload_conf()");
  });
  const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until(() => onServer(primary, async (ask) => (await ask(isSynchronous)).length > 0), child);
}

/** Copies the running primary, whose data folder it is given, and follows it. */
export async function startStandby(primary: string, { synchronous }: StandbyOptions): Promise<Standby> {
  const dataDir = await mkdtemp(join(tmpdir(), "stocktake-standby-"));
  // As open as the primary's, by which the user is chosen who runs it.
  await chmod(dataDir, (await stat(primary)).mode & 0o777);
  await cp(socketsIn(primary), socketsIn(dataDir), {
    recursive: true,
    filter: (path) => path.endsWith("sockets"),
  });
  await copyRunning(primary, dataDir);
  const child = await run(primary, dataDir);
  const follows =
    "SELECT 1 FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'";
  await until(() => onServer(primary, async (ask) => (await ask(follows)).length > 0), child);
  // It may follow before what it has copied is consistent, and lets nobody in until then.
  await until(() => onServer(dataDir, async (ask) => (await ask("SELECT 1")).length > 0), child);
  if (synchronous) await acknowledgeTogether(primary, child);
  const order = (statement: string) => () =>
    onServer(dataDir, async (ask) => {
      await ask(statement);
    });
  return {
    dataDir,
    processId: child.pid ?? 0,
    url: `postgres://stocktake@localhost/stocktake?host=${encodeURIComponent(socketsIn(dataDir))}`,
    standStill: order("SELECT pg_wal_replay_pause()"),
    goOn: order("SELECT pg_wal_replay_resume()"),
    promote: order("SELECT pg_promote(true, 30)"),
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGINT");
      await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
