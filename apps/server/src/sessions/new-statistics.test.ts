import { syntheticCatalogue } from "@stocktake/shopify-emulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { authRoutes } from "../auth/routes.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { sessionRoutes } from "./routes.ts";

const variants = 1_200;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    slices: [authRoutes, sessionRoutes],
    catalogue: syntheticCatalogue(variants),
  });
});
afterAll(() => server.close());

const Plans = z.array(
  z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: z.object({ "Plan Rows": z.int() }) })]) }),
);

/** How many rows of the session PostgreSQL expects. */
async function expectedRows(sessionId: string): Promise<number> {
  const { database } = server.database;
  const { rows } = await sql`
    explain (format json) select from session_items where session_id = ${sql.lit(sessionId)}`.execute(
    database,
  );
  return Plans.parse(rows)[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

test("of a session that has just begun PostgreSQL expects its rows, though others were there when it last counted them", async () => {
  for (const shopifyLocation of ["First Floor", "Second Floor"]) {
    const session = await begin(server, await makeStore(server, { name: shopifyLocation, shopifyLocation }));
    expect(await expectedRows(session._id)).toBeGreaterThan(variants / 2);
  }
});
