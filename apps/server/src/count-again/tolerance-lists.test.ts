import {
  askSecondCount,
  cancelSecondCount,
  controlSamples,
  drawSample,
  endSession,
  limits,
  listAudit,
  readCoverage,
  reopenArea,
  secondCounts,
  setStoreTolerance,
  type Tolerance,
} from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { askByTolerance } from "../scanning/scanning.ts";
import { clearAway } from "../scanning/testing/scene.ts";
import { countShelf, joinAs } from "../scanning/testing/second-counts.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { applyTolerances } from "./ask-by-tolerance.ts";
import { CountedAreas } from "./testing/counted-areas.ts";
import { keepSeededCount, seededNumbers, seededShop } from "./testing/seeded-count.ts";

let server: TestServer;
/** A second node over the same database. */
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ over: server });
});
afterEach(() => clearAway(server));
afterAll(async () => {
  await other.close();
  await server.close();
});

const none = { units: null, money: null, stockPercent: null, moneyPercent: null };
const anyUnit: Tolerance = { over: { ...none, units: 0 }, short: { ...none, units: 0 } };
/** As the test shop has it, and one more of each of two jackets. */
const miscounted = { "JK-1000": 8, "JK-1001": 9, "JK-1002": 9 };

async function begin(areas: readonly string[] = ["A1", "A2"]): Promise<CountedAreas> {
  const count = await CountedAreas.begin(server, areas);
  const params = { id: count.store.id };
  await server.admin.call(setStoreTolerance, { params, body: { tolerance: anyUnit } });
  return count;
}

const apply = () => applyTolerances(server.context);

/** What was asked for, in its order, in the areas: of which SKUs, and what became of it. */
async function asked({ session }: Pick<CountedAreas, "session">) {
  const answer = await server.admin.call(secondCounts, { params: { id: session._id } });
  return answer.secondCounts
    .toSorted((left, right) => left.area.code.localeCompare(right.area.code) || left.pass - right.pass)
    .map(({ area, round, origin, only, endedAs }) => [area.code, round, origin, only, endedAs]);
}

async function cancel(count: CountedAreas, code: string): Promise<void> {
  await server.admin.call(cancelSecondCount, { body: { areaId: count.areaId(code) } });
}

/** An area as it was judged. */
async function judged(count: CountedAreas, code: string, skus: readonly string[]) {
  const areaId = count.areaId(code);
  const { pass } = await server.database.database
    .selectFrom("areas")
    .select("pass")
    .where("id", "=", areaId)
    .executeTakeFirstOrThrow();
  return { sessionId: count.session._id, storeId: count.store.id, areaId, pass, skus };
}

test("what is beyond tolerance while a list is open in its area is asked for once that is done, and nothing twice", async () => {
  const count = await begin();
  await count.count("A1", { "JK-1000": 8, "JK-1001": 3, "JK-1002": 9 });
  await apply();
  expect(await asked(count)).toEqual([["A1", 2, "tolerance", ["JK-1000"], null]]);
  await count.count("A2", { "BELT-1": 4 });
  await apply();
  expect(await asked(count)).toHaveLength(1);
  await countShelf(count, await joinAs(count, "Ben"), { jacketS: 7 });
  await apply();
  expect((await asked(count)).at(-1)).toEqual(["A1", 3, "difference", ["JK-1000"], null]);
  await countShelf(count, await joinAs(count, "Cleo"), { jacketS: 7 });
  await Promise.all([apply(), applyTolerances(other.context)]);
  expect((await asked(count)).filter(([, round]) => round === 2)).toEqual([
    ["A1", 2, "tolerance", ["JK-1000"], "closed"],
    ["A1", 2, "tolerance", ["JK-1001"], null],
  ]);
});

test("a SKU that an administrator's list was of is not asked for again, cancelled or not; the others of its area are", async () => {
  const count = await begin(["A1"]);
  await count.count("A1", miscounted);
  await server.admin.call(askSecondCount, { body: { areaId: count.areaId("A1"), skus: ["JK-1000"] } });
  await apply();
  await cancel(count, "A1");
  await apply();
  await cancel(count, "A1");
  await apply();
  expect(await asked(count)).toEqual([
    ["A1", 2, "administrator", ["JK-1000"], "cancelled"],
    ["A1", 2, "tolerance", ["JK-1001"], "cancelled"],
  ]);
});

