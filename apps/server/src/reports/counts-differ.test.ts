import {
  adjustCount,
  deployReport,
  endSession,
  exportReport,
  includeFigures,
  previewDeploy,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reopenFirstArea } from "../scanning/testing/endings.ts";
import {
  type CountingScene,
  clearAway,
  codes,
  scan,
  scanTimes,
  startCounting,
} from "../scanning/testing/scene.ts";
import {
  askAgain,
  choose,
  countInTurn,
  countShelf,
  differencesOf,
  finishAs,
  joinAs,
  type Shelf,
} from "../scanning/testing/second-counts.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

const { sku } = codes.jacketS;
const reason = "COUNTS_DIFFER";
const inDoubt = { uncertain: reason, included: false, skipReason: reason, wouldMove: null };
const certain = { uncertain: null, skipReason: null };

let server: TestServer;
let scene: CountingScene;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearAway(server);
  const quantities = { available: 9, committed: 0 };
  await server.shop.setStock({ item: sku, location: highStreet, quantities });
  scene = await startCounting(server, { shopifyLocation: highStreet });
});

const countedAs = (...shelves: readonly Shelf[]) => countInTurn(scene, shelves);

const params = () => ({ sessionId: scene.session._id });
const end = () => server.admin.call(endSession, { body: params() });
const rowOf = async (view: "all" | "variances" = "variances") =>
  (await server.admin.call(varianceReport, { params: params(), query: { view } })).items.find(
    (item) => item.sku === sku,
  );
const deploy = async () => {
  const { skipped } = await server.admin.call(deployReport, { params: params(), body: {} });
  return skipped.filter((row) => row.sku === sku);
};
const onHand = async () => (await server.shop.stock({ item: sku, location: highStreet })).on_hand;

test("three different counts of an area leave the figure uncertain wherever it is shown, and it is not deployed", async () => {
  await countedAs({ jacketS: 5 }, { jacketS: 3 }, { jacketS: 4 });
  await end();
  expect(await rowOf()).toMatchObject({ counted: 5, variance: -4, ...inDoubt });
  const { summary } = await server.admin.call(varianceReport, { params: params(), query: {} });
  expect(summary.uncertain).toBe(1);
  const file = await server.admin.send(exportReport, { params: params(), query: {} });
  expect(String(file.body)).toContain("the counts of an area differ, and nobody has chosen one");
  expect((await server.admin.call(previewDeploy, { params: params() })).skipped).toContainEqual({
    sku,
    reason,
  });
  expect(await deploy()).toEqual([{ sku, reason }]);
  expect(await onHand()).toBe(9);
});

test("so do two others that agree on less, where one of them scanned a code that nobody could name", async () => {
  await countedAs({ jacketS: 5 });
  const { pass } = await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  const unknown = { input: codes.unknown.input, deviceId: "device-of-Ben", seq: 70, pass };
  await scan(scene, unknown, ben.api);
  await scanTimes(scene, 3, { deviceId: "device-of-Ben", seq: 80, pass });
  await finishAs(scene, ben, 3, pass);
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 3 });
  await end();
  expect(await rowOf()).toMatchObject({ counted: 5, ...inDoubt });
});

test("choosing one of the counts settles it", async () => {
  await countedAs({ jacketS: 5 }, { jacketS: 3 }, { jacketS: 4 });
  await end();
  const [difference] = await differencesOf(scene);
  if (difference === undefined) throw new Error("The counts do not differ.");
  await choose(scene, difference, "third");
  expect(await rowOf()).toMatchObject({ counted: 4, ...certain });
  expect(await deploy()).toEqual([]);
  expect(await onHand()).toBe(4);
});

test("a count by hand settles it, and so does its inclusion", async () => {
  await countedAs({ jacketS: 5 }, { jacketS: 3 });
  await end();
  expect(await rowOf()).toMatchObject(inDoubt);
  await server.admin.call(includeFigures, { params: params(), body: { skus: [sku], included: true } });
  expect(await rowOf()).toMatchObject({ ...inDoubt, included: true, skipReason: null, wouldMove: -4 });
  await server.admin.call(adjustCount, { params: params(), body: { sku, newCount: 6 } });
  expect(await rowOf()).toMatchObject({ counted: 6, ...certain });
  expect(await deploy()).toEqual([]);
  expect(await onHand()).toBe(6);
});

test("what the first count had none of is not taken for missing where a second has found some", async () => {
  await countedAs({ jacketM: 1 }, { jacketM: 1, jacketS: 3 });
  await end();
  expect(await rowOf()).toMatchObject({ counted: 0, uncertain: reason });
});

test("a figure that equals the end is shown among the variances all the same", async () => {
  await countedAs({ jacketS: 9 }, { jacketS: 8 });
  await end();
  expect(await rowOf()).toMatchObject({ counted: 9, variance: 0, ...inDoubt });
});

test("counts that agree, and those that the area has left behind, leave nothing in doubt", async () => {
  await countedAs({ jacketS: 5, jacketM: 2 }, { jacketS: 5, jacketM: 3 });
  await reopenFirstArea(scene);
  await countShelf(scene, await joinAs(scene, "Dora"), { jacketS: 5, jacketM: 2 });
  await end();
  const { items } = await server.admin.call(varianceReport, { params: params(), query: { view: "all" } });
  expect(items.filter(({ uncertain }) => uncertain !== null)).toEqual([]);
});
