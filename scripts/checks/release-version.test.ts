import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { versionOf } from "../release/version.ts";

let project: string;
const migrations = "apps/server/src/database/migrations";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "stocktake-version-"));
  mkdirSync(join(project, migrations), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "version": "1.0.0" }');
  for (const name of ["0001_first.sql", "0002_second.sql", "previous-landing.txt"])
    writeFileSync(join(project, migrations, name), "");
});
afterEach(() => rmSync(project, { recursive: true }));

/** Late on a day that is over already east of UTC. */
const committedAt = "2026-11-27T23:30:00Z";

function commit(): void {
  const env = { ...process.env, GIT_COMMITTER_DATE: committedAt, GIT_AUTHOR_DATE: committedAt };
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["add", "."], { cwd: project });
  execFileSync("git", [...who, "commit", "--quiet", "--allow-empty", "--message", "x"], {
    cwd: project,
    env,
  });
}

test("without git a release is known by its last migration", () => {
  expect(versionOf(project)).toBe("1.0.0-0002");
});

test("with git each commit has one name, which sorts by its day, and files that differ from it are said to", () => {
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  commit();
  const first = versionOf(project);
  expect(first).toMatch(/^1\.0\.0-20261127-0002-[0-9a-f]{8}$/);
  expect(versionOf(project)).toBe(first);
  writeFileSync(join(project, migrations, "0003_third.sql"), "");
  expect(versionOf(project)).toBe(first.replace("-0002-", "-0003-").concat("-changed"));
  commit();
  const second = versionOf(project);
  expect(second).toMatch(/^1\.0\.0-20261127-0003-[0-9a-f]{8}$/);
  expect(second.slice(-8)).not.toBe(first.slice(-8));
});
