import { endSession, resolveScan, undoScan, writeAuditorsFile } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { verifyFile } from "../../../../web/src/verifier/verify.ts";
import { passesOfFirstArea, reopenFirstArea, restoreFirstArea } from "../../scanning/testing/endings.ts";
import {
  areaRow,
  type CountingScene,
  clearAway,
  codes,
  countsOf,
  firstArea,
  scan,
  startCounting,
} from "../../scanning/testing/scene.ts";
import {
  askAgain,
  choose,
  countInTurn,
  countShelf,
  differencesOf,
  finishAs,
  joinAs,
  type Shelf,
  unitsByStatus,
} from "../../scanning/testing/second-counts.ts";
import type { TestCounter } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { explain } from "../explanation/testing.ts";

const { sku } = codes.jacketS;

let server: TestServer;
let scene: CountingScene;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await startCounting(server);
});
afterEach(() => clearAway(server));

/** What the page that verifies an auditor's file finds in that of the session, which has ended. */
async function faultsOfFile(): Promise<readonly string[]> {
  const { body } = await server.admin.send(writeAuditorsFile, { params: { sessionId: scene.session._id } });
  const { faults, comparisons } = await verifyFile(new Blob([String(body)]));
  expect(comparisons).toBeGreaterThan(0);
  return faults.map(({ text }) => text);
}

const end = () => server.admin.call(endSession, { body: { sessionId: scene.session._id } });
const accept = (id: string, as: string) =>
  server.admin.call(resolveScan, { params: { id }, body: { action: "accept", sku: as } });

async function chooses(choice: "first" | "second" | "third"): Promise<void> {
  const [open] = await differencesOf(scene);
  if (open === undefined) throw new Error("Nothing differs.");
  expect(await choose(scene, open, choice)).toMatchObject({ status: 200 });
}

/** The area's count is reopened and brought back, and somebody goes on in it; the area has the total that is given then. */
async function goesOn(name: string, more: Shelf, total: number): Promise<void> {
  const counted = (await passesOfFirstArea(scene)).at(-1)?.pass ?? 0;
  await reopenFirstArea(scene);
  await restoreFirstArea(scene, counted);
  expect(await countShelf(scene, await joinAs(scene, name), more, total)).toMatchObject({ matched: true });
}

/** Somebody counts small jackets, and codes that fit no product. */
async function countsWithUnknown(counter: TestCounter, jacketS: number, pass: number): Promise<string> {
  const unknown = { input: codes.unknown.input, seq: 50, deviceId: `device-of-${counter.username}`, pass };
  const { scan: stored } = await scan(scene, unknown, counter.api);
  await countShelf(scene, counter, { jacketS });
  return stored._id;
}

test("a code that is accepted once an administrator has chosen the first count is in the figures of all counts", async () => {
  const ada = await joinAs(scene, "Ada");
  const unknown = await countsWithUnknown(ada, 5, (await areaRow(scene)).pass);
  const { pass } = await askAgain(scene);
  await countsWithUnknown(await joinAs(scene, "Ben"), 7, pass);
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 9 });
  await chooses("first");
  await accept(unknown, sku);
  await end();
  expect((await explain(scene)).compared).toMatchObject([
    { first: 6, second: 8, third: 9, settledAs: "first", settledBy: { username: "admin" } },
  ]);
  expect(await faultsOfFile()).toEqual([]);
});

test.each([null, "first", "second", "third"] as const)(
  "the second count's scans are known for its own where they count and one more does, whatever is chosen (%s)",
  async (choice) => {
    await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 7 }]);
    await goesOn("Dora", { jacketS: 1 }, 8);
    if (choice !== null) await chooses(choice);
    await end();
    expect((await explain(scene)).compared).toMatchObject([
      { first: 8, second: 7, third: 7, settledAs: choice },
    ]);
    expect(await countsOf(scene)).toEqual({ [sku]: choice === null || choice === "first" ? 8 : 7 });
    expect(await faultsOfFile()).toEqual([]);
  },
);

test("a count that took the place of the first and gave it up to the third keeps its figure, and can be chosen again", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 9 }]);
  await chooses("second");
  await goesOn("Dora", { jacketS: 1 }, 8);
  await chooses("third");
  await goesOn("Eve", { jacketS: 1 }, 10);
  expect(await differencesOf(scene)).toMatchObject([{ first: 10, second: 7, third: 9, settledAs: null }]);
  await chooses("second");
  expect(await countsOf(scene)).toEqual({ [sku]: 7 });
  await end();
  expect(await faultsOfFile()).toEqual([]);
});

test("what was undone of the count that took the place of the first is not in its figure, though as many count", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 7 }]);
  const counted = (await passesOfFirstArea(scene)).at(-1)?.pass ?? 0;
  await reopenFirstArea(scene);
  const { pass } = await restoreFirstArea(scene, counted);
  const ben = await joinAs(scene, "Ben");
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", seq: 1, pass };
  expect(await ben.api.call(undoScan, { body })).toMatchObject({ undone: { seq: 1 } });
  await countShelf(scene, await joinAs(scene, "Dora"), { jacketS: 7 });
  await end();
  expect((await explain(scene)).compared).toMatchObject([
    { first: 7, second: 0, third: 7, settledAs: "first" },
  ]);
  expect(await faultsOfFile()).toEqual([]);
});

test("what was undone of a count that its area has left behind is no fault of the figure that it had", async () => {
  await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 7 }]);
  await reopenFirstArea(scene);
  const { pass } = await areaRow(scene);
  const ben = await joinAs(scene, "Ben");
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", seq: 1, pass };
  await ben.api.send(undoScan, { body });
  expect(await unitsByStatus(scene)).toMatchObject({ "voided SUPERSEDED": 5, "voided UNDONE": 7 });
  await finishAs(scene, ben, 0, pass);
  await end();
  expect((await explain(scene)).compared).toMatchObject([{ second: 7, isOfPresentCount: false }]);
  expect(await faultsOfFile()).toEqual([]);
});

test("a late scan that was accepted into the first count is none of the second, whose number its device named, once that counts", async () => {
  const ada = await joinAs(scene, "Ada");
  await countShelf(scene, ada, { jacketS: 5 });
  const { pass } = await askAgain(scene);
  const late = await scan(scene, { seq: 50, deviceId: "device-of-Ada", pass }, ada.api);
  await accept(late.scan._id, sku);
  for (const name of ["Ben", "Cleo"]) await countShelf(scene, await joinAs(scene, name), { jacketS: 7 });
  await end();
  expect((await explain(scene)).compared).toMatchObject([
    { first: 6, second: 7, third: 7, settledAs: "second" },
  ]);
  expect(await faultsOfFile()).toEqual([]);
});
