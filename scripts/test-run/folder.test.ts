import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestFolder } from "./folder.ts";

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "stocktake-folders-"));
});

afterEach(() => rmSync(parent, { recursive: true }));

test("a run's folder lies in memory's, where any user may write, and goes with its process", () => {
  const module = JSON.stringify(new URL("folder.ts", import.meta.url).pathname);
  const program = `
    const { openTestFolder } = await import(${module});
    const { statSync } = await import("node:fs");
    const folder = openTestFolder({ parent: ${JSON.stringify(parent)}, leastBytes: 0, named: null });
    console.log(folder, (statSync(folder).mode & 0o7777).toString(8));`;
  const run = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  const [folder = "", mode] = run.stdout.trim().split(" ");
  expect(run.stderr).toBe("");
  expect(folder.startsWith(join(parent, "stocktake-tests-"))).toBe(true);
  expect(mode).toBe("1777");
  expect(existsSync(folder)).toBe(false);
});

test("what a killed run has left goes when the next begins, and that of one beside it stays", () => {
  const ended = spawnSync(process.execPath, ["--eval", "process.stdout.write(String(process.pid))"], {
    encoding: "utf8",
  });
  const left = join(parent, `stocktake-tests-${ended.stdout}-a`);
  const beside = join(parent, `stocktake-tests-${process.ppid}-b`);
  mkdirSync(left);
  mkdirSync(beside);
  const folder = openTestFolder({ parent, leastBytes: 0, named: null });
  expect(folder === null ? "" : statSync(folder).isDirectory()).toBe(true);
  expect(existsSync(left)).toBe(false);
  expect(existsSync(beside)).toBe(true);
});

test("it goes too where the next has no room for a folder of its own", () => {
  const left = join(parent, "stocktake-tests-99999999-a");
  mkdirSync(left);
  expect(openTestFolder({ parent, leastBytes: Number.MAX_SAFE_INTEGER, named: null })).toBeNull();
  expect(existsSync(left)).toBe(false);
});

test("there is none where there is no room, no such place, or where a folder was named", () => {
  expect(openTestFolder({ parent, leastBytes: Number.MAX_SAFE_INTEGER, named: null })).toBeNull();
  expect(openTestFolder({ parent: join(parent, "nowhere"), leastBytes: 1, named: null })).toBeNull();
  expect(openTestFolder({ parent, leastBytes: 0, named: "/somewhere" })).toBeNull();
});
