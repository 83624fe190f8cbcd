import {
  decideExceptions,
  deployReport,
  endSession,
  exceptionGroups,
  rollbackReport,
  type SessionScope,
  setBasis,
  takeBackDecisions,
  varianceReport,
} from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RandomRun } from "../../scanning/testing/random-run.ts";
import { step } from "../../scanning/testing/random-steps.ts";
import { type CountingScene, clearAway, codes, startCounting } from "../../scanning/testing/scene.ts";
import { putWaiting } from "../../scanning/testing/waiting.ts";
import { begin, join, makeAreas } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { adjust, expectToAddUp, explain } from "./testing.ts";

const { sku } = codes.jacketS;
const skus = [sku, codes.jacketM.sku, codes.jacketL.sku];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const end = ({ session }: CountingScene) =>
  server.admin.call(endSession, { body: { sessionId: session._id } });
const ofReport = ({ session }: CountingScene) => ({ params: { sessionId: session._id } });
const deploy = (scene: CountingScene) => server.admin.send(deployReport, { ...ofReport(scene), body: {} });
const rollBack = (scene: CountingScene) => server.admin.send(rollbackReport, ofReport(scene));

/** In two areas that are in their first pass. */
async function newRun(scene: CountingScene): Promise<RandomRun> {
  const { id: storeId, locationId } = scene.store;
  const areas = await makeAreas(server, { storeId, locationId, codes: ["B1", "B2"] });
  const passes = areas.map(({ id }) => ({ sessionId: scene.session._id, areaId: id, pass: 1 }));
  await server.database.database.insertInto("areaPasses").values(passes).execute();
  return new RandomRun(scene, areas);
}

/** A session that has ended, and one that counts the same store after it. */
async function startAfterAnother(
  scope: SessionScope = "partial",
): Promise<{ earlier: CountingScene; scene: CountingScene }> {
  const earlier = await startCounting(server);
  await end(earlier);
  for (const [index, of] of skus.entries()) await adjust(earlier, of, 30 + index);
  const session = await begin(server, earlier.store, scope);
  return { earlier, scene: { ...earlier, session, counter: await join(server, session) } };
}

/** Accepts every late scan, of which there is at least one, or takes that back. */
async function acceptLate(scene: CountingScene): Promise<string[]> {
  const params = { id: scene.session._id };
  const { groups } = await server.admin.call(exceptionGroups, { params, query: {} });
  const scanIds = groups.filter(({ acceptable }) => acceptable).flatMap((group) => group.scanIds);
  await server.admin.call(decideExceptions, { params, body: { action: "accept", scanIds } });
  return scanIds;
}

const history = fc.record({
  scope: fc.constantFrom("full" as const, "partial" as const),
  before: fc.array(step, { maxLength: 16 }),
  sold: fc.nat({ max: 3 }),
  after: fc.array(step, { maxLength: 16 }),
  basis: fc.constantFrom("end" as const, "count" as const),
  another: fc.constantFrom("moves nothing", "deploys while it counts", "deploys after its end"),
  takesBack: fc.boolean(),
  byHand: fc.array(fc.record({ of: fc.constantFrom(...skus), count: fc.nat({ max: 20 }) }), { maxLength: 3 }),
  late: fc.nat({ max: 2 }),
  thinksBetter: fc.boolean(),
  moves: fc.constantFrom("nothing", "deployed", "rolled back"),
});

