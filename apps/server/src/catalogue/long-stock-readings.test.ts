import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import type { ShopifyPlatform } from "../shopify/platform.ts";
import { createHeldClock, type HeldClock } from "../testing/held-clock.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { harbour, highStreet } from "../testing/test-shop.ts";
import { createStockWatch, type StockWatch } from "./stock-watch.ts";

const minute = 60_000;

let server: TestServer;
let large: TestStore;
let largeId: string;
let otherId: string;

let clock: HeldClock;
let watch: StockWatch;
/** The locations that Shopify was asked about. */
let asked: string[];
/** Lets the large location's levels be read. */
let release: () => void;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
  large = await makeStore(server, { shopifyLocation: highStreet });
  const other = await makeStore(server, { shopifyLocation: harbour });
  largeId = (await begin(server, large))._id;
  otherId = (await begin(server, other))._id;
});
beforeEach(async () => {
  // As if nothing had been read since the start: each test has its own time.
  await server.database.pool.query("delete from stock_readings");
  await server.database.pool.query("update sessions set stock_read_at = null, stock_watermark = null");
  clock = createHeldClock();
  asked = [];
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  watch = createStockWatch({ ...server.context, clock, platform: platformHeldBy(released) });
});
afterAll(() => server.close());

/** A platform that reads the levels of the large location by an export, which ends when it is let. */
function platformHeldBy(released: Promise<void>): ShopifyPlatform {
  const { platform } = server.context;
  return {
    ...platform,
    async *changedLevels(location, since, signal) {
      asked.push(location);
      if (location === large.shopifyLocationId) await Promise.race([released, aborted(signal)]);
      yield* platform.changedLevels(location, since, signal);
    },
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

const sell = (location: string) => server.shop.sell({ item: "JK-1000", location, quantity: 1 });
const timesAsked = (store: TestStore) => asked.filter((each) => each === store.shopifyLocationId).length;

async function readingsOf(sessionId: string): Promise<number> {
  const { rows } = await server.database.pool.query(
    "select from stock_readings where session_id = $1 and touched",
    [sessionId],
  );
  return rows.length;
}

async function untilRead(sessionId: string, readings: number): Promise<void> {
  await vi.waitFor(async () => expect(await readingsOf(sessionId)).toBe(readings));
}

test("a reading that takes long holds up no other session's, is begun once, and is kept however long it took", async () => {
  await sell(highStreet);
  await server.shop.setStock({ item: "JK-1000", location: harbour, quantities: { available: 5 } });
  const poll = watch.read();
  await untilRead(otherId, 1);
  clock.pass(50_000);
  await poll;
  await sell(harbour);
  await watch.read();
  await untilRead(otherId, 2);
  clock.pass(20 * minute);
  await watch.read(large.shopifyLocationId);
  expect(timesAsked(large)).toBe(1);
  release();
  await untilRead(largeId, 1);
  await watch.read(large.shopifyLocationId);
  expect(timesAsked(large)).toBe(2);
});

test("a reading that got stuck is given up after all that an export may take, and the next poll reads anew", async () => {
  await sell(highStreet);
  const poll = watch.read(large.shopifyLocationId);
  await vi.waitFor(() => expect(timesAsked(large)).toBe(1));
  clock.pass(79 * minute);
  await poll;
  await watch.read(large.shopifyLocationId);
  expect(timesAsked(large)).toBe(1);
  clock.pass(minute);
  release();
  await vi.waitFor(async () => {
    await watch.read(large.shopifyLocationId);
    expect(timesAsked(large)).toBe(2);
  });
  await untilRead(largeId, 1);
});
