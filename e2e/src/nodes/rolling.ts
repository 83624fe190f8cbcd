import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readMigrations } from "../../../apps/server/src/database/migrate.ts";
import { makeOlderTree, newestLanding, type OlderTree } from "../older/older-tree.ts";
import { proveRolling } from "./rolling-proof.ts";

const help = `A rolling update: servers of an earlier release and of this one on one database, behind a proxy that sends each request to the
next of them.

1. A node of that revision, built with today's packages, starts a session, and phones count.
2. Two of today's start beside it, which migrates the database. They and the older one share what is asked: sessions are started,
   ended, deployed and rolled back by either, and every node is asked for the report and the history.
3. While phones count a third session the older node is restarted, and then replaced by one of today's.

Every answered scan has to be there once, all nodes have to say the same, Shopify's stock moves by the variance once and back, nothing
is answered with anything but 2xx, and no node logs an error. A node that is older than the landing is refused when it restarts.

  npm run proof:rolling -- [--base REV]

--base REV   which release; the newest landing unless told (the last commit of npm run landing)
`;

const { values } = parseArgs({
  options: { base: { type: "string" }, help: { type: "boolean", default: false } },
});

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Schemas {
  readonly older: number;
  readonly todays: number;
  /** Whether a server of the older one may be started again once today's has migrated the database. */
  readonly sharesRestart: boolean;
}

async function schemasOf({ serverProgram }: OlderTree): Promise<Schemas> {
  const files = await readdir(join(dirname(serverProgram), "migrations"));
  const older = files.filter((name) => name.endsWith(".sql")).length;
  const all = await readMigrations();
  const since = all.filter(({ version }) => version > older);
  const sharesRestart = since.every(({ oldestServer }) => oldestServer !== null && older >= oldestServer);
  return { older, todays: all.length, sharesRestart };
}

async function rolling(): Promise<void> {
  const tree = await makeOlderTree(values.base ?? newestLanding(), "its own");
  try {
    const { older, todays, sharesRestart } = await schemasOf(tree);
    tell(`A server of ${tree.title}, which knows migration ${older}, beside today's of migration ${todays}`);
    const { scans, areas, answers, wrong } = await proveRolling(tree, sharesRestart, tell);
    tell(
      `${scans} scans answered in ${areas} areas and there once; ${answers.older} requests were answered by the older release, ` +
        `${answers.todays} by today's.`,
    );
    for (const sentence of wrong) tell(`WRONG: ${sentence}`);
    if (wrong.length > 0) process.exitCode = 1;
  } catch (error) {
    tell(`WRONG: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await tree.close();
  }
}

if (values.help) process.stdout.write(help);
else await rolling();