test("whatever has happened, every number of an explanation adds up to its row's in the report", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ before, sold, after, basis, another, byHand, ...then }) => {
      const { earlier, scene } = await startAfterAnother(then.scope);
      const run = await newRun(scene);
      for (const each of before) await run.perform(each);
      const item = { item: sku, location: scene.store.shopifyLocationId, quantity: 1 };
      for (let unit = 0; unit < sold; unit += 1) await server.shop.sell(item);
      await server.context.stockWatch.read();
      if (another === "deploys while it counts") await deploy(earlier);
      for (const each of after) await run.perform(each);
      if (then.late > 0)
        await putWaiting(scene, scene.counter, { count: then.late, status: "late", sku, pass: 1 });
      await end(scene);
      await server.admin.call(setBasis, { ...ofReport(scene), body: { basis } });
      if (another === "deploys after its end") await deploy(earlier);
      if (then.takesBack) await rollBack(earlier);
      const scannedThen = new Map<string, number>();
      for (const { of, count } of byHand) {
        if (!scannedThen.has(of)) scannedThen.set(of, (await explain(scene, of)).scanned);
        await adjust(scene, of, count);
      }
      if (then.late > 0) {
        const params = { id: scene.session._id };
        const scanIds = await acceptLate(scene);
        if (then.thinksBetter) await server.admin.call(takeBackDecisions, { params, body: { scanIds } });
      }
      if (then.moves !== "nothing") await deploy(scene);
      if (then.moves === "rolled back") await rollBack(scene);
      const report = await server.admin.call(varianceReport, { ...ofReport(scene), query: { view: "all" } });
      for (const of of skus) {
        const explained = await explain(scene, of);
        expectToAddUp(explained, scannedThen.get(of));
        expect(explained.item).toEqual(report.items.find((each) => each.sku === of) ?? explained.item);
      }
      await clearAway(server);
    }),
    { numRuns: 8 },
  );
});

test("what another session has moved is told where that session has not counted it, and where it has taken it back", async () => {
  await server.shop.reset();
  const { earlier, scene } = await startAfterAnother();
  await deploy(earlier);
  await end(scene);
  await rollBack(earlier);
  await server.database.database
    .deleteFrom("countAdjustments")
    .where("sessionId", "=", earlier.session._id)
    .execute();
  const explained = await explain(scene);
  expectToAddUp(explained);
  const { item, deploy: told, otherCounts } = explained;
  expect(otherCounts.filter(({ session }) => session._id === earlier.session._id)).toEqual([]);
  expect(told.movedByOthers).toBe(item.startOnHand - item.endOnHand);
  expect(told.movesByOthers).toMatchObject([
    { session: { _id: earlier.session._id }, direction: "rollback", delta: told.movedByOthers },
  ]);
  await clearAway(server);
});

test("of many moves the newest are told, and the sum of those before them", async () => {
  await server.shop.reset();
  const { earlier, scene } = await startAfterAnother();
  await end(scene);
  for (let turn = 0; turn < 11; turn += 1) {
    await deploy(earlier);
    await rollBack(earlier);
  }
  const explained = await explain(scene);
  expectToAddUp(explained);
  const { movesByOthers = [], earlierByOthers } = explained.deploy;
  expect(movesByOthers.map(({ direction }) => direction)).toEqual(
    Array.from({ length: 20 }, (_none, index) => (index % 2 === 0 ? "rollback" : "deploy")),
  );
  expect(earlierByOthers).toEqual({ moves: 2, delta: 0 });
  await clearAway(server);
});

test("a session that has counted it since the deploy is not named as why the deploy left it out", async () => {
  await server.shop.reset();
  const { earlier, scene } = await startAfterAnother("full");
  const reasonOf = async () => (await explain(earlier, "BELT-1")).deploy.skipReason;
  await deploy(earlier);
  expect(await reasonOf()).toBe("NOT_COUNTED");
  await end(scene);
  expect(await reasonOf()).toBe("NOT_COUNTED");
  await clearAway(server);
});

test("what others move once a report is deployed is nothing that its deploy has left out", async () => {
  await server.shop.reset();
  const { earlier, scene } = await startAfterAnother();
  await deploy(earlier);
  await end(scene);
  await adjust(scene, sku, 31);
  await deploy(scene);
  expect((await explain(scene)).deploy.moved).toBe(1);
  const explained = await explain(earlier);
  expectToAddUp(explained);
  expect(explained.deploy).toMatchObject({ movedByOthers: 0, movesByOthers: [] });
  await clearAway(server);
});
