import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { explainFailure } from "../database/failure.ts";
import { makeTemporaryFolder } from "../database/testing.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { sharedMemorySettings } from "./run-postgres.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await makeTemporaryFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe("a data folder", () => {
  test("of another PostgreSQL version is left alone, and the error names the way out", async () => {
    const data = join(dataDir, "postgres/data");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "PG_VERSION"), "17\n");
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      reason: "OTHER_VERSION",
      message: expect.stringMatching(/PostgreSQL 17; this release brings PostgreSQL 18.*backup.*restore/s),
    });
    expect(await readFile(join(data, "PG_VERSION"), "utf8")).toBe("17\n");
  });

  test("with other things in it is not taken for a database, nor overwritten", async () => {
    const data = join(dataDir, "postgres/data");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "notes.txt"), "mine");
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ reason: "NOT_WRITABLE" });
    expect(await readFile(join(data, "notes.txt"), "utf8")).toBe("mine");
  });

  test("that cannot be made is an error that names it", async () => {
    await writeFile(join(dataDir, "file"), "");
    await expect(startEmbeddedPostgres({ dataDir: join(dataDir, "file/data") })).rejects.toMatchObject({
      reason: "NOT_WRITABLE",
      message: expect.stringContaining(join(dataDir, "file/data")),
    });
  });
});

describe("PostgreSQL's last words", () => {
  test.each([
    ['FATAL:  could not write lock file "postmaster.pid": No space left on device', "DISK_FULL"],
    ['initdb: error: could not write file "base/1/1255": Disk quota exceeded', "DISK_FULL"],
    ['FATAL:  could not open file "global/pg_control": Permission denied', "NOT_WRITABLE"],
    ['FATAL:  could not create lock file "postmaster.pid": Read-only file system', "NOT_WRITABLE"],
    ['FATAL:  lock file "postmaster.pid" already exists', "IN_USE"],
    ["PANIC:  could not locate a valid checkpoint record at 0/1B80CE8", "FAILED"],
  ])("%s mean %s", (line, reason) => {
    const error = explainFailure("/data/postgres", [
      "LOG:  starting PostgreSQL 18.4",
      line,
      "LOG:  shutting down",
    ]);
    expect(error.reason).toBe(reason);
    expect(error.message).toContain("/data/postgres");
  });

  test("are quoted where they mean nothing known, and the data is said to be there still", () => {
    const { message } = explainFailure("/data", [
      "PANIC:  could not locate a valid checkpoint record at 0/1B80CE8",
    ]);
    expect(message).toMatch(/could not locate a valid checkpoint record.*still in that folder/s);
  });
});

describe("shared memory", () => {
  const inFiles = { dynamic_shared_memory_type: "mmap" };

  test("stays as it is where there is room for it", async () => {
    expect(await sharedMemorySettings({ folder: dataDir, platform: "linux", enough: 1 })).toEqual({});
  });

  test("is kept in files where its folder is small", async () => {
    const settings = await sharedMemorySettings({ folder: dataDir, platform: "linux", enough: 2 ** 60 });
    expect(settings).toEqual(inFiles);
  });

  test("is kept in files where its folder is missing", async () => {
    expect(await sharedMemorySettings({ folder: join(dataDir, "none"), platform: "linux" })).toEqual(inFiles);
  });

  test("is no matter of folders but on Linux", async () => {
    expect(await sharedMemorySettings({ folder: join(dataDir, "none"), platform: "darwin" })).toEqual({});
  });
});
