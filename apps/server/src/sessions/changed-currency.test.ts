import { endSession, varianceReport } from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a shop that changes its currency while a session counts has the report in that of the unit costs", async () => {
  const session = await begin(server, await makeStore(server));
  server.emulator.store.shop = { ...server.emulator.store.shop, currencyCode: "EUR" };
  await server.shop.deleteVariant({ item: "JK-1000" });
  await server.admin.call(endSession, { body: { sessionId: session._id } });
  const { summary, items } = await server.admin.call(varianceReport, {
    params: { sessionId: session._id },
    query: { view: "all" },
  });
  expect(summary.currency).toBe("EUR");
  const costs = new Map(items.map(({ sku, unitCost }) => [sku, unitCost]));
  expect([costs.get("JK-1000"), costs.get("JK-1001")]).toEqual([null, 12.4]);
  const { rows } = await server.database.pool.query("select currency from installation");
  expect(rows).toEqual([{ currency: "EUR" }]);
});
