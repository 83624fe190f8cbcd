import {
  decideExceptions,
  deployReport,
  endSession,
  exceptionGroups,
  explainRow,
  limits,
  resolveScan,
  rollbackReport,
  savePacks,
  undoScan,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { reopenFirstArea } from "../../scanning/testing/endings.ts";
import {
  type CountingScene,
  clearAway,
  codes,
  firstArea,
  scan,
  scanTimes,
  startCounting,
} from "../../scanning/testing/scene.ts";
import {
  askAgain,
  choose,
  countShelf,
  differencesOf,
  finishAs,
  joinAs,
  scanShelf,
} from "../../scanning/testing/second-counts.ts";
import { putWaiting } from "../../scanning/testing/waiting.ts";
import { begin, join } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { adjust, type Explanation, expectToAddUp, explain } from "./testing.ts";

const { sku } = codes.jacketS;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
afterEach(() => clearAway(server));

const end = ({ session }: CountingScene) =>
  server.admin.call(endSession, { body: { sessionId: session._id } });

test("the cost impact is the unit cost times the variance to the cent, and of unknown cost there is none", async () => {
  const scene = await startCounting(server);
  await scan(scene, { seq: 1, input: "BELT-1" });
  await scan(scene, { seq: 2 });
  await end(scene);
  await adjust(scene, sku, 999_999);
  const [jacket, belt] = [await explain(scene), await explain(scene, "BELT-1")];
  expectToAddUp(jacket);
  expectToAddUp(belt);
  expect(jacket.item).toMatchObject({ variance: 999_992, unitCost: 12.4, costImpact: 12_399_900.8 });
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

test("a comparison is told as of the present count until its area is counted anew", async () => {
  const scene = await startCounting(server);
  await countShelf(scene, await joinAs(scene, "Mia"), { jacketS: 8 });
  await askAgain(scene);
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 7 });
  await reopenFirstArea(scene);
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 7 });
  await askAgain(scene);
  await countShelf(scene, await joinAs(scene, "Dan"), { jacketS: 6 });
  await end(scene);
  expect((await explain(scene)).compared).toMatchObject([
    { first: 8, second: 7, isOfPresentCount: false },
    { first: 7, second: 6, isOfPresentCount: true },
  ]);
});

test("of a second count what was compared is told apart from what its counter took back", async () => {
  const scene = await startCounting(server);
  await countShelf(scene, await joinAs(scene, "Mia"), { jacketS: 5 });
  await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  const { pass } = await scanShelf(scene, ben, { jacketS: 3 });
  await scanShelf(scene, ben, { jacketS: 2 });
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", seq: 2, pass };
  await ben.api.call(undoScan, { body });
  await finishAs(scene, ben, 3, pass);
  await end(scene);
  const explained = await explain(scene);
  expectToAddUp(explained);
  expect(explained.passes).toMatchObject([
    { units: 5, leftOut: 0, compared: 0 },
    { units: 0, leftOut: 5, compared: 3, counters: [{ leftOut: 5, compared: 3 }] },
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

test("a scan of a pack is told with the pack's units, also where its code was kept after it", async () => {
  const scene = await startCounting(server);
  const pack = { code: "50123456789012", sku: codes.jacketS.sku, units: 12 };
  const unknown = await scan(scene, { seq: 1, input: pack.code, quantity: 2 });
  await server.admin.call(savePacks, { body: { packs: [pack] } });
  const params = { id: unknown.scan._id };
  await server.admin.call(resolveScan, { params, body: { action: "accept" } });
  await scan(scene, { seq: 2, input: pack.code });
  await scan(scene, { seq: 3 });
  await server.admin.call(savePacks, { body: { packs: [{ ...pack, units: 0 }] } });
  await end(scene);
  const { scans } = await explain(scene);
  const told = scans.map(({ seq, quantity, packUnits }) => [seq, quantity, packUnits]).sort();
  expect(told).toEqual([
    [1, 24, 12],
    [2, 12, 12],
    [3, 1, null],
  ]);
});

test("why a scan was dismissed is told with it", async () => {
  const scene = await startCounting(server);
  await putWaiting(scene, scene.counter, { count: 1, status: "late", sku });
  await end(scene);
  const params = { id: scene.session._id };
  const { groups } = await server.admin.call(exceptionGroups, { params, query: {} });
  const scanIds = groups.flatMap((group) => group.scanIds);
  await server.admin.call(decideExceptions, { params, body: { action: "dismiss", scanIds, reason: "torn" } });
  const { scans } = await explain(scene);
  expect(scans).toMatchObject([{ reason: "DISMISSED", voidedBy: { username: "admin" }, note: "torn" }]);
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

test("a scan whose time can't be is told with the others, however far away that is", async () => {
  const scene = await startCounting(server);
  const times = ["1600-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"];
  for (const [index, scannedAt] of times.entries()) await scan(scene, { seq: index + 1, scannedAt });
  await end(scene);
  expectToAddUp(await explain(scene));
  const first = await explain(scene, sku, { limit: "2" });
  const second = await explain(scene, sku, { limit: "2", cursor: first.next ?? "" });
  expect([...first.scans, ...second.scans].map(({ scannedAt }) => scannedAt)).toEqual(times);
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
