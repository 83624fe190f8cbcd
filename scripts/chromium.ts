import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

const browsers = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/** Chromium without a window: all that tests ask of it, in two thirds of the time. */
const headlessShells = ["chromium-headless-shell", "chrome-headless-shell"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onThePath(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function run(command: string, parameters: readonly string[]): boolean {
  process.stdout.write(`$ ${command} ${parameters.join(" ")}\n`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, parameters, { stdio: "inherit", env: environment }).status === 0;
}

/** Installs a package of Debian's, where that is possible, and finds its program. */
function fromDebian(packageName: string, names: readonly string[]): string | null {
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) return null;
  run("apt-get", ["update", "-qq"]);
  const quietly = ["install", "-y", "-qq", "--no-install-recommends"];
  return run("apt-get", [...quietly, packageName, "fonts-liberation"]) ? onThePath(names) : null;
}

/** Playwright's own download; "" tells Playwright to take it. */
function fromPlaywright(): string | null {
  const cli = join(createRequire(import.meta.url).resolve("@playwright/test/package.json"), "..", "cli.js");
  return run(process.execPath, [cli, "install", "chromium"]) ? "" : null;
}

function fromEnvironment(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given === undefined || given === "") return null;
  if (isExecutable(given)) return given;
  throw new Error(`CHROMIUM_PATH names ${given}, which can't be run.`);
}

/**
 * The Chromium of pictures and benches, which draws as people's does: CHROMIUM_PATH, the system's, Debian's package (as
 * root), else Playwright's own download (""). @throws Error with what to do when none can be had.
 */
export function findChromium(): string {
  const found =
    fromEnvironment() ?? onThePath(browsers) ?? fromDebian("chromium", browsers) ?? fromPlaywright();
  if (found === null) {
    throw new Error("The browser tests need Chromium. Install it, or set CHROMIUM_PATH to its program.");
  }
  return found;
}

/** The Chromium that the browser tests use: CHROMIUM_PATH, a headless shell, else what `findChromium` finds. @throws Error as that does. */
export function findTestChromium(): string {
  return (
    fromEnvironment() ??
    onThePath(headlessShells) ??
    fromDebian("chromium-headless-shell", headlessShells) ??
    findChromium()
  );
}
