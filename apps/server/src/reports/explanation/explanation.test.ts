import {
  adjustCount,
  type CallAnswer,
  deployReport,
  endSession,
  explainRow,
  limits,
  rollbackReport,
  varianceReport,
} from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { RandomRun } from "../../scanning/testing/random-run.ts";
import { step } from "../../scanning/testing/random-steps.ts";
import {
  type CountingScene,
  clearAway,
  codes,
  scan,
  scanTimes,
  startCounting,
} from "../../scanning/testing/scene.ts";
import { askAgain, choose, countShelf, differencesOf, joinAs } from "../../scanning/testing/second-counts.ts";
import { putWaiting } from "../../scanning/testing/waiting.ts";
import { begin, join, makeAreas } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

type Explanation = CallAnswer<typeof explainRow>;

const { sku } = codes.jacketS;
const skus = [sku, codes.jacketM.sku, codes.jacketL.sku];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
afterEach(() => clearAway(server));

const end = ({ session }: CountingScene) =>
  server.admin.call(endSession, { body: { sessionId: session._id } });

function explain(
  { session }: CountingScene,
  of: string = sku,
  page: { limit?: string; cursor?: string } = {},
) {
  return server.admin.call(explainRow, { params: { sessionId: session._id }, query: { sku: of, ...page } });
}

function adjust({ session }: CountingScene, of: string, newCount: number, reason = "shelf looked at again") {
  const params = { sessionId: session._id };
  return server.admin.call(adjustCount, { params, body: { sku: of, newCount, reason } });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Exact: an amount is whole hundredths, whatever binary fraction it is held as. */
function centsOf(money: number): bigint {
  const [whole = "", fraction = ""] = money.toFixed(2).split(".");
  expect(Number(`${whole}.${fraction}`)).toBe(money);
  return BigInt(whole + fraction);
}

/** What is of unknown cost has no cost impact, and none of 0 either. */
function expectCostToAddUp({ unitCost, costImpact, variance }: Explanation["item"]): void {
  if (unitCost === null || costImpact === null) expect([unitCost, costImpact]).toEqual([null, null]);
  else expect(centsOf(costImpact)).toBe(centsOf(unitCost) * BigInt(variance));
}

/** Every number of the explanation leads to the row's. */
function expectToAddUp(explained: Explanation): void {
  const { item, passes, scans, counts, parts, readings, deploy } = explained;
  const unitsOf = (isWanted: (status: string) => boolean) =>
    sum(scans.filter(({ status }) => isWanted(status)).map(({ quantity }) => quantity));
  expect(sum(passes.map(({ units }) => units))).toBe(explained.scanned);
  expect(unitsOf((status) => status === "counted")).toBe(explained.scanned);
  for (const { area, pass, units, leftOut, counters } of passes) {
    const here = scans.filter((each) => each.areaId === area._id && each.pass === pass);
    const ofCounted = here.filter(({ status }) => status === "counted").map(({ quantity }) => quantity);
    expect([sum(counters.map((each) => each.units)), sum(ofCounted)]).toEqual([units, units]);
    expect(sum(counters.map((each) => each.leftOut))).toBe(leftOut);
    expect(sum(here.map(({ quantity }) => quantity))).toBe(units + leftOut);
    expect(sum(counters.map((each) => each.scans))).toBe(here.length);
  }
  expect(item.counted).toBe(counts[0]?.newCount ?? explained.scanned);
  expect(counts.at(-1)?.previousCount ?? explained.scanned).toBe(explained.scanned);
  expect([readings.at(0)?.onHand, readings.at(-1)?.onHand]).toEqual([item.startOnHand, item.endOnHand]);
  expect(item.counted - item.startOnHand).toBe(parts.fromStart);
  expect(parts.naturalMovement + parts.variance).toBe(parts.fromStart);
  expect(item.variance).toBe(parts.variance);
  expectCostToAddUp(item);
  expect(parts.afterCount.low + parts.atCount.high).toBe(parts.variance);
  expect(parts.afterCount.high + parts.atCount.low).toBe(parts.variance);
  const moved = deploy.rows.filter(({ state }) => state === "confirmed").map(({ delta }) => delta);
  expect([deploy.moved, item.deployed]).toEqual([sum(moved), sum(moved)]);
  if (deploy.wouldMove === null) return;
  expect(deploy.wouldMove).toBe(deploy.variance.low - deploy.moved - (deploy.movedByOthers ?? 0));
}

/** In two areas that are in their first pass. */
async function newRun(scene: CountingScene): Promise<RandomRun> {
  const { id: storeId, locationId } = scene.store;
  const areas = await makeAreas(server, { storeId, locationId, codes: ["B1", "B2"] });
  const passes = areas.map(({ id }) => ({ sessionId: scene.session._id, areaId: id, pass: 1 }));
  await server.database.database.insertInto("areaPasses").values(passes).execute();
  return new RandomRun(scene, areas);
}

const history = fc.record({
  before: fc.array(step, { maxLength: 16 }),
  sold: fc.nat({ max: 3 }),
  after: fc.array(step, { maxLength: 16 }),
  byHand: fc.array(fc.record({ of: fc.constantFrom(...skus), count: fc.nat({ max: 20 }) }), { maxLength: 3 }),
  moves: fc.constantFrom("nothing", "deployed", "rolled back"),
});

test("whatever has happened, every number of an explanation adds up to its row's in the report", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ before, sold, after, byHand, moves }) => {
      const scene = await startCounting(server);
      const run = await newRun(scene);
      for (const each of before) await run.perform(each);
      const item = { item: sku, location: scene.store.shopifyLocationId, quantity: 1 };
      for (let unit = 0; unit < sold; unit += 1) await server.shop.sell(item);
      await server.context.stockWatch.read();
      for (const each of after) await run.perform(each);
      await end(scene);
      for (const { of, count } of byHand) await adjust(scene, of, count);
      const ofReport = { params: { sessionId: scene.session._id } };
      if (moves !== "nothing") await server.admin.send(deployReport, { ...ofReport, body: {} });
      if (moves === "rolled back") await server.admin.send(rollbackReport, ofReport);
      const report = await server.admin.call(varianceReport, { ...ofReport, query: { view: "all" } });
      for (const of of skus) {
        const explained = await explain(scene, of);
        expectToAddUp(explained);
        expect(explained.item).toEqual(report.items.find((each) => each.sku === of) ?? explained.item);
      }
      await clearAway(server);
    }),
    { numRuns: 6 },
  );
}, 60_000);

