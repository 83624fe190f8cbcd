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
  /** Those that the proxy has at present. */
  readonly nodes: readonly Product[];
  readonly gate: DatabaseGate;
  /** Where the database lies. */
  readonly dataDir: string;
  /** How often the proxy has passed on each status. */
  statuses(): Readonly<Record<string, number>>;
  /** How many requests each node has answered for the proxy, by its URL. */
  answers(): Readonly<Record<string, number>>;
  /** Starts so many further nodes at the same moment, of this tree's build unless told, and gives each to the proxy once it is ready. */
  add(count: number, serverProgram?: string): Promise<readonly Product[]>;
  /** Takes a node from the proxy, and then stops it. */
  takeOut(node: Product): Promise<void>;
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
  /** Of the nodes that it begins with; this tree's build unless told. */
  readonly serverProgram?: string;
}

const straight = async ({ url }: DatabaseGate) => ({ DATABASE_URL: url });

/** Starts the nodes at the same moment, on a database of their own. */
export async function openNodesStage(
  count: number,
  { settings = {}, reach = straight, serverProgram }: NodesOptions = {},
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
  const options = { shopifyUrl: emulator.url, adminPassword, environment };
  const startOne = async (program: Pick<NodesOptions, "serverProgram">) => {
    const node = await startProduct({ ...options, ...program });
    nodes = [...nodes, node];
    return node;
  };
  const add = (more: number, program?: string) => {
    const given = program === undefined ? {} : { serverProgram: program };
    return Promise.all(Array.from({ length: more }, () => startOne(given)));
  };
  const [first] = await add(count, serverProgram);
  if (first === undefined) throw new Error("A stage needs a node.");
  return {
    get nodes() {
      return nodes;
    },
    gate,
    dataDir,
    statuses: () => proxy.statuses,
    answers: () => proxy.answers,
    add,
    async takeOut(node) {
      nodes = nodes.filter((each) => each !== node);
      await node.stop();
    },
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
