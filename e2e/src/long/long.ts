import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findTestChromium } from "../../../scripts/chromium.ts";

/*
 * The walks that take long, in the Chromium of the other browser tests. What follows the command's name goes to Playwright.
 */

const cli = join(createRequire(import.meta.url).resolve("@playwright/test/package.json"), "..", "cli.js");
const config = fileURLToPath(new URL("../../long.config.ts", import.meta.url));
const environment = { ...process.env, CHROMIUM_PATH: findTestChromium() };
const run = spawnSync(process.execPath, [cli, "test", "--config", config, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: environment,
});
process.exitCode = run.status ?? 1;
