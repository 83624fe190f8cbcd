import {
  deployReport,
  differencesSoFar,
  endSession,
  finishArea,
  listNeverCounted,
  type ReportItem,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { letTimePass } from "../reports/testing/passing-time.ts";
import { type CountingScene, clearAway, firstArea, scan, startCounting } from "../scanning/testing/scene.ts";
import { begin, join, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

const minute = 60_000;
const glove = { item: "GLOVE-1", location: highStreet };
const onHand = 10;

let server: TestServer;
let scene: CountingScene;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  scene = await startCounting(server, { shopifyLocation: highStreet, areaCodes: ["A1"] });
});
afterEach(async () => {
  await clearAway(server);
  await server.shop.reset();
});
afterAll(() => server.close());

const poll = () => server.context.stockWatch.read();
const pass = (minutes: number) => letTimePass(server, scene.session._id, minutes * minute);

async function createGlove(stock: readonly { readonly available: number }[] = [{ available: onHand }]) {
  await server.shop.addProduct({
    title: "Glove",
    variants: [{ sku: glove.item, unitCost: "4.00", stock }],
  });
}

/** An hour into the session the glove comes into the shop, and more than an hour later into the session: every poll has passed over it. */
async function growByGlove(): Promise<void> {
  await pass(60);
  await createGlove();
  await poll();
  await pass(67);
  await poll();
  await server.context.catalogue.refresh();
}

const count = (quantity: number) =>
  scan(scene, {
    ...{ input: glove.item, inputType: "sku", quantity },
    scannedAt: new Date(server.context.clock.now()).toISOString(),
  });

const closeArea = (declaredTotal: number) =>
  scene.counter.api.call(finishArea, {
    body: { ...firstArea(scene), deviceId: "device-1", declaredTotal },
  });

/** Ten minutes after it was counted one is sold, and half an hour later the session ends. */
async function sellAndEnd(): Promise<ReportItem | undefined> {
  await pass(10);
  await poll();
  await pass(10);
  await server.shop.sell({ ...glove, quantity: 1 });
  await poll();
  await pass(30);
  await poll();
  await server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  const params = { sessionId: scene.session._id };
  await server.admin.call(setBasis, { params, body: { basis: "count" } });
  const { items } = await server.admin.call(varianceReport, { params, query: { view: "all" } });
  return items.find(({ sku }) => sku === glove.item);
}

async function deployed(): Promise<number> {
  await server.admin.call(deployReport, {
    params: { sessionId: scene.session._id },
    body: { stockFound: true },
  });
  return (await server.shop.stock(glove)).on_hand;
}

/** Minutes before now, and on hand. */
async function readings(): Promise<[number, number][]> {
  const rows = await server.database.database
    .selectFrom("stockReadings")
    .select(["readAt", "onHand"])
    .where("sessionId", "=", scene.session._id)
    .where("sku", "=", glove.item)
    .orderBy("readAt")
    .execute();
  return rows.map(({ readAt, onHand }) => [
    Math.round((server.context.clock.now() - readAt.getTime()) / minute),
    onHand,
  ]);
}

const failLiveLevels = () =>
  server.shop.addFaults({
    faults: [
      {
        match: { operation: "LiveLevels" },
        effect: { kind: "status", status: 403, when: "before" },
        times: "always",
      },
    ],
  });

async function liveLevelCalls(): Promise<number> {
  const { calls } = await server.shop.calls();
  return calls.filter(({ operation }) => operation === "LiveLevels").length;
}

async function difference() {
  const { differences } = await server.admin.call(differencesSoFar, { params: { id: scene.session._id } });
  return differences.find(({ sku }) => sku === glove.item);
}

async function missed() {
  const { rows } = await server.admin.call(listNeverCounted, {
    params: { id: scene.session._id },
    query: {},
  });
  return rows.find(({ sku }) => sku === glove.item);
}

describe("a product that comes into the shop while a session counts", () => {
  test("is compared with what was on hand when it was counted, though it is sold afterwards", async () => {
    await growByGlove();
    await poll();
    expect(await readings()).toEqual([
      [127, 0],
      [67, onHand],
    ]);
    await count(onHand);
    expect(await sellAndEnd()).toMatchObject({
      ...{ counted: onHand, endOnHand: onHand - 1, uncertain: null },
      ...{ varianceAtCount: { low: 0, high: 0 }, wouldMove: 0 },
    });
    expect(await deployed()).toBe(onHand - 1);
  });

  test("is uncertain where its level was not read before it was sold, and no reading is made up", async () => {
    await growByGlove();
    await failLiveLevels();
    await poll();
    expect(await readings()).toEqual([]);
    await count(onHand);
    const row = await sellAndEnd();
    expect(row).toMatchObject({
      ...{ uncertain: "COUNTED_ACROSS_GAP", skipReason: "COUNTED_ACROSS_GAP" },
      varianceAtCount: { low: 1, high: onHand },
    });
    // Nothing at the session's start, when it was not there; what is left since it was sold.
    expect(await readings()).toEqual([
      [177, 0],
      [30, onHand - 1],
    ]);
    await server.shop.clearFaults();
    expect(await deployed()).toBe(onHand - 1);
  });

  test("is no difference while nobody knows its stock, and then one of what is really missing", async () => {
    await growByGlove();
    await count(onHand - 2);
    await closeArea(onHand - 2);
    expect(await difference()).toBeUndefined();
    await poll();
    expect(await difference()).toMatchObject({ counted: onHand - 2, onHand, difference: -2 });
  });

  test("is looked for as soon as its stock is known", async () => {
    await growByGlove();
    expect(await missed()).toBeUndefined();
    await poll();
    expect(await missed()).toMatchObject({ onHand });
  });

  test.each([
    ["that holds nothing", [{ available: 0 }]],
    ["that is not stocked", []],
  ])("is asked for once, also one %s", async (_name, stock) => {
    await pass(60);
    await createGlove(stock);
    await pass(10);
    await server.context.catalogue.refresh();
    await server.shop.clearCalls();
    await poll();
    expect(await liveLevelCalls()).toBe(1);
    expect((await readings()).at(-1)?.[1]).toBe(0);
    await poll();
    expect(await liveLevelCalls()).toBe(1);
    await count(1);
    await closeArea(1);
    expect(await difference()).toMatchObject({ onHand: 0, difference: 1 });
  });

  test("and goes again before it was read is known to have nothing", async () => {
    await growByGlove();
    await server.shop.deleteVariant({ item: glove.item });
    await poll();
    expect(await readings()).toEqual([[0, 0]]);
    await server.shop.clearCalls();
    await poll();
    expect(await liveLevelCalls()).toBe(0);
  });
});

test("what is created while the start is read, after the reading has passed its place, is read like any other that comes later", async () => {
  await clearAway(server);
  const store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1"] });
  await server.shop.addFaults({
    faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "after" } }],
  });
  const starting = begin(server, store);
  await server.shop.untilHanging();
  await createGlove();
  await server.shop.releaseHanging();
  const session = await starting;
  scene = { server, store, session, counter: await join(server, session) };
  await poll();
  await pass(60);
  await poll();
  await server.context.catalogue.refresh();
  await poll();
  await count(onHand);
  expect(await sellAndEnd()).toMatchObject({ uncertain: null, varianceAtCount: { low: 0, high: 0 } });
});
