import type { TestProject } from "vitest/node";
import { startTestServer } from "./testing.ts";

/** One PostgreSQL for all of a run's test files. Vitest calls what this returns when the run is over. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer(process.env.TEST_DATABASE_URL || undefined);
  project.provide("testServer", { connection: server.connection, template: server.template });
  return () => server.stop();
}
