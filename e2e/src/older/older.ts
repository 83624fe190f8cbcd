import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeOlderTree, newestLanding } from "./older-tree.ts";

const help = `The pages of an earlier release against today's server, as browsers have them that were open while it was updated.

1. The web app of that revision is built with today's packages, and today's server serves it: the revision's own browser test of the
   whole stocktake drives it, with today's stand-in for Shopify.
2. A phone and a desk with those pages see the server restarted with today's pages: what the phone held is sent, both go on, and
   today's page finishes the area.

  npm run proof:older -- [--base REV] [TEST…]

--base REV   which release; the newest landing unless told (the last commit of npm run landing)
TEST…        further browser tests of that revision, by parts of their files' names
`;

const { values, positionals } = parseArgs({
  options: { base: { type: "string" }, help: { type: "boolean", default: false } },
  allowPositionals: true,
});

const cli = join(createRequire(import.meta.url).resolve("@playwright/test/package.json"), "../cli.js");
const todaysConfig = fileURLToPath(new URL("../../older.config.ts", import.meta.url));

function playwright(config: string, tests: readonly string[], environment: NodeJS.ProcessEnv): void {
  const parameters = [cli, "test", "--config", config, "--workers", "1", ...tests];
  const { status } = spawnSync(process.execPath, parameters, { stdio: "inherit", env: environment });
  if (status !== 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const tree = await makeOlderTree(values.base ?? newestLanding(), "today's");
  try {
    process.stdout.write(`Pages of ${tree.title}\n`);
    // A name in full: "stocktake" alone would be part of others too.
    const tests = ["/stocktake.spec.ts", ...positionals];
    playwright(join(tree.folder, "e2e/playwright.config.ts"), tests, process.env);
    const environment = { ...process.env, OLDER_TREE: tree.folder };
    playwright(todaysConfig, [], environment);
  } finally {
    await tree.close();
  }
}

if (values.help) process.stdout.write(help);
else await main();
