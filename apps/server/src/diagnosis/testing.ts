import { type CheckName, diagnosis, type Finding } from "@stocktake/contract";
import { startEmulator } from "@stocktake/shopify-emulator";
import { authRoutes } from "../auth/routes.ts";
import { webhookRoutes } from "../catalogue/webhook-routes.ts";
import { createTestDatabase } from "../database/testing.ts";
import { healthRoutes } from "../health/routes.ts";
import type { Config } from "../kernel/config.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { testShop } from "../testing/test-shop.ts";
import { diagnosisRoutes } from "./routes.ts";

const slices = [authRoutes, healthRoutes, webhookRoutes, diagnosisRoutes];

export function startServer(config: Partial<Config> = {}): Promise<TestServer> {
  return startTestServer({ slices, config });
}

/** A server whose clock differs from the emulated shop's, which is ahead by so many milliseconds. */
export async function startWithShopAhead(milliseconds: number): Promise<TestServer> {
  const clock = () => Date.now() + milliseconds;
  const emulator = await startEmulator({ catalogue: testShop, clock });
  const database = await createTestDatabase();
  const server = await startTestServer({ slices, over: { emulator, database } });
  const close = async () => {
    await server.close();
    await emulator.close();
    await database.drop();
  };
  return { ...server, close };
}

/** Another server over the same database and shop that has the address of the first as its PUBLIC_URL. */
export function startBeside(
  first: TestServer,
  config: Partial<Config> = {},
  publicUrl = first.url,
): Promise<TestServer> {
  const over = { emulator: first.emulator, database: first.database };
  return startTestServer({ slices, over, config: { publicUrl: new URL(publicUrl), ...config } });
}

/** What the server's own diagnosis found of some checks, as Settings shows it. */
export async function findingsOf(server: TestServer, ...checks: readonly CheckName[]): Promise<Finding[]> {
  const { findings } = await server.admin.call(diagnosis, {});
  return findings.filter(({ check }) => checks.includes(check));
}
