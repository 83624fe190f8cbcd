import { cancelSecondCount, endSession, listAudit, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { auditRoutes } from "../../audit/audit.ts";
import { firstAreaId, passesOfFirstArea, reopenFirstArea, restoreFirstArea } from "../testing/endings.ts";
import { codes, countInEachTest, countingSlices, countsOf, firstArea } from "../testing/scene.ts";
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
  scanShelf,
  secondCountsOf,
} from "../testing/second-counts.ts";

const scene = countInEachTest([...countingSlices, auditRoutes]);
const { sku } = codes.jacketS;

/** The area's count is reopened and brought back, so that counting goes on in it; returns the pass it has then. */
async function broughtBack(): Promise<number> {
  const counted = (await passesOfFirstArea(scene)).at(-1)?.pass ?? 0;
  await reopenFirstArea(scene);
  return (await restoreFirstArea(scene, counted)).pass;
}

/** Somebody of their own scans more, or nothing, and finishes the area with its whole total. */
async function goesOn(more: Shelf, total: number, name = "Dora"): Promise<void> {
  expect(await countShelf(scene, await joinAs(scene, name), more, total)).toMatchObject({ matched: true });
}

async function difference(name: keyof Shelf = "jacketS") {
  return (await differencesOf(scene)).find((each) => each.sku === codes[name].sku);
}

async function chooses(choice: "first" | "second" | "third", name: keyof Shelf = "jacketS"): Promise<void> {
  const open = await difference(name);
  if (open === undefined) throw new Error("Nothing is to be chosen.");
  expect(await choose(scene, open, choice)).toMatchObject({ status: 200 });
}

test("a restored count that is finished as it was stands as it was compared", async () => {
  await countInTurn(scene, [
    { jacketS: 5, jacketM: 3, jacketL: 1 },
    { jacketS: 5, jacketM: 4, jacketL: 2 },
    { jacketS: 9, jacketM: 4, jacketL: 3 },
  ]);
  await chooses("third", "jacketL");
  const before = await differencesOf(scene);
  const ofPass = await broughtBack();
  await goesOn({}, 12);
  expect(await differencesOf(scene)).toEqual(before.map((each) => ({ ...each, ofPass })));
});

test("counts that agreed differ once more is scanned in the restored one", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 5 }]);
  await broughtBack();
  await goesOn({ jacketS: 3, jacketL: 2 }, 10);
  expect(await differencesOf(scene)).toMatchObject([
    { sku, first: 8, second: 5, settledAs: null },
    { sku: codes.jacketL.sku, first: 2, second: 0, settledAs: null },
  ]);
});

test("counts that differed agree once the restored one has what was missing", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 8 }, { jacketS: 7 }]);
  await broughtBack();
  await goesOn({ jacketS: 3 }, 8);
  expect(await difference()).toMatchObject({ first: 8, second: 8, third: 7, settledAs: "first" });
});

test("a restored count that nobody finishes is compared as the session ends", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 5 }]);
  await broughtBack();
  await scanShelf(scene, await joinAs(scene, "Dora"), { jacketS: 3 });
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  expect(await difference()).toMatchObject({ first: 8, second: 5, settledAs: null });
});

test("a list's second count is compared with a restored count in what it is of alone", async () => {
  await countShelf(scene, await joinAs(scene, "Ada"), { jacketS: 5, jacketM: 1 });
  await askAgain(scene, "jacketS");
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 5 });
  await broughtBack();
  await goesOn({ jacketS: 1, jacketM: 2, jacketL: 3 }, 12);
  expect(await differencesOf(scene)).toMatchObject([{ sku, first: 6, second: 5, settledAs: null }]);
  expect(await secondCountsOf(scene)).toHaveLength(1);
});

test("what an administrator has chosen is in question where other units count by now", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 6 }, { jacketS: 7 }]);
  await chooses("first");
  await broughtBack();
  await goesOn({ jacketS: 3 }, 8);
  const open = { settledAs: null, settledBy: null, reason: null, firstReplaced: false };
  expect(await difference()).toMatchObject({ first: 8, ...open });
});

