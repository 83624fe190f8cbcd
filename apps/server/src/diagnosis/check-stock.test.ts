import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { clearStores, makeStore } from "../testing/scenes.ts";
import type { TestServer } from "../testing/test-server.ts";
import { harbour, highStreet } from "../testing/test-shop.ts";
import { checkLocations } from "./check-stock.ts";
import { findingsOf, startBeside, startServer } from "./testing.ts";

let server: TestServer;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await startServer();
  await server.context.catalogue.refresh();
});
beforeEach(() => clearStores(server));
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  setLocation(true);
});
afterAll(() => server.close());

/** By a server of its own, as one gives its last answer for a while. */
async function found(check: "shopify" | "products") {
  const beside = await startBeside(server);
  closing.push(beside.close);
  return (await findingsOf(beside, check)).slice(1);
}

function setLocation(isActive: boolean): void {
  const { store: shop } = server.emulator;
  shop.locations = shop.locations.map((each) => (each.name === highStreet ? { ...each, isActive } : each));
}

async function countSince(minutes: number): Promise<void> {
  const { id, shopifyLocationId } = await makeStore(server, { shopifyLocation: highStreet });
  await server.database.pool.query(
    `insert into sessions (store_id, status, scope, shop_domain, currency, items, shopify_location_id, start_snapshot_at, started_at, stock_read_at)
     select $1, 'active', 'full', shop_domain, 'USD', 0, $2, now() - interval '2 hours', now() - interval '2 hours',
       now() - make_interval(mins => $3) from installation`,
    [id, shopifyLocationId, minutes],
  );
}

test("stock levels that can't be read while a session counts are warned of, with what is safe and what to do", async () => {
  const message = "No session counts, so Shopify's stock levels are not read.";
  expect(await found("products")).toEqual([{ check: "products", status: "ok", message, advice: null }]);
  await countSince(2);
  expect(await found("products")).toMatchObject([
    { status: "ok", message: expect.stringContaining("each minute") },
  ]);
  await server.database.pool.query("update sessions set stock_read_at = now() - interval '12 minutes'");
  expect(await found("products")).toEqual([
    {
      check: "products",
      status: "warning",
      message: expect.stringMatching(/could not be read since \d{4}-.* UTC .* no scan is lost\./),
      advice: expect.stringContaining("The movement of stock could not be read"),
    },
  ]);
});

test("stores whose Shopify location is gone or not active are named, those that are not counted any more left out", async () => {
  expect(await found("shopify")).toEqual([]);
  await makeStore(server, { shopifyLocation: highStreet, name: "The Corner" });
  await makeStore(server, { shopifyLocation: harbour });
  expect(await found("shopify")).toEqual([
    {
      check: "shopify",
      status: "ok",
      message: "2 active stores have their Shopify location.",
      advice: null,
    },
  ]);
  setLocation(false);
  expect(await found("shopify")).toEqual([
    {
      check: "shopify",
      status: "warning",
      message: expect.stringMatching(/no longer has the location of The Corner, or .* Every scan is kept/),
      advice: expect.stringContaining("activate it in Shopify"),
    },
  ]);
  await server.database.pool.query("update stores set is_active = false where name = 'The Corner'");
  expect(await found("shopify")).toMatchObject([
    { status: "ok", message: expect.stringMatching(/^1 active/) },
  ]);
});

test("of many stores without a location the first few are named", () => {
  const stores = ["A", "B", "C", "D", "E", "F", "G"].map((name) => ({ name, shopifyLocationId: name }));
  expect(checkLocations(stores, []).message).toContain(
    "the locations of A, B, C, D, E and 2 others, or they",
  );
});
