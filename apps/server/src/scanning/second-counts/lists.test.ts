import { askSecondCount, askSecondCounts, cancelSecondCount } from "@stocktake/contract";
import { expect, test } from "vitest";
import { firstAreaId, reopenFirstArea, resetFirstArea } from "../testing/endings.ts";
import { codes, countInEachTest, countsOf, expectTotalsToMatchScans } from "../testing/scene.ts";
import {
  askAgain,
  choose,
  countShelf,
  differencesOf,
  firstAreaOf,
  joinAs,
  secondCountsOf,
  unitsByStatus,
} from "../testing/second-counts.ts";

const scene = countInEachTest();
const [small, medium, large] = [codes.jacketS.sku, codes.jacketM.sku, codes.jacketL.sku];

/** The first area counted by Ada. */
async function counted() {
  const ada = await joinAs(scene, "Ada");
  await countShelf(scene, ada, { jacketS: 8, jacketM: 5 });
  return ada;
}

const askOf = (...skus: string[]) =>
  scene.server.admin.send(askSecondCounts, { params: { id: scene.session._id }, body: { skus } });

test("whoever takes it sees which products to count, and nobody else sees a list", async () => {
  const ada = await counted();
  const { only } = await askAgain(scene, "jacketL", "jacketS", "jacketS");
  expect(only).toEqual([small, large].toSorted());
  const ben = await joinAs(scene, "Ben");
  const shown = await firstAreaOf(scene, ben.api);
  expect(shown).toMatchObject({ status: "not_started", only });
  const { area: reset } = await resetFirstArea(scene, { pass: shown.pass }, ben.api);
  expect(reset).toMatchObject({ pass: shown.pass + 1, only });
  expect(reset).toEqual(await firstAreaOf(scene, ben.api));
  for (const api of [ada.api, scene.server.admin]) {
    expect(await firstAreaOf(scene, api)).not.toHaveProperty("only");
  }
  await countShelf(scene, ben, { jacketS: 8 });
  expect(await firstAreaOf(scene, ben.api)).not.toHaveProperty("only");
});

test("only the products of the list are compared; what else was scanned is kept, in the total, and counts nowhere", async () => {
  await counted();
  await askAgain(scene, "jacketS");
  const found = { jacketS: 8, jacketM: 2, jacketL: 1 };
  expect(await countShelf(scene, await joinAs(scene, "Ben"), found)).toEqual({
    matched: true,
    serverTotal: 11,
  });
  expect(await differencesOf(scene)).toEqual([]);
  expect(await countsOf(scene)).toEqual({ [small]: 8, [medium]: 5 });
  expect(await unitsByStatus(scene)).toEqual({ counted: 13, compared: 11 });
});

test("the third count of a list is of the same list, and two that agree settle it", async () => {
  await counted();
  await askAgain(scene, "jacketS", "jacketL");
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 7, jacketM: 1 });
  const cleo = await joinAs(scene, "Cleo");
  expect(await firstAreaOf(scene, cleo.api)).toMatchObject({ only: [small, large].toSorted() });
  await countShelf(scene, cleo, { jacketS: 7, jacketM: 9 });
  expect(await differencesOf(scene)).toMatchObject([
    { sku: small, first: 8, second: 7, third: 7, settledAs: "second" },
  ]);
  expect(await countsOf(scene)).toEqual({ [small]: 7, [medium]: 5 });
  await expectTotalsToMatchScans(scene.server.database.database);
});

test("after one list another can be asked for, and the whole area: each is of what was not compared before", async () => {
  const { admin } = scene.server;
  await counted();
  await askAgain(scene, "jacketS");
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 8 });
  const again = await admin.send(askSecondCount, { body: { areaId: firstAreaId(scene), skus: [small] } });
  expect(again).toMatchObject({ status: 409, body: { code: "SECOND_COUNT_MADE" } });
  await askAgain(scene, "jacketL");
  for (const skus of [[medium], undefined]) {
    const another = await admin.send(askSecondCount, { body: { areaId: firstAreaId(scene), skus } });
    expect(another).toMatchObject({ status: 409, body: { code: "SECOND_COUNT_OPEN" } });
  }
  await countShelf(scene, await joinAs(scene, "Cleo"), {});
  expect(await askAgain(scene)).not.toHaveProperty("only");
  await countShelf(scene, await joinAs(scene, "Dora"), { jacketS: 1, jacketM: 5 });
  expect(await differencesOf(scene)).toEqual([]);
  expect(await countsOf(scene)).toEqual({ [small]: 8, [medium]: 5 });
});

test("a difference of a list that waits is not looked at by the next list, and is chosen with that list's figures", async () => {
  await counted();
  await askAgain(scene, "jacketS");
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 7, jacketM: 4 });
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 6, jacketM: 3 });
  await askAgain(scene, "jacketM");
  await countShelf(scene, await joinAs(scene, "Dora"), { jacketS: 1, jacketM: 4 });
  await countShelf(scene, await joinAs(scene, "Eve"), { jacketS: 1, jacketM: 4 });
  const [settled, open] = await differencesOf(scene);
  expect([settled, open].map((row) => row?.sku).toSorted()).toEqual([small, medium].toSorted());
  const waiting = [settled, open].find((row) => row?.sku === small);
  expect(waiting).toMatchObject({ first: 8, second: 7, third: 6, settledAs: null });
  if (waiting === undefined) throw new Error("Nothing waits.");
  expect(await choose(scene, waiting, "third")).toMatchObject({ status: 200 });
  expect(await countsOf(scene)).toEqual({ [small]: 6, [medium]: 4 });
  await expectTotalsToMatchScans(scene.server.database.database);
});

test("where the third of a list was cancelled, asking for the area asks for it again", async () => {
  await counted();
  await askAgain(scene, "jacketS");
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 7 });
  await scene.server.admin.call(cancelSecondCount, { body: { areaId: firstAreaId(scene) } });
  for (const _ of [1, 2]) expect(await askAgain(scene)).toMatchObject({ round: 3, only: [small] });
});

test("SKUs are asked for wherever they count, with what could not be asked for and why, and recorded once an area", async () => {
  await counted();
  const asked = await askOf(small, large);
  expect(asked).toMatchObject({
    status: 201,
    body: {
      secondCounts: [{ only: [small], origin: "administrator" }],
      notAsked: [{ sku: large, area: null, why: "never_counted" }],
    },
  });
  const again = await askOf(medium);
  expect(again).toMatchObject({ body: { secondCounts: [], notAsked: [{ sku: medium, why: "open" }] } });
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 8 });
  expect(await askOf(small, medium)).toMatchObject({
    body: { secondCounts: [{ only: [medium] }], notAsked: [{ sku: small, why: "made" }] },
  });
  const recorded = await scene.server.database.database
    .selectFrom("auditEntries")
    .select("after")
    .where("chain", "=", scene.session._id)
    .where("action", "=", "second_count.asked")
    .orderBy("id")
    .execute();
  expect(recorded).toMatchObject([{ after: { onlySkus: [small] } }, { after: { onlySkus: [medium] } }]);
  await reopenFirstArea(scene);
  expect(await secondCountsOf(scene)).toMatchObject([{ endedAs: "closed" }, { endedAs: "area_reopened" }]);
  const ben = await joinAs(scene, "Frieda");
  await countShelf(scene, ben, { jacketS: 1 }, 99);
  expect(await firstAreaOf(scene, ben.api)).not.toHaveProperty("only");
});

test("a SKU that the session does not have is refused", async () => {
  await counted();
  expect(await askOf("NO-SUCH-SKU")).toMatchObject({ status: 400 });
});
