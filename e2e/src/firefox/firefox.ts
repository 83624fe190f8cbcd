import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * The whole stocktake of the browser tests once in Firefox, the one that the system has: FIREFOX_PATH, firefox-esr or firefox.
 */

const require = createRequire(import.meta.url);
const config = fileURLToPath(new URL("../../firefox.config.ts", import.meta.url));
const bridge = fileURLToPath(new URL("bridge.ts", import.meta.url));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws Error with what to do where there is none. */
function findFirefox(): string {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = ["firefox-esr", "firefox"].flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [process.env.FIREFOX_PATH ?? "", ...onPath].find((path) => path !== "" && isProgram(path));
  if (found !== undefined) return found;
  throw new Error("There is no Firefox. Install Debian's firefox-esr, or set FIREFOX_PATH to its program.");
}

/** Playwright starts one program; this one starts the bridge with the real one. */
async function writeStarter(folder: string): Promise<string> {
  const quoted = [process.execPath, "--import", require.resolve("tsx"), bridge, findFirefox()]
    .map((part) => `'${part}'`)
    .join(" ");
  const path = join(folder, "firefox");
  await writeFile(path, `#!/bin/sh\nexec ${quoted} "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

const folder = await mkdtemp(join(tmpdir(), "stocktake-firefox-"));
try {
  const cli = join(require.resolve("@playwright/test/package.json"), "..", "cli.js");
  const run = [cli, "test", "--config", config, ...process.argv.slice(2)];
  const environment = { ...process.env, FIREFOX_STARTER: await writeStarter(folder) };
  process.exitCode = spawnSync(process.execPath, run, { stdio: "inherit", env: environment }).status ?? 1;
} finally {
  await rm(folder, { recursive: true });
}
