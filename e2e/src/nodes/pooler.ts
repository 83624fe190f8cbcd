import { startProduct } from "@stocktake/testkit";
import { adminPassword, openShop } from "../staging.ts";
import { openNodesStage } from "./nodes-stage.ts";
import { killOneOf } from "./one-killed.ts";
import { type Pooler, startPgbouncer } from "./pgbouncer.ts";

const help = `Three nodes behind Debian's pgbouncer in transaction mode (apt-get install pgbouncer): a stocktake of which one node is
killed passes, with DATABASE_URL through the pooler and DATABASE_DIRECT_URL past it; a node without the second address
does not start, and says why.

  npm run proof:pooler
`;

/** What a node says that is given nothing but the pooler's address. */
async function sayOfPoolerAlone(pooler: Pooler): Promise<string> {
  const emulator = await openShop();
  try {
    const environment = () => ({ DATABASE_URL: pooler.url });
    const product = await startProduct({ shopifyUrl: emulator.url, adminPassword, environment });
    await product.stop();
    return "it started";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await emulator.close();
  }
}

async function main(): Promise<void> {
  const poolers: Pooler[] = [];
  const stage = await openNodesStage(3, {
    reach: async (gate) => {
      const pooler = await startPgbouncer(gate.url);
      poolers.push(pooler);
      return { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: gate.url };
    },
  });
  const [pooler] = poolers;
  if (pooler === undefined) throw new Error("There is no pooler.");
  try {
    const said = await sayOfPoolerAlone(pooler);
    const { wrong, deployMs, startMs, endMs, scans } = await killOneOf(stage);
    const { transactions, connections } = await pooler.figures();
    const output = stage.nodes.map((node) => node.output()).join("");
    const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
    process.stdout.write(
      `${scans} scans answered; after a kill the deploy had ended elsewhere in ${seconds(deployMs)}, the start was said to have ` +
        `failed in ${seconds(startMs)}, and after another kill an end in ${seconds(endMs)}; ${transactions} transactions over ` +
        `${connections} connections to PostgreSQL.\n` +
        `With the pooler's address alone: ${said.split("\n").find((line) => line.includes("pooler")) ?? said}\n`,
    );
    const all = [
      ...wrong,
      ...(said.includes("leads to a connection pooler") ? [] : [`a node said of the pooler alone: ${said}`]),
      ...(/"level":(?:50|60)/.test(output) ? [`the nodes logged errors:\n${output}`] : []),
    ];
    for (const sentence of all) process.stdout.write(`WRONG: ${sentence}\n`);
    if (all.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
    await pooler.close();
  }
}

if (process.argv.includes("--help")) process.stdout.write(help);
else await main();
