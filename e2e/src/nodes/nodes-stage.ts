import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { emulatorControl } from "@stocktake/shopify-emulator";
import { type Product, startProduct } from "@stocktake/testkit";
import { startEmbeddedPostgres } from "../../../apps/server/src/embedded-postgres/embedded.ts";
import { makeDataFolder } from "../data-folder.ts";
import { openMailbox } from "../mailbox.ts";
import { adminPassword, openShop, type Stage } from "../staging.ts";
import { type DatabaseGate, openDatabaseGate } from "./database-gate.ts";
import { startRoundRobin } from "./round-robin.ts";

/** Nodes of the built product on one PostgreSQL. The stage's own product is what people reach: all of them in turn. */
export interface NodesStage extends Stage {
  readonly nodes: readonly Product[];
  readonly gate: DatabaseGate;
  /** Where the database lies. */
  readonly dataDir: string;
  /** How often the proxy has passed on each status. */
  statuses(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export const socketOf = (dataDir: string) => join(dataDir, "postgres/sockets/.s.PGSQL.5432");

/** kill -9 */
export async function killNode({ process: child }: Product): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

interface NodesOptions {
  /** PostgreSQL's. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What the nodes are told of their database, whose one address is given; by that address alone unless told. */
  readonly reach?: (gate: DatabaseGate) => Promise<Readonly<Record<string, string>>>;
}

const straight = async ({ url }: DatabaseGate) => ({ DATABASE_URL: url });

/** Starts the nodes at the same moment, on a database of their own. */
export async function openNodesStage(
  count: number,
  { settings = {}, reach = straight }: NodesOptions = {},
): Promise<NodesStage> {
  const dataDir = await makeDataFolder();
  // The user who runs PostgreSQL has to pass it.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const [emulator, mailbox] = [await openShop(), await openMailbox()];
  const gate = await openDatabaseGate(socketOf(dataDir));
  let nodes: readonly Product[] = [];
  const proxy = await startRoundRobin(() => nodes.map(({ url }) => url));
  const database = await reach(gate);
  const environment = () => ({
    ...database,
    PUBLIC_URL: proxy.url,
    SMTP_URL: mailbox.url,
    LOG_LEVEL: "error",
  });
  const start = () => startProduct({ shopifyUrl: emulator.url, adminPassword, environment });
  nodes = await Promise.all(Array.from({ length: count }, start));
  const [first] = nodes;
  if (first === undefined) throw new Error("A stage needs a node.");
  return {
    nodes,
    gate,
    dataDir,
    statuses: () => proxy.statuses,
    product: { ...first, url: proxy.url },
    mailbox,
    shop: emulatorControl(emulator.url),
    async close() {
      await Promise.all(nodes.map((node) => node.stop()));
      await proxy.close();
      await gate.close();
      await mailbox.close();
      await emulator.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
