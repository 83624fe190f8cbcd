import { type Emulator, startEmulator } from "@stocktake/shopify-emulator";
import { pino } from "pino";
import type { DatabaseConnection } from "../database/connection.ts";
import { addressOf, createEmptyDatabase } from "../database/testing.ts";
import { readConfig } from "../kernel/config.ts";
import { type RunningServer, startServer } from "../server.ts";
import { testShop } from "./test-shop.ts";

/** What came of nodes that were started at the same moment. */
export interface StartedNodes {
  /** Those that run. */
  readonly running: readonly RunningServer[];
  /** Why the others do not. */
  readonly failures: readonly string[];
}

/** The emulated shop that starting nodes read. */
export function startShop(): Promise<Emulator> {
  return startEmulator({ catalogue: testShop });
}

/** Starts a server on a database; `direct` is what is said to be the same one without a pooler between. */
export function startNode(
  emulator: Emulator,
  connection: DatabaseConnection,
  direct?: DatabaseConnection,
): Promise<RunningServer> {
  const config = {
    ...readConfig({
      PORT: "0",
      SHOPIFY_SHOP: emulator.store.shop.myshopifyDomain,
      SHOPIFY_ACCESS_TOKEN: emulator.credentials.accessToken,
      SHOPIFY_API_URL: emulator.url,
    }),
    databaseUrl: addressOf(connection),
    databaseDirectUrl: direct === undefined ? null : addressOf(direct),
  };
  return startServer(config, pino({ level: "silent" }));
}

/** Starts that many servers at once on a database without any table, or as it was prepared, hands them over, and ends them again. */
export async function onNewDatabase(
  emulator: Emulator,
  count: number,
  check: (nodes: StartedNodes) => Promise<void>,
  prepare: (connection: DatabaseConnection) => Promise<void> = async () => {},
): Promise<void> {
  const empty = await createEmptyDatabase();
  await prepare(empty.connection);
  const starts = await Promise.allSettled(
    Array.from({ length: count }, () => startNode(emulator, empty.connection)),
  );
  const running = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const failures = starts.flatMap((start) => (start.status === "rejected" ? [String(start.reason)] : []));
  try {
    await check({ running, failures });
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await empty.drop();
  }
}