test("where a whole area was asked for in its pass nothing of it is asked for again, also not once that is cancelled", async () => {
  const count = await begin(["A1"]);
  await count.count("A1", miscounted);
  await server.admin.call(askSecondCount, { body: { areaId: count.areaId("A1") } });
  await apply();
  await cancel(count, "A1");
  await apply();
  expect(await asked(count)).toEqual([["A1", 2, "administrator", undefined, "cancelled"]]);
});

test("two nodes that judged an area differently begin one list, and an area that was reopened since none", async () => {
  const count = await begin(["A1"]);
  await count.count("A1", miscounted);
  const one = await judged(count, "A1", ["JK-1000"]);
  const both = { ...one, skus: ["JK-1000", "JK-1001"] };
  await Promise.all([askByTolerance(server.context, one), askByTolerance(other.context, both)]);
  expect(await asked(count)).toHaveLength(1);
  await cancel(count, "A1");
  await Promise.all([askByTolerance(server.context, both), askByTolerance(other.context, both)]);
  const lists = await asked(count);
  expect(lists.flatMap(([, , , only]) => only).toSorted()).toEqual(["JK-1000", "JK-1001"]);
  await server.admin.call(reopenArea, { body: { areaId: one.areaId, eraseScans: true } });
  await count.count("A1", miscounted);
  await askByTolerance(server.context, both);
  expect(await asked(count)).toHaveLength(lists.length);
  await apply();
  expect((await asked(count)).at(-1)).toEqual(["A1", 2, "tolerance", ["JK-1000", "JK-1001"], null]);
});

test("more SKUs than a list may have are asked for as their whole area, of which the log names the first", async () => {
  const most = limits.skusToCountAgain;
  const skus = seededShop(seededNumbers(7))
    .slice(0, 2 * most + 1)
    .map((sku, index) => ({ ...sku, counted: sku.onHand + 1, area: index < most ? 0 : 1 }));
  const { store, session } = await keepSeededCount(server, skus);
  await server.admin.call(setStoreTolerance, { params: { id: store.id }, body: { tolerance: anyUnit } });
  await apply();
  const namesIn = (area: number) =>
    skus
      .filter((each) => each.area === area)
      .map(({ sku }) => sku)
      .toSorted();
  expect(await asked({ session })).toEqual([
    ["A1", 2, "tolerance", namesIn(0), null],
    ["A2", 2, "tolerance", undefined, null],
  ]);
  const { entries } = await server.admin.call(listAudit, { query: { sessionId: session._id } });
  const logged = entries.flatMap(({ action, after }) => (action === "second_count.asked" ? [after] : []));
  expect(
    logged.toSorted((left, right) => Number(left?.beyondTolerance) - Number(right?.beyondTolerance)),
  ).toEqual([
    { pass: 3, round: 2, beyondTolerance: most, onlySkus: namesIn(0) },
    { pass: 3, round: 2, beyondTolerance: most + 1, skus: namesIn(1).slice(0, limits.groupedNames) },
  ]);
});

test("a control sample draws no area in which a list is open or was made, and of an area that it drew no list begins", async () => {
  const count = await begin(["A1", "A2"]);
  const params = { id: count.session._id };
  const available = async () => (await server.admin.call(controlSamples, { params })).available;
  await count.count("A1", { "JK-1000": 8, "JK-1002": 9 });
  await count.count("A2", { "JK-1001": 8 });
  expect(await available()).toBe(2);
  await apply();
  expect(await available()).toBe(1);
  await countShelf(count, await joinAs(count, "Ben"), { jacketS: 8 });
  expect(await available()).toBe(1);
  await server.admin.call(drawSample, { params, body: { areas: 1 } });
  await sql`update session_items set start_on_hand = 0 where session_id = ${params.id} and sku = 'JK-1001'`.execute(
    server.database.database,
  );
  await apply();
  expect((await asked(count)).at(-1)).toEqual(["A2", 2, "sample", undefined, null]);
});

test("a list that the end of the session cuts off is owed, like any second count", async () => {
  const count = await begin(["A1"]);
  await count.count("A1", miscounted);
  await apply();
  await server.admin.call(endSession, { body: { sessionId: count.session._id } });
  const { open } = await server.admin.call(readCoverage, { params: { id: count.session._id } });
  expect(open).toContainEqual({ kind: "cut_off_counts", count: 1, names: ["A1"] });
});
