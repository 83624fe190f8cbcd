import { spawnSync } from "node:child_process";
import { findTestChromium } from "./chromium.ts";
import { openTestFolder } from "./test-folder.ts";

/** The whole proof in order of cost: what fails fast comes first. */
const steps: readonly (readonly [name: string, script: string])[] = [
  ["Types, lint, unused code, build", "check"],
  ["Rules, server, emulator and components", "test:units"],
  ["Browser, end to end, against the built product", "test:e2e"],
];

function runStep(name: string, script: string, environment: NodeJS.ProcessEnv): number {
  process.stdout.write(`\n=== ${name} ===\n`);
  const result = spawnSync("npm", ["run", "--silent", script], {
    stdio: "inherit",
    env: environment,
    shell: process.platform === "win32",
  });
  return result.status ?? 1;
}

const folder = openTestFolder();
const environment = {
  ...process.env,
  CHROMIUM_PATH: findTestChromium(),
  ...(folder === null ? {} : { TMPDIR: folder }),
};
for (const [name, script] of steps) {
  const status = runStep(name, script, environment);
  if (status !== 0) {
    process.stdout.write(`\n${name}: failed.\n`);
    process.exit(status);
  }
}
process.stdout.write("\nEverything passed.\n");
