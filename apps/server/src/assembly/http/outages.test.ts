import { randomUUID } from "node:crypto";
import {
  createInvitation,
  listSessions,
  listShopifyLocations,
  postScan,
  postScanBatch,
} from "@stocktake/contract";
import { startEmulator } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDatabase } from "../../database/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { type CountingScene, countsOf, scanBody, startCounting } from "../../scanning/testing/scene.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../../testing/database-proxy.ts";
import { failWritesOf } from "../../testing/failing-writes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { testShop } from "../../testing/test-shop.ts";

const mebibyte = 1024 * 1024;

let free = 10_000 * mebibyte;
let direct: TestDatabase;
let proxy: DatabaseProxy;
let server: TestServer;
let scene: CountingScene;
let mailing = Promise.resolve();
let closeAll: () => Promise<void>;

beforeAll(async () => {
  direct = await createTestDatabase();
  proxy = await startDatabaseProxy(direct.connection);
  const { database, pool, close } = createDatabase(proxy.connection, { max: 5 });
  const emulator = await startEmulator({ catalogue: testShop });
  server = await startTestServer({
    over: { emulator, database: { database, pool, connection: proxy.connection, drop: close } },
    config: { dataDir: "/the/disk" },
    readRoom: async () => free,
    environment: {
      mailer: { kind: "outbox", send: () => mailing, check: () => Promise.resolve(true) },
    },
  });
  scene = await startCounting(server);
  closeAll = async () => {
    await server.close();
    await emulator.close();
    await close();
    await proxy.close();
    await direct.drop();
  };
});
afterAll(() => closeAll());

let seq = 0;
/** A scan as a device makes it: sent again it is the same. */
function newScan() {
  seq += 1;
  return { ...scanBody(scene, { deviceId: "device-1", seq }), opId: randomUUID() };
}

const send = (body: ReturnType<typeof newScan>) => scene.counter.api.send(postScan, { body });
const counted = async () => (await countsOf(scene))["JK-1000"] ?? 0;

/** Sends the same until it is stored. */
async function untilStored(body: ReturnType<typeof newScan>): Promise<void> {
  await vi.waitFor(async () => expect([200, 201]).toContain((await send(body)).status));
}

const unavailable = { status: 503, body: { code: "STORAGE_UNAVAILABLE" } };

describe("a full disk", () => {
  test("is a clear 503 that says when to try again; reading goes on, and so does storing once there is room", async () => {
    await untilStored(newScan());
    const before = await counted();
    free = 90 * mebibyte;
    const scan = newScan();
    const refused = await vi.waitFor(async () => {
      const answer = await send(scan);
      expect(answer).toMatchObject(unavailable);
      return answer;
    });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.body).toMatchObject({ error: expect.stringContaining("disk is full") });
    await server.admin.call(listSessions, {});
    free = 200 * mebibyte;
    await untilStored(scan);
    expect(await counted()).toBeGreaterThan(before);
  });

  test("that PostgreSQL meets first is the same, and no part of what was refused is stored", async () => {
    const before = await counted();
    const [single, ofBatch] = [newScan(), newScan()];
    const repair = await failWritesOf({ ...server, database: direct }, "scan_totals");
    const refused = await send(single);
    const { results } = await scene.counter.api.call(postScanBatch, { body: { scans: [ofBatch] } });
    await repair();
    expect(refused).toMatchObject(unavailable);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(JSON.stringify(refused.body)).not.toContain("extend");
    expect(results).toMatchObject([{ httpStatus: 503, code: "STORAGE_UNAVAILABLE" }]);
    expect(await counted()).toBe(before);
    for (const scan of [single, ofBatch]) await untilStored(scan);
    expect(await counted()).toBe(before + 2);
  });
});

describe("a database", () => {
  test("that restarts refuses with 503 while it is away; what was under way is stored once, and the pool recovers", async () => {
    const before = await counted();
    const scans = Array.from({ length: 20 }, newScan);
    const sent = Promise.all(scans.map(send));
    const back = proxy.away();
    for (const { status } of await sent) expect([201, 503]).toContain(status);
    expect(await send(newScan())).toMatchObject(unavailable);
    back();
    for (const scan of scans) await untilStored(scan);
    expect(await counted()).toBe(before + scans.length);
    const { rows } = await direct.pool.query(
      "select count(*)::integer as connections from pg_stat_activity where datname = current_database() and application_name = 'stocktake'",
    );
    // The pool's five, the test's own and the one that listens.
    expect(rows[0].connections).toBeLessThan(20);
  });

  test("that answers seconds later answers every scan once, and none is lost", async () => {
    const before = await counted();
    const scans = Array.from({ length: 60 }, newScan);
    // Less than what the pool and PostgreSQL give up after.
    const delayed = proxy.stall(3_000);
    const sent = Promise.all(scans.map(send));
    await delayed;
    expect((await sent).map(({ status }) => status)).toEqual(scans.map(() => 201));
    expect(await counted()).toBe(before + scans.length);
  });
});

test("scans are stored although Shopify hangs and the mail server too", async () => {
  const before = await counted();
  await server.shop.addFaults({ faults: [{ effect: { kind: "hang", when: "before" }, times: "always" }] });
  let deliver = () => {};
  mailing = new Promise((resolve) => {
    deliver = () => resolve();
  });
  const waiting = Promise.all([
    server.admin.send(listShopifyLocations, {}),
    server.admin.send(createInvitation, {
      body: {
        sessionId: scene.session._id,
        storeId: scene.store.id,
        email: "a@b.example",
        counterName: "Ann",
      },
    }),
  ]);
  await server.shop.untilHanging();
  const scans = Array.from({ length: 50 }, newScan);
  expect((await Promise.all(scans.map(send))).map(({ status }) => status)).toEqual(scans.map(() => 201));
  expect(await counted()).toBe(before + scans.length);
  deliver();
  await server.shop.clearFaults();
  await server.shop.releaseHanging();
  await waiting;
});
