import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";

test("every answer names its request, also one to a path that can't be read", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
  const server = await startTestServer({ environment: { logger } });
  const ids = await Promise.all(
    ["/api/health", "/api/nothing", "/api/areas/by-location/%E0%A4%A"].map(async (path) => {
      const { headers } = await fetch(`${server.url}${path}`);
      return headers.get("x-request-id");
    }),
  );
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(ids).size).toBe(3);
  await server.database.pool.query("alter table stores rename to shops");
  const { status, headers } = await server.admin.send(contract.listStores, {});
  expect(status).toBe(500);
  const failure = lines
    .map((line) => JSON.parse(line))
    .find(({ msg }) => msg === "A call failed unexpectedly");
  expect(failure.requestId).toBe(headers.get("x-request-id"));
  await server.close();
});
