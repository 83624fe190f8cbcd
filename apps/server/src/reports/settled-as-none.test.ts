import {
  adjustCount,
  answerSearch,
  createSearches,
  deployReport,
  endSession,
  explainRow,
  exportReport,
  listNeverCounted,
  listUncoveredStock,
  previewDeploy,
  readSearch,
  resolveScan,
  type SessionScope,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reopenFirstArea } from "../scanning/testing/endings.ts";
import { type CountingScene, clearAway, codes, scan, startCounting } from "../scanning/testing/scene.ts";
import {
  askAgain,
  choose,
  countInTurn,
  countShelf,
  differencesOf,
  finishAs,
  firstAreaOf,
  joinAs,
  type Shelf,
} from "../scanning/testing/second-counts.ts";
import { begin, join } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

const { sku } = codes.jacketS;
/** There is as much of it in each count: it is of the area that the counts are of one. */
const same = { jacketM: 1 };
const stock = 7;

let server: TestServer;
let scene: CountingScene;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearAway(server);
  await server.shop.setStock({
    item: sku,
    location: highStreet,
    quantities: { available: stock, committed: 0 },
  });
});

async function start(scope: SessionScope): Promise<void> {
  scene = await startCounting(server, { shopifyLocation: highStreet }, scope);
}

const countedAs = (...shelves: readonly Shelf[]) =>
  countInTurn(
    scene,
    shelves.map((shelf) => ({ ...same, ...shelf })),
  );

const params = () => ({ sessionId: scene.session._id });
const end = () => server.admin.call(endSession, { body: params() });
const report = () => server.admin.call(varianceReport, { params: params(), query: { view: "all" } });
const rowOf = async () => (await report()).items.find((item) => item.sku === sku);
const onHand = async () => (await server.shop.stock({ item: sku, location: highStreet })).on_hand;
const none = {
  counted: 0,
  countedNone: true,
  areas: [],
  variance: -stock,
  uncertain: null,
  skipReason: null,
  wouldMove: -stock,
};

test.each(["partial", "full"] as const)(
  "a figure that two counts settled as 0 is a count in a %s session: in the report, its file and the deploy",
  async (scope) => {
    await start(scope);
    await countedAs({ jacketS: 3 }, {}, {});
    await end();
    expect(await rowOf()).toMatchObject(none);
    const file = String((await server.admin.send(exportReport, { params: params(), query: {} })).body);
    expect(file.split("\n").filter((line) => line.includes(sku))).toHaveLength(1);
    const { item } = await server.admin.call(explainRow, { params: params(), query: { sku } });
    expect(item).toMatchObject({ counted: 0 });
    const preview = await server.admin.call(previewDeploy, { params: params() });
    expect(preview.skipped.map((row) => row.sku)).not.toContain(sku);
    await server.admin.call(deployReport, { params: params(), body: {} });
    expect(await onHand()).toBe(0);
  },
);

test("nobody has to look for it any more", async () => {
  await start("full");
  await countedAs({ jacketS: 3 }, {}, {});
  const ofSession = { params: { id: scene.session._id }, query: {} };
  for (const call of [listNeverCounted, listUncoveredStock]) {
    const skus = (await server.admin.call(call, ofSession)).rows.map((row) => row.sku);
    expect(skus).not.toContain(sku);
    expect(skus).toContain(codes.jacketL.sku);
  }
});

test("what was said of it on a search list tells the same there as in its row", async () => {
  await start("full");
  const ofSession = { params: { id: scene.session._id } };
  await server.admin.call(createSearches, { ...ofSession, body: { skus: [sku] } });
  const ofList = { params: { id: scene.session._id, number: "1" } };
  await scene.counter.api.call(answerSearch, {
    ...ofList,
    body: { sku, answer: "not_there", deviceId: "phone" },
  });
  await countedAs({ jacketS: 3 }, {}, {});
  await end();
  const { items } = await server.admin.call(readSearch, { ...ofList, query: {} });
  expect(items).toMatchObject([{ sku, counted: true, state: "not_there" }]);
  expect(await rowOf()).toMatchObject({ countedNone: true, search: "not_there" });
});

