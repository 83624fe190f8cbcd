import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { findTestChromium } from "../chromium.ts";
import { openTestFolder } from "./folder.ts";
import { leftOutUnits, shortBrowserTests } from "./short-run.ts";

interface Step {
  readonly name: string;
  /** One of package.json's. */
  readonly script: string;
  readonly options: readonly string[];
}

/** The proof in order of cost: what fails fast comes first. The short one leaves out what short-run.ts names. */
function stepsOf(isWhole: boolean): readonly Step[] {
  const leftOut = leftOutUnits.map(({ files }) => `--exclude=${files}`);
  // Playwright reads them as patterns of whole paths.
  const browserTests = shortBrowserTests.map((file) => `/${file.replaceAll(".", "\\.")}$`);
  return [
    { name: "Types, lint, unused code, build", script: "check", options: [] },
    {
      name: "Rules, server, emulator and components",
      script: "test:units",
      options: isWhole ? [] : leftOut,
    },
    {
      name: "Browser, end to end, against the built product",
      script: "test:e2e",
      options: isWhole ? [] : browserTests,
    },
  ];
}

function runStep({ name, script, options }: Step, environment: NodeJS.ProcessEnv): number {
  process.stdout.write(`\n=== ${name} ===\n`);
  const result = spawnSync("npm", ["run", "--silent", script, "--", ...options], {
    stdio: "inherit",
    env: environment,
    shell: process.platform === "win32",
  });
  return result.status ?? 1;
}

const { whole } = parseArgs({ options: { whole: { type: "boolean", default: false } } }).values;
const folder = openTestFolder();
const environment = {
  ...process.env,
  CHROMIUM_PATH: findTestChromium(),
  ...(folder === null ? {} : { TMPDIR: folder }),
};
for (const step of stepsOf(whole)) {
  const status = runStep(step, environment);
  if (status !== 0) {
    process.stdout.write(`\n${step.name}: failed.\n`);
    process.exit(status);
  }
}
process.stdout.write(
  whole ? "\nEverything passed.\n" : "\nThe short run passed; npm test -- --whole runs the rest as well.\n",
);
