import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What one release is told from another by, in the archive's name, its folder and the health's answer: the product's version,
 * the last migration's number, and where git is there the commit with its day; "changed" where files differ from the commit.
 * The same for each build of a commit: 1.0.0-20261127-0064-057dab4b.
 */
export function versionOf(project: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const migration = lastMigrationIn(join(project, "apps/server/src/database/migrations"));
  if (!existsSync(join(project, ".git"))) return `${version}-${migration}`;
  const [day = "", commit = ""] = git(
    project,
    "show",
    "--no-patch",
    "--format=%cd %H",
    "--date=format-local:%Y%m%d",
  ).split(" ");
  const changed = git(project, "status", "--porcelain") === "" ? "" : "-changed";
  return `${version}-${day}-${migration}-${commit.slice(0, 8)}${changed}`;
}

function lastMigrationIn(folder: string): string {
  const numbers = readdirSync(folder).flatMap((name) => /^(\d{4})_.*\.sql$/.exec(name)?.[1] ?? []);
  return numbers.toSorted().at(-1) ?? "0000";
}

/** The day is UTC's, wherever the release is made. */
function git(project: string, ...args: string[]): string {
  const env = { ...process.env, TZ: "UTC" };
  return execFileSync("git", args, { cwd: project, env, encoding: "utf8" }).trim();
}
