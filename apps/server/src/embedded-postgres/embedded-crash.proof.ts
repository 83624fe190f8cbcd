import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  isAlive,
  postmasterOf,
  query,
  type ServerProcess,
  startServerProcess,
} from "../database/testing-process.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { makeDatabaseOnce } from "./testing-folder.ts";

const copyDatabase = makeDatabaseOnce();
let dataDir: string;
beforeEach(async () => {
  dataDir = await copyDatabase();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function connectionOf({ said }: ServerProcess) {
  if (said.kind === "failed") throw new Error(said.message);
  return said.connection;
}

function parentOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(status, "utf8"))?.[1]);
  return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
}

describe("a server killed on the spot", () => {
  test("takes its PostgreSQL with it", async () => {
    const server = await startServerProcess(dataDir);
    const postmaster = postmasterOf(dataDir);
    await server.kill();
    await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false));
  });

  test("is followed at once by the next, which has every committed row", async () => {
    const server = await startServerProcess(dataDir);
    const postmaster = postmasterOf(dataDir);
    await query(connectionOf(server), "CREATE TABLE counted AS SELECT generate_series(1, 1000) AS scan");
    await server.kill();

    const next = await startEmbeddedPostgres({ dataDir });
    expect(isAlive(postmaster)).toBe(false);
    expect(await query(next.connection, "SELECT count(*)::int AS scans FROM counted")).toEqual([
      { scans: 1000 },
    ]);
    await next.stop();
  });

  test("is followed by the next as soon as its PostgreSQL, slow to shut down, has ended", async () => {
    const server = await startServerProcess(dataDir);
    const postmaster = postmasterOf(dataDir);
    process.kill(postmaster, "SIGSTOP");
    await server.kill();
    const next = startEmbeddedPostgres({ dataDir });
    await ownerSays(dataDir, "stopping");
    process.kill(postmaster, "SIGCONT");
    await (await next).stop();
    expect(isAlive(postmaster)).toBe(false);
  });

  test("together with its guard is followed by the next, which ends the PostgreSQL left over", async () => {
    const server = await startServerProcess(dataDir);
    const postmaster = postmasterOf(dataDir);
    await query(connectionOf(server), "CREATE TABLE counted AS SELECT 1 AS scan");
    process.kill(server.process.pid ?? 0, "SIGSTOP");
    process.kill(parentOf(postmaster), "SIGKILL");
    await server.kill();

    const next = await startEmbeddedPostgres({ dataDir });
    expect(isAlive(postmaster)).toBe(false);
    expect(await query(next.connection, "SELECT scan FROM counted")).toEqual([{ scan: 1 }]);
    await next.stop();
  });
});

/** Until whoever holds the folder's lock says that it is in this state. */
async function ownerSays(folder: string, state: string): Promise<void> {
  // A relative path, for sockets' paths are short.
  const lock = connect(join(folder, "postgres/owner.sock"));
  for await (const line of createInterface({ input: lock })) {
    if (JSON.parse(line).state === state) break;
  }
  lock.destroy();
}

describe("a guard that is killed", () => {
  test("is reported, and its PostgreSQL does not run on unguarded", async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    const postmaster = postmasterOf(dataDir);
    process.kill(parentOf(postmaster), "SIGKILL");
    expect((await server.endedUnexpectedly).reason).toBe("FAILED");
    expect(isAlive(postmaster)).toBe(false);
  });
});

describe("a lock file that a crash left", () => {
  test("does not stop the next start, even when its process id is another program's by now", async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    const lockFile = join(dataDir, "postgres/data/postmaster.pid");
    const contents = await readFile(lockFile, "utf8");
    await server.stop();
    await writeFile(lockFile, contents.replace(/^\d+/, String(process.pid)));

    const next = await startEmbeddedPostgres({ dataDir });
    expect(await query(next.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await next.stop();
  });
});
