import { endSession, productMap, startSession } from "@stocktake/contract";
import { syntheticCatalogue } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { catalogueRoutes } from "../catalogue/catalogue.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { sessionRoutes } from "./routes.ts";

/** Enough for the shop to be read by an export instead of page by page. */
const variants = 2_400;
let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer({
    slices: [authRoutes, sessionRoutes, catalogueRoutes],
    catalogue: syntheticCatalogue(variants),
  });
  store = await makeStore(server, { shopifyLocation: "First Floor" });
});
afterAll(() => server.close());

test("a large shop's export that fails leaves no session behind, and a session active at its end", async () => {
  const failing = { faults: [{ effect: { kind: "bulkFails", status: "FAILED" } }] } as const;
  await server.shop.addFaults(failing);
  expect(await server.admin.refusal(startSession, { body: { storeId: store.id } })).toMatchObject({
    status: 502,
    code: "PLATFORM_ERROR",
  });
  expect(await server.database.database.selectFrom("sessions").select("id").execute()).toEqual([]);

  const session = await begin(server, store);
  expect(session.snapshot).toEqual({ status: "complete", items: variants });
  await server.shop.addFaults(failing);
  expect(await server.admin.refusal(endSession, { body: { sessionId: session._id } })).toMatchObject({
    status: 502,
  });
  expect(await server.admin.call(endSession, { body: { sessionId: session._id } })).toMatchObject({
    session: { status: "closed", snapshot: { items: variants } },
  });
  const { rows } = await server.database.pool.query(
    "select kind, status, done, total from operations order by created_at",
  );
  expect(rows.map(({ kind, status }) => [kind, status])).toEqual([
    ["start", "failed"],
    ["start", "done"],
    ["end", "failed"],
    ["end", "done"],
  ]);
  expect(rows[1]).toMatchObject({ done: variants, total: variants });
});

test("a large shop's product map has each product once, in order", async () => {
  const session = await begin(server, store);
  const { products } = await server.admin.call(productMap, { query: { storeId: store.id } });
  const { rows } = await server.database.pool.query(
    "select sku from session_items where session_id = $1 order by sku",
    [session._id],
  );
  expect(rows).toHaveLength(variants);
  expect(products.map(({ sku }) => sku)).toEqual(rows.map(({ sku }) => sku));
});