test("the cost impact is the unit cost times the variance to the cent, and of unknown cost there is none", async () => {
  const scene = await startCounting(server);
  await scan(scene, { seq: 1, input: "BELT-1" });
  await scan(scene, { seq: 2 });
  await end(scene);
  await adjust(scene, sku, 999_999);
  const [jacket, belt] = [await explain(scene), await explain(scene, "BELT-1")];
  expectToAddUp(jacket);
  expectToAddUp(belt);
  expect(jacket.item).toMatchObject({ variance: 999_988, unitCost: 12.4, costImpact: 12_399_851.2 });
  expect(belt.item).toMatchObject({ unitCost: null, costImpact: null });
  expect(belt.costFrom).toBeNull();
});

test("a figure that a second count settled tells all the counts, who made them, and who chose with which reason", async () => {
  const scene = await startCounting(server);
  await countShelf(scene, await joinAs(scene, "Mia"), { jacketS: 8 });
  await askAgain(scene);
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 7 });
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 6 });
  await end(scene);
  const [difference] = await differencesOf(scene);
  if (difference === undefined) throw new Error("Nothing differs.");
  expect((await explain(scene)).compared).toMatchObject([{ first: 8, second: 7, third: 6, settledAs: null }]);
  await choose(scene, difference, "third");
  const explained = await explain(scene);
  expectToAddUp(explained);
  expect(explained.item).toMatchObject({ counted: 6, areas: ["Area A1"] });
  expect(explained.compared).toMatchObject([
    { first: 8, second: 7, third: 6, settledAs: "third", settledBy: { username: "admin" } },
  ]);
  expect(explained.passes).toMatchObject([
    { pass: 2, round: null, units: 6, leftOut: 8 },
    { pass: 3, round: 2, units: 0, leftOut: 7, counters: [{ username: "Ben" }] },
  ]);
});

test("a scan is told with its time, what became of it, and what was scanned beside it", async () => {
  const scene = await startCounting(server);
  await scan(scene, { seq: 1, input: codes.jacketM.input, scannedAt: new Date().toISOString() });
  await scan(scene, { seq: 2, quantity: 3 });
  await scan(scene, { seq: 3, input: codes.jacketL.input });
  await end(scene);
  const { scans, passes, scanned, total } = await explain(scene);
  expect({ scanned, total }).toEqual({ scanned: 3, total: 1 });
  expect(scans).toMatchObject([
    {
      ...{ seq: 2, quantity: 3, status: "counted", reason: null, username: "Ada", method: "scan" },
      before: { sku: codes.jacketM.sku },
      after: { sku: codes.jacketL.sku },
    },
  ]);
  expect(passes).toMatchObject([
    {
      area: { code: "A1", location: "Sales floor" },
      ...{ units: 3, leftOut: 0, endedAs: "session_ended" },
      counters: [{ username: "Ada", deviceId: "device-1", scans: 1, units: 3 }],
    },
  ]);
});

