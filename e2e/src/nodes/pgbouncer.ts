import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@stocktake/testkit";
import { createDatabase } from "../../../apps/server/src/database/pool.ts";

/** A pgbouncer in transaction mode. */
export interface Pooler {
  /** As DATABASE_URL names it. */
  readonly url: string;
  /** How many transactions it has passed on, over how many connections to PostgreSQL at most. */
  figures(): Promise<{ readonly transactions: number; readonly connections: number }>;
  close(): Promise<void>;
}

const poolSize = 20;

/** As docs/OPERATIONS.md says, with nobody's login: it is this machine's alone. */
function configOf(database: URL, port: number): string {
  const limits = "SET statement_timeout = 30000; SET idle_in_transaction_session_timeout = 60000";
  return `[databases]
stocktake = host=${database.hostname} port=${database.port} dbname=stocktake user=stocktake connect_query='${limits}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${poolSize}
stats_users = stocktake
`;
}

async function ask(port: number, statement: string): Promise<Record<string, string>[]> {
  const connectionString = `postgres://stocktake@127.0.0.1:${port}/pgbouncer`;
  const { pool } = createDatabase({ connectionString }, { max: 1, pooled: true });
  try {
    return (await pool.query(statement)).rows;
  } finally {
    await pool.end();
  }
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ready = await ask(port, "SHOW VERSION").then(
      () => true,
      () => false,
    );
    if (ready) return;
  }
  throw new Error("pgbouncer has ended. Is it installed (apt-get install pgbouncer)?");
}

/** Debian's, which has to be installed. It does not run as root, and then runs as nobody. */
export async function startPgbouncer(databaseUrl: string): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-pooler-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, configOf(new URL(databaseUrl), port));
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const child = spawn("pgbouncer", ["--quiet", ...user, file], { stdio: "ignore" });
  await once(child, "spawn");
  await untilReady(port, child);
  return {
    url: `postgres://stocktake@127.0.0.1:${port}/stocktake`,
    async figures() {
      const [stats] = (await ask(port, "SHOW STATS")).filter(({ database }) => database === "stocktake");
      const servers = (await ask(port, "SHOW SERVERS")).filter(({ database }) => database === "stocktake");
      return { transactions: Number(stats?.total_xact_count ?? 0), connections: servers.length };
    },
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