test("an earlier session's count of it is left out of that one's deploy", async () => {
  await start("partial");
  await countShelf(scene, await joinAs(scene, "Ada"), { jacketS: 2 });
  await end();
  const earlier = params();
  const session = await begin(server, scene.store, "partial");
  scene = { ...scene, session, counter: await join(server, session) };
  await countedAs({ jacketS: 3 }, {}, {});
  await end();
  expect((await server.admin.call(previewDeploy, { params: earlier })).skipped).toContainEqual({
    sku,
    reason: "COUNTED_LATER",
  });
});

test("so is one that an administrator chose to be 0", async () => {
  await start("partial");
  await countedAs({ jacketS: 3 }, { jacketS: 2 }, {});
  const [difference] = await differencesOf(scene);
  if (difference === undefined) throw new Error("The counts do not differ.");
  await choose(scene, difference, "third");
  await end();
  expect(await rowOf()).toMatchObject(none);
  await server.admin.call(adjustCount, { params: params(), body: { sku, newCount: 2 } });
  expect(await rowOf()).toMatchObject({ counted: 2, variance: 2 - stock });
});

test("what counts elsewhere counts beside it, and nothing late does", async () => {
  await start("partial");
  await countedAs({ jacketS: 3 }, {}, {});
  await scan(scene, { areaCode: "A2", seq: 1 });
  const late = await scan(scene, { seq: 2 });
  expect(late).toMatchObject({ status: "late", reason: "AREA_CLOSED" });
  const accepted = { params: { id: late.scan._id }, body: { action: "accept" } } as const;
  expect(await server.admin.refusal(resolveScan, accepted)).toMatchObject({ code: "SECOND_COUNT_MADE" });
  await end();
  expect(await rowOf()).toMatchObject({ counted: 1, variance: 1 - stock });
});

test("what the first count had none of is no count because a second one had some by mistake", async () => {
  await start("partial");
  await countedAs({}, { jacketS: 1 }, {});
  await end();
  expect(await rowOf()).toBeUndefined();
});

test("nor is what another count of the area was settled as, once that is begun anew", async () => {
  await start("partial");
  await countedAs({ jacketS: 3 }, {}, {});
  await reopenFirstArea(scene);
  await countShelf(scene, await joinAs(scene, "Dora"), same);
  await end();
  expect(await rowOf()).toBeUndefined();
});

test("what was sold while it was counted leaves it as uncertain as any other count of it", async () => {
  await start("full");
  await countedAs({ jacketS: 3 }, {}, {});
  await server.shop.sell({ item: sku, location: highStreet, quantity: 1 });
  await end();
  await server.admin.call(setBasis, { params: params(), body: { basis: "count" } });
  const row = await rowOf();
  expect(row).toMatchObject({ counted: 0, countedNone: true });
  expect(row?.firstCountedAt).not.toBeNull();
  expect(Date.parse(row?.firstCountedAt ?? "")).toBeLessThanOrEqual(Date.parse(row?.lastCountedAt ?? ""));
});

test("it counts from when it was asked for, where a device of the count could not tell the time", async () => {
  await start("full");
  await countShelf(scene, await joinAs(scene, "Ada"), { ...same, jacketS: 3 });
  for (const name of ["Ben", "Cleo"]) {
    const by = await joinAs(scene, name);
    const { pass } = name === "Ben" ? await askAgain(scene) : await firstAreaOf(scene, by.api);
    const ahead = new Date(Date.now() + 4 * 3_600_000).toISOString();
    const of = { input: codes.jacketM.input, deviceId: `device-of-${name}`, seq: 1, pass };
    await scan(scene, { ...of, scannedAt: ahead, timeUnknown: true }, by.api);
    await finishAs(scene, by, 1, pass);
  }
  await end();
  const { firstCountedAt, lastCountedAt } = (await rowOf()) ?? {};
  expect(Date.parse(firstCountedAt ?? "")).toBeLessThan(Date.parse(lastCountedAt ?? ""));
  expect(Date.parse(lastCountedAt ?? "")).toBeLessThan(Date.now());
});