test("of passes and devices that somebody made up only some are named, and what counts is among them", async () => {
  const scene = await startCounting(server);
  await scan(scene, { quantity: 2 });
  const late = { status: "late", sku } as const;
  const { explainedPasses, explainedCounters } = limits;
  await putWaiting(scene, scene.counter, {
    ...late,
    count: explainedPasses + 9,
    pass: 9,
    passes: explainedPasses + 9,
  });
  const bea = await join(server, scene.session, { name: "Bea" });
  await putWaiting(scene, bea, { ...late, count: explainedCounters + 3, pass: 8 });
  await end(scene);
  const { passes, passCount, scanned, total } = await explain(scene);
  expect({ passCount, scanned, total }).toEqual({
    ...{ passCount: explainedPasses + 11, scanned: 2, total: explainedPasses + explainedCounters + 13 },
  });
  expect(passes).toHaveLength(explainedPasses);
  expect(passes.slice(0, 2)).toMatchObject([
    { pass: 2, units: 2, counterCount: 1 },
    { pass: 8, units: 0, leftOut: explainedCounters + 3, counterCount: explainedCounters + 3 },
  ]);
  expect(passes[1]?.counters).toHaveLength(explainedCounters);
});

test("scans come in pages, in the order in which they were made, none twice", async () => {
  const scene = await startCounting(server);
  const scannedAt = new Date().toISOString();
  await scanTimes(scene, 5, { scannedAt });
  await end(scene);
  const seen: number[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await explain(scene, sku, { limit: "2", ...(cursor ? { cursor } : {}) });
    seen.push(...page.scans.map(({ seq }) => seq));
    cursor = page.next;
    expect(page.total).toBe(5);
  } while (cursor);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test("who set a count by hand, when and why, and what other sessions of the location counted, are told", async () => {
  // What was sold at random before may have left just as much as is counted here.
  await server.shop.reset();
  const scene = await startCounting(server);
  await scanTimes(scene, 2);
  await end(scene);
  await adjust(scene, sku, 5, "two lay behind");
  const session = await begin(server, scene.store);
  const later = { ...scene, session, counter: await join(server, session) };
  await scanTimes(later, 4);
  const { counts, otherCounts } = await explain(scene);
  expect(counts).toMatchObject([
    { previousCount: 2, newCount: 5, reason: "two lay behind", adjustedBy: { username: "admin" } },
  ]);
  const other = { manual: false, deployed: 0, variance: null, counted: 4 };
  const ofSession = (found: Explanation["otherCounts"], { _id }: CountingScene["session"]) =>
    found.find((each) => each.session._id === _id);
  expect(ofSession(otherCounts, session)).toMatchObject({ ...other, session: { status: "active" } });
  await end(later);
  expect(ofSession((await explain(later)).otherCounts, scene.session)).toMatchObject({
    ...{ counted: 5, manual: true, session: { status: "closed" } },
  });
  const explained = await explain(scene);
  expect(explained.deploy).toMatchObject({ wouldMove: null, skipReason: "COUNTED_LATER" });
  expect(ofSession(explained.otherCounts, session)?.variance).toBe(4 - explained.item.endOnHand);
});

test("what a deploy and its rollback moved are told with the time of each", async () => {
  await server.shop.reset();
  const scene = await startCounting(server);
  await scanTimes(scene, 2);
  await end(scene);
  const ofReport = { params: { sessionId: scene.session._id } };
  await server.admin.send(deployReport, { ...ofReport, body: {} });
  await server.database.pool.query(
    "update adjustments set applied_at = applied_at - interval '1 hour' where session_id = $1",
    [scene.session._id],
  );
  await server.admin.send(rollbackReport, ofReport);
  const { deploy } = await explain(scene);
  expect(deploy.rows.map(({ direction }) => direction)).toEqual(["deploy", "rollback"]);
  const [deployed = 0, rolledBack = 0] = deploy.rows.map(({ appliedAt }) => Date.parse(appliedAt));
  expect(rolledBack - deployed).toBeGreaterThanOrEqual(3_600_000);
});

test("a SKU that the session does not have is not found, nor is a row of a session that still counts", async () => {
  const scene = await startCounting(server);
  const ask = (of: string) =>
    server.admin.send(explainRow, { params: { sessionId: scene.session._id }, query: { sku: of } });
  expect(await ask(sku)).toMatchObject({ status: 409, body: { code: "SESSION_ACTIVE" } });
  await end(scene);
  expect(await ask("NOTHING-1")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
});
