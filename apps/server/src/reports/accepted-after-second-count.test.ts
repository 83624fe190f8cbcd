import {
  endSession,
  resolveScan,
  sessionExceptions,
  takeBackDecisions,
  varianceReport,
} from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import {
  areaRow,
  codes,
  countInEachTest,
  countingSlices,
  expectTotalsToMatchScans,
  scan,
} from "../scanning/testing/scene.ts";
import {
  askAgain,
  choose,
  countInTurn,
  countShelf,
  differencesOf,
  joinAs,
  type Shelf,
} from "../scanning/testing/second-counts.ts";
import type { TestCounter } from "../testing/scenes.ts";
import { reportRoutes } from "./routes.ts";

const { sku } = codes.jacketS;
const inDoubt = { uncertain: "COUNTS_DIFFER", skipReason: "COUNTS_DIFFER" };

const scene = countInEachTest([...countingSlices, reportRoutes]);
/** Who scans too late what belongs to the first count. */
let dora: TestCounter;
beforeEach(async () => {
  dora = await joinAs(scene, "Dora");
});

const countedAs = (...shelves: readonly Shelf[]) => countInTurn(scene, shelves);
const params = () => ({ sessionId: scene.session._id });
const end = () => scene.server.admin.call(endSession, { body: params() });

async function rowOf() {
  const query = { view: "all" } as const;
  const { items } = await scene.server.admin.call(varianceReport, { params: params(), query });
  return items.find((item) => item.sku === sku);
}

/** A scan that reaches the server when its area is closed. */
async function scanLate(quantity = 1): Promise<string> {
  const { pass } = await areaRow(scene);
  const late = await scan(scene, { deviceId: "device-of-Dora", seq: 900, quantity, pass }, dora.api);
  expect(late).toMatchObject({ status: "late" });
  return late.scan._id;
}

const accept = (id: string, as: string | null = null) =>
  scene.server.admin.call(resolveScan, {
    params: { id },
    body: { action: "accept", ...(as === null ? {} : { sku: as }) },
  });

const takeBack = (id: string) =>
  scene.server.admin.call(takeBackDecisions, { params: { id: scene.session._id }, body: { scanIds: [id] } });

describe("a late scan that is accepted after the area was counted a second time", () => {
  test("is in question where the counts agreed without it, and either can be chosen", async () => {
    await countedAs({ jacketS: 5 }, { jacketS: 5 });
    const late = await scanLate();
    await end();
    expect(await rowOf()).toMatchObject({ counted: 5, uncertain: null });
    await accept(late);
    expect(await rowOf()).toMatchObject({ counted: 6, ...inDoubt });
    const [difference] = await differencesOf(scene);
    expect(difference).toMatchObject({ sku, first: 6, second: 5, third: null, settledAs: null });
    if (difference !== undefined) await choose(scene, difference, "second");
    expect(await rowOf()).toMatchObject({ counted: 5, uncertain: null });
    await expectTotalsToMatchScans(scene.server.database.database);
  });

  test("leaves no question once its acceptance is taken back", async () => {
    await countedAs({ jacketS: 5 }, { jacketS: 5 });
    const late = await scanLate();
    await end();
    await accept(late);
    await takeBack(late);
    expect(await rowOf()).toMatchObject({ counted: 5, uncertain: null });
    expect(await differencesOf(scene)).toEqual([]);
  });

  test("is in question where neither count had any of it", async () => {
    await countedAs({ jacketM: 2 }, { jacketM: 2 });
    await accept(await scanLate());
    await end();
    expect(await rowOf()).toMatchObject({ counted: 1, ...inDoubt });
    expect(await differencesOf(scene)).toMatchObject([{ sku, first: 1, second: 0, settledAs: null }]);
  });

  test("is in question where a third count agreed with the first without it", async () => {
    await countedAs({ jacketS: 5 }, { jacketS: 4 }, { jacketS: 5 });
    const late = await scanLate();
    await end();
    await accept(late);
    expect(await rowOf()).toMatchObject({ counted: 6, ...inDoubt });
    expect(await differencesOf(scene)).toMatchObject([{ first: 6, second: 4, third: 5, settledAs: null }]);
    await takeBack(late);
    expect(await rowOf()).toMatchObject({ counted: 5, uncertain: null });
    expect(await differencesOf(scene)).toMatchObject([{ first: 5, settledAs: "first" }]);
  });

  test("answers the question where the counts agree with it", async () => {
    await countedAs({ jacketS: 5 }, { jacketS: 6 });
    const late = await scanLate();
    await end();
    expect(await rowOf()).toMatchObject({ counted: 5, ...inDoubt });
    await accept(late);
    expect(await rowOf()).toMatchObject({ counted: 6, uncertain: null });
    await takeBack(late);
    expect(await rowOf()).toMatchObject({ counted: 5, ...inDoubt });
  });

  test("is in the first count that an administrator chose, which stays chosen", async () => {
    await countedAs({ jacketS: 5 }, { jacketS: 3 });
    const late = await scanLate();
    await end();
    const [difference] = await differencesOf(scene);
    if (difference === undefined) throw new Error("The counts do not differ.");
    await choose(scene, difference, "first");
    await accept(late);
    expect(await rowOf()).toMatchObject({ counted: 6, uncertain: null });
    expect(await differencesOf(scene)).toMatchObject([{ first: 6, second: 3, settledAs: "first" }]);
  });

  test("asks nothing of what the second count was not of", async () => {
    await countedAs({ jacketS: 5, jacketM: 2 });
    await askAgain(scene, "jacketM");
    await countShelf(scene, await joinAs(scene, "Ben"), { jacketM: 2 });
    await accept(await scanLate());
    await end();
    expect(await rowOf()).toMatchObject({ counted: 6, uncertain: null });
  });
});

test("a code that both counts scanned, and that is accepted as a product only afterwards, leaves nothing in question", async () => {
  const unknown = { input: codes.unknown.input, quantity: 3, seq: 50 };
  const ada = await joinAs(scene, "Ada");
  const { pass: first } = await areaRow(scene);
  await scan(scene, { ...unknown, deviceId: "device-of-Ada", pass: first }, ada.api);
  await countShelf(scene, ada, { jacketM: 1 });
  const ben = await joinAs(scene, "Ben");
  const { pass } = await askAgain(scene);
  await scan(scene, { ...unknown, deviceId: "device-of-Ben", pass }, ben.api);
  await countShelf(scene, ben, { jacketM: 1 });
  await end();
  const { scans } = await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } });
  await accept(scans[0]?._id ?? "", sku);
  expect(await rowOf()).toMatchObject({ counted: 3, uncertain: null });
  expect(await differencesOf(scene)).toEqual([]);
});
