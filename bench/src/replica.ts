import { parseArgs } from "node:util";
import { adminLogin, exportReport, varianceReport } from "@stocktake/contract";
import { startStandby } from "@stocktake/server/testing/standby.ts";
import { ApiClient, type Product } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { withOtherNodes } from "./other-nodes.ts";
import { beginSession, endAndWait, openStore } from "./rehearsal/store-floor.ts";
import { adminPassword, onScale, type Scale, shopOf } from "./report/at-scale.ts";
import { download } from "./report/download.ts";
import { fillScans } from "./report/fill-scans.ts";
import { processorTime } from "./report/processes.ts";
import { median } from "./times.ts";

const usage = `What a replica for reports takes off the database: processor time of a report and an export, by who spends it, of a node
without a replica and of one with it. The standby is of the product's own PostgreSQL, on this machine.

  npm run bench:replica [-- --variants N --times N]

  --variants N  variants of the shop, ten scans each (default 100000)
  --times N     times that each is asked for (default 10)
`;

interface Machines {
  /** The product, which does nothing itself, with its database; the standby; the node that is asked. */
  readonly database: number;
  readonly replica: number;
  readonly node: number;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function countOnce(scale: Scale): Promise<string> {
  const codes = Array.from({ length: 100 }, (_value, index) => `A${index + 1}`);
  const store = await openStore(scale.admin, adminPassword, codes);
  const { sessionId } = await beginSession(scale.admin, store);
  await fillScans(scale.pool, { sessionId, varyingOneIn: 30 });
  await endAndWait(scale.admin, sessionId);
  await scale.pool.query("vacuum analyze");
  return sessionId;
}

async function measure(name: string, machines: Machines, times: number, once: () => Promise<unknown>) {
  await once();
  const read = () =>
    Promise.all([machines.database, machines.replica, machines.node].map((id) => processorTime(id)));
  const took: number[] = [];
  const before = await read();
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    await once();
    took.push(performance.now() - begun);
  }
  const after = await read();
  const [database, replica, node] = after.map((value, index) =>
    ((value - (before[index] ?? 0)) / times).toFixed(0),
  );
  print(
    `  ${name}: ${median(took).toFixed(0)} ms; processor time ${database} ms of the database, ${replica} ms of the replica, ` +
      `${node} ms of the node (${loadText()})`,
  );
}

async function measureNode(scale: Scale, node: Product, standby: number, sessionId: string, times: number) {
  const machines = {
    database: scale.product.process.pid ?? 0,
    replica: standby,
    node: node.process.pid ?? 0,
  };
  const admin = new ApiClient(node.url);
  await admin.call(adminLogin, { body: { password: adminPassword } });
  const address = (path: string, view: string) =>
    `${node.url}${path.replace(":sessionId", sessionId)}?view=${view}`;
  const get = (url: string) => () => download(url, admin.cookie ?? "", "identity");
  await measure("report view=variances", machines, times, get(address(varianceReport.path, "variances")));
  await measure("report view=all", machines, times, get(address(varianceReport.path, "all")));
  await measure("export view=all", machines, times, get(address(exportReport.path, "all")));
}

/** How many readings the node has made of the replica and of the database. */
async function readings(node: Product, token: string): Promise<string> {
  const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const lines = (await response.text()).split("\n");
  return lines.filter((line) => line.startsWith("stocktake_reports_read_total")).join(", ");
}

const metricsToken = "the bench's own token";

async function compare(scale: Scale, times: number): Promise<void> {
  const sessionId = await countOnce(scale);
  const standby = await startStandby(scale.product.dataDir, { synchronous: false });
  try {
    for (const settings of [{}, { DATABASE_REPLICA_URL: standby.url, METRICS_TOKEN: metricsToken }]) {
      const hasReplica = "DATABASE_REPLICA_URL" in settings;
      print(hasReplica ? "a node with the replica" : "a node without it");
      const use = async ([node]: readonly Product[]) => {
        if (node === undefined) throw new Error("There is no node.");
        await measureNode(scale, node, standby.processId, sessionId, times);
        if (hasReplica) print(`  ${await readings(node, metricsToken)}`);
      };
      await withOtherNodes(scale, 1, use, settings);
    }
  } finally {
    await standby.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      variants: { type: "string", default: "100000" },
      times: { type: "string", default: "10" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return print(usage);
  print(`${machineText()}, ${values.variants} variants, ${loadText()}`);
  await onScale(shopOf(Number(values.variants)), (serve) =>
    serve((scale) => compare(scale, Number(values.times))),
  );
}

await main();
