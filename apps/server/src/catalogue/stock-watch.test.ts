import { endSession } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { harbour, highStreet } from "../testing/test-shop.ts";
import { changedSince } from "./stock-watch.ts";

let server: TestServer;
let street: TestStore;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
  street = await makeStore(server, { shopifyLocation: highStreet });
});
afterEach(() => server.shop.clearFaults());
afterAll(() => server.close());

async function readingsOf(sessionId: string, sku: string) {
  const { rows } = await server.database.pool.query(
    "select read_at, on_hand from stock_readings where session_id = $1 and sku = $2 order by read_at",
    [sessionId, sku],
  );
  return rows as { read_at: Date; on_hand: number }[];
}

test("a change leaves what stock had still been at the reading before, and what it was found to be", async () => {
  const session = await begin(server, street);
  await server.context.stockWatch.read();
  const before = server.context.clock.now();
  await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 3 });
  await server.shop.sell({ item: "JK-1001", location: harbour, quantity: 1 });
  await server.context.stockWatch.read();
  const readings = await readingsOf(session._id, "JK-1000");
  expect(readings.map(({ on_hand }) => on_hand)).toEqual([7, 4]);
  expect(readings[0]?.read_at.getTime()).toBeLessThanOrEqual(before);
  expect(readings[1]?.read_at.getTime()).toBeGreaterThanOrEqual(before);
  expect(await readingsOf(session._id, "JK-1001")).toEqual([]);

  await server.context.stockWatch.read();
  expect(await readingsOf(session._id, "JK-1000")).toHaveLength(2);

  await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  await server.admin.call(endSession, { body: { sessionId: session._id } });
  const atEnd = await readingsOf(session._id, "JK-1000");
  expect(atEnd.map(({ on_hand }) => on_hand)).toEqual([7, 4, 3]);
});

test("a session that can't be read is read from where it was the next time", async () => {
  const store = await makeStore(server, { shopifyLocation: harbour });
  const session = await begin(server, store);
  await server.shop.sell({ item: "JK-1000", location: harbour, quantity: 1 });
  await server.shop.addFaults({
    faults: [
      {
        match: { operation: "ChangedLevels" },
        effect: { kind: "status", status: 500, when: "before" },
        times: "always",
      },
    ],
  });
  await server.context.stockWatch.read(store.shopifyLocationId);
  expect(await readingsOf(session._id, "JK-1000")).toEqual([]);
  await server.shop.clearFaults();
  await server.context.stockWatch.read(store.shopifyLocationId);
  expect((await readingsOf(session._id, "JK-1000")).map(({ on_hand }) => on_hand)).toEqual([1, 0]);
});

test("a change that is found again changes nothing, and one that came back is kept", async () => {
  const session = await begin(server, street);
  await server.shop.sell({ item: "JK-1002", location: highStreet, quantity: 1 });
  await server.context.stockWatch.read();
  await server.context.stockWatch.read();
  expect(await readingsOf(session._id, "JK-1002")).toHaveLength(2);
});

test.each([
  ["by Shopify's clock", new Date("2026-03-01T09:00:04Z")],
  ["by ours, where nobody knew Shopify's", null],
])(
  "what moved while a large shop was exported for the start is found by the first poll, %s",
  async (_name, stockWatermark) => {
    const asked: Date[] = [];
    const platform = {
      async *changedLevels(_location: string, since: Date) {
        asked.push(since);
        yield [];
      },
    };
    const startSnapshotAt = new Date("2026-03-01T09:00:00Z");
    const session = { shopifyLocationId: street.shopifyLocationId, startSnapshotAt, stockReadAt: null };
    await changedSince(platform, { ...session, stockWatermark });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.getTime()).toBeLessThan(startSnapshotAt.getTime());
  },
);