/** The second count's 7 count in place of Ada's 5, and somebody scans one more in that count. */
async function oneMoreThanSettled(): Promise<void> {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 7 }]);
  await broughtBack();
  await goesOn({ jacketS: 1 }, 8);
  expect(await difference()).toMatchObject({ first: 8, second: 7, third: 7, settledAs: null });
}

test("what another count was settled as is in question again, and can be chosen again", async () => {
  await oneMoreThanSettled();
  await chooses("second");
  expect(await countsOf(scene)).toEqual({ [sku]: 7 });
});

test("what another count was settled as can be left with what was added, or give way to the third", async () => {
  await oneMoreThanSettled();
  expect(await difference()).toMatchObject({ firstReplaced: true });
  await chooses("first");
  expect(await difference()).toMatchObject({ settledAs: "first", firstReplaced: true });
  const { entries } = await scene.server.admin.call(listAudit, { query: { sessionId: scene.session._id } });
  expect(entries.find(({ action }) => action === "second_count.settled")).toMatchObject({
    before: { first: 8, firstReplaced: true },
    after: { choice: "first" },
  });
  expect(await countsOf(scene)).toEqual({ [sku]: 8 });
  await broughtBack();
  await goesOn({ jacketS: 1 }, 9, "Eve");
  await chooses("third");
  expect(await countsOf(scene)).toEqual({ [sku]: 7 });
});

test("a count that took the place of the first agrees with nothing but another count", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 7 }]);
  const pass = await broughtBack();
  const ben = await joinAs(scene, "Ben");
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", seq: 1, pass };
  expect(await ben.api.call(undoScan, { body })).toMatchObject({ undone: { seq: 1 } });
  await finishAs(scene, ben, 0, pass);
  expect(await difference()).toMatchObject({ first: 0, second: 0, third: 7, settledAs: null });
});

/** The second count's 7 count in place of Ada's 5 without a third count, and somebody scans one more in that count. */
async function oneMoreThanChosen(): Promise<void> {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }]);
  await scene.server.admin.call(cancelSecondCount, { body: { areaId: firstAreaId(scene) } });
  await chooses("second");
  await broughtBack();
  await goesOn({ jacketS: 1 }, 8);
  expect(await difference()).toMatchObject({ first: 8, second: 7, third: null, settledAs: null });
}

test("whoever made a count that another took the place of does not count a third time after that is restored", async () => {
  await oneMoreThanChosen();
  await askAgain(scene);
  const [ada, cleo] = [await joinAs(scene, "Ada"), await joinAs(scene, "Cleo")];
  expect(await firstAreaOf(scene, ada.api)).toMatchObject({ status: "closed" });
  expect(await firstAreaOf(scene, cleo.api)).toMatchObject({ status: "not_started" });
});

test("what counts now is no witness for the count that it is made of, when a third is made", async () => {
  await oneMoreThanChosen();
  const pass = await broughtBack();
  const dora = await joinAs(scene, "Dora");
  const body = { ...firstArea(scene), deviceId: "device-of-Dora", seq: 1, pass };
  expect(await dora.api.call(undoScan, { body })).toMatchObject({ undone: { seq: 1 } });
  await finishAs(scene, dora, 7, pass);
  expect(await difference()).toMatchObject({ first: 7, second: 7, third: null, settledAs: null });
  await askAgain(scene);
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 3 });
  expect(await difference()).toMatchObject({ first: 7, second: 7, third: 3, settledAs: null });
});

test("what gave way to the third count may be chosen again, so that its undo after the end leaves the figure in doubt", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 9 }]);
  await chooses("second");
  await broughtBack();
  await goesOn({ jacketS: 1 }, 8);
  await chooses("third");
  await broughtBack();
  await goesOn({ jacketS: 1 }, 10, "Eve");
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  const ben = await joinAs(scene, "Ben");
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", seq: 1 };
  const undone = await ben.api.send(undoScan, { body });
  expect(undone).toMatchObject({ status: 409, body: { code: "SESSION_CLOSED" } });
  const doubtful = await scene.server.database.database
    .selectFrom("uncertainFigures")
    .select("reason")
    .where("sessionId", "=", scene.session._id)
    .where("sku", "=", sku)
    .execute();
  expect(doubtful).toEqual([{ reason: "UNDONE_AFTER_END" }]);
});
