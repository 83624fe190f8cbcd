import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isAlive, postmasterOf, query, startServerProcess } from "../database/testing-process.ts";
import { openForCommand, startEmbeddedPostgres } from "./embedded.ts";
import { makeDatabaseOnce } from "./testing-folder.ts";

const copyDatabase = makeDatabaseOnce();
let dataDir: string;
beforeEach(async () => {
  dataDir = await copyDatabase();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function recordingLogger() {
  const lines: string[] = [];
  const record = (message: string) => lines.push(message);
  return { lines, debug: record, info: record, warn: record, error: record };
}

describe("the embedded database", () => {
  test("keeps its data from one start to the next, and stops in good order", async () => {
    const logger = recordingLogger();
    const first = await startEmbeddedPostgres({ dataDir, logger });
    await query(first.connection, "CREATE TABLE counted (sku text); INSERT INTO counted VALUES ('A-1')");
    await first.stop();
    await first.stop();
    expect(logger.lines.at(-1)).toContain("database system is shut down");

    const second = await startEmbeddedPostgres({ dataDir });
    expect(await query(second.connection, "SELECT sku FROM counted")).toEqual([{ sku: "A-1" }]);
    await second.stop();
  });

  test("is durable, checks its pages, speaks UTF-8, sorts alike everywhere and listens on no network", async () => {
    const { connection, stop } = await startEmbeddedPostgres({ dataDir });
    const settings = await query(
      connection,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
        current_setting('full_page_writes') AS pages, current_setting('data_checksums') AS checksums,
        current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses,
        lower('ÉÄ') AS lower, 'Z' < 'a' AS by_code_point`,
    );
    expect(settings).toEqual([
      {
        ...{ fsync: "on", commit: "on", pages: "on", checksums: "on", encoding: "UTF8", addresses: "" },
        ...{ lower: "éä", by_code_point: true },
      },
    ]);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    await stop();
  });

  test("reports it when PostgreSQL ends by itself, and the next start recovers what was committed", async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    await query(first.connection, "CREATE TABLE counted AS SELECT 1 AS sku");
    process.kill(postmasterOf(dataDir), "SIGKILL");
    expect((await first.endedUnexpectedly).reason).toBe("FAILED");
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir });
    expect(await query(second.connection, "SELECT sku FROM counted")).toEqual([{ sku: 1 }]);
    await second.stop();
  });

  test("serves from a folder whose path is too long for a socket", async () => {
    const deep = join(dataDir, "a-long-name-for-a-folder/".repeat(4));
    const { connection, stop } = await startEmbeddedPostgres({ dataDir: deep });
    expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    await stop();
    await expect(stat(connection.host)).rejects.toThrow("ENOENT");
  });

  test("clears away what a start that was killed half-way left", async () => {
    const half = join(dataDir, "half");
    await mkdir(join(half, "postgres/initialising-0badcafe/base"), { recursive: true });
    const { stop } = await startEmbeddedPostgres({ dataDir: half });
    await stop();
    expect(await readdir(join(half, "postgres"))).not.toContainEqual(expect.stringContaining("initialising"));
  });
});

describe("a data folder that is in use", () => {
  test("is refused to a second server, while the first goes on", async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      reason: "IN_USE",
      message: expect.stringContaining("Another Stocktake server is already using the data folder"),
    });
    expect(await query(first.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await first.stop();
  });

  test("goes to exactly one of several servers that find a dead lock at the same moment", async () => {
    const dead = await startServerProcess(dataDir);
    const postmaster = postmasterOf(dataDir);
    await dead.kill();
    await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false));

    const starts = await Promise.allSettled(
      Array.from({ length: 3 }, () => startEmbeddedPostgres({ dataDir })),
    );
    const started = starts.filter((start) => start.status === "fulfilled");
    expect(started).toHaveLength(1);
    for (const { value } of started) {
      expect(await query(value.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      await value.stop();
    }
  });

  test("is open to a command, which leaves the server running", async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    const command = await openForCommand({ databaseUrl: null, dataDir });
    expect(command.connection).toEqual(server.connection);
    await command.close();
    expect(await query(server.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test("is served by the command itself where no server runs", async () => {
    const command = await openForCommand({ databaseUrl: null, dataDir });
    expect(await query(command.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await command.close();
    await vi.waitFor(() => expect(() => postmasterOf(dataDir)).toThrow("ENOENT"));
  });
});

describe("a folder without a database", () => {
  test("is refused to a command by its path, and left as it is", async () => {
    const mistyped = join(dataDir, "mistyped");
    await expect(openForCommand({ databaseUrl: null, dataDir: mistyped })).rejects.toThrow(
      `There is no database in ${mistyped}`,
    );
    expect(existsSync(mistyped)).toBe(false);
  });

  test("is given one by a command that fills it", async () => {
    const command = await openForCommand(
      { databaseUrl: null, dataDir: join(dataDir, "new") },
      { mayMake: true },
    );
    expect(await query(command.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await command.close();
  });
});
