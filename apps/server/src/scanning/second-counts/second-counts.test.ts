import {
  areaScans,
  askSecondCount,
  cancelSecondCount,
  deleteArea,
  deleteLocation,
  endSession,
} from "@stocktake/contract";
import { expect, test } from "vitest";
import { join, type TestCounter } from "../../testing/scenes.ts";
import { firstAreaId } from "../testing/endings.ts";
import {
  areaRow,
  type CountingScene,
  codes,
  countInEachTest,
  countsOf,
  firstArea,
} from "../testing/scene.ts";
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

/** The first area counted by Ada, and somebody who has not counted it. */
async function counted(of: CountingScene = scene): Promise<{ ada: TestCounter; ben: TestCounter }> {
  const ada = await joinAs(of, "Ada");
  await countShelf(of, ada, { jacketS: 8, jacketM: 5 });
  return { ada, ben: await joinAs(of, "Ben") };
}

test("a second count is an area to count like any other for whoever has not counted it, and nothing for the rest", async () => {
  const { ada, ben } = await counted();
  const { pass, ofPass, round } = await askAgain(scene);
  expect({ ofPass, round }).toEqual({ ofPass: 2, round: 2 });
  const own = await firstAreaOf(scene, ada.api);
  expect(own).toMatchObject({ status: "closed", pass: 2, closedBy: { username: "Ada" } });
  expect(await firstAreaOf(scene, ben.api)).toEqual({
    ...own,
    ...{ status: "not_started", pass, closedBy: null, closedAt: null },
  });
  expect(await firstAreaOf(scene, scene.server.admin)).toMatchObject({ status: "closed", pass: 2 });
  expect(await areaRow(scene)).toMatchObject({ status: "closed", pass: 2 });
});

test("an area in which nothing was scanned is not deleted under an open second count, which nobody could take or cancel then", async () => {
  await countShelf(scene, await joinAs(scene, "Ada"), {});
  await askAgain(scene);
  const params = { id: firstAreaId(scene) };
  const ofLocation = { params: { id: scene.store.locationId } };
  const refused = { status: 409, body: { code: "SECOND_COUNT_OPEN", error: expect.stringContaining("A1") } };
  expect(await scene.server.admin.send(deleteArea, { params })).toMatchObject(refused);
  expect(await scene.server.admin.send(deleteLocation, ofLocation)).toMatchObject(refused);
  await scene.server.admin.call(cancelSecondCount, { body: { areaId: params.id } });
  expect((await scene.server.admin.send(deleteArea, { params })).status).toBe(200);
});

test("equal counts are settled: the first stays, and the second counts nowhere", async () => {
  const { ben } = await counted();
  const before = await countsOf(scene);
  await askAgain(scene);
  expect(await countShelf(scene, ben, { jacketS: 8, jacketM: 5 })).toEqual({
    matched: true,
    serverTotal: 13,
  });
  expect(await countsOf(scene)).toEqual(before);
  expect(await differencesOf(scene)).toEqual([]);
  expect(await unitsByStatus(scene)).toEqual({ counted: 13, compared: 13 });
  expect(await secondCountsOf(scene)).toMatchObject([
    { round: 2, endedAs: "closed", usernames: ["Ben"], units: 13 },
  ]);
});

test("whoever made a second count sees the area as closed by themselves, and none of the first's scans", async () => {
  const { ada, ben } = await counted();
  const { pass } = await askAgain(scene);
  await countShelf(scene, ben, { jacketS: 7 });
  const closed = { status: "closed", pass, closedBy: { username: "Ben" } };
  expect(await firstAreaOf(scene, ben.api)).toMatchObject(closed);
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 7 });
  expect(await firstAreaOf(scene, ben.api)).toMatchObject(closed);
  const { sessionId, ...area } = firstArea(scene);
  const given = { params: { sessionId, areaCode: area.areaCode }, query: { locationId: area.locationId } };
  expect((await ben.api.call(areaScans, given)).scans.map(({ username }) => username)).not.toContain("Ada");
  expect(await firstAreaOf(scene, ada.api)).toMatchObject({
    status: "closed",
    pass: 2,
    closedBy: { username: "Ada" },
  });
});

test("two of three that agree settle it: the second's figure takes the place of the first's, and no scan is lost", async () => {
  const { ada, ben } = await counted();
  await askAgain(scene);
  await countShelf(scene, ben, { jacketS: 7, jacketM: 5, jacketL: 1 });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8, [codes.jacketM.sku]: 5 });
  for (const { api } of [ada, ben]) expect(await firstAreaOf(scene, api)).toMatchObject({ status: "closed" });
  const cleo = await joinAs(scene, "Cleo");
  expect(await firstAreaOf(scene, cleo.api)).toMatchObject({ status: "not_started" });
  await countShelf(scene, cleo, { jacketS: 7, jacketM: 6 });
  expect(await differencesOf(scene)).toMatchObject([
    { sku: codes.jacketS.sku, first: 8, second: 7, third: 7, settledAs: "second", settledBy: null },
    { sku: codes.jacketL.sku, first: 0, second: 1, third: 0, settledAs: "first", settledBy: null },
  ]);
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 7, [codes.jacketM.sku]: 5 });
  expect(await unitsByStatus(scene)).toEqual({ counted: 12, compared: 19, "voided SUPERSEDED": 8 });
});

test("three different counts wait for an administrator, who chooses one with a reason, once", async () => {
  const { ben } = await counted();
  await askAgain(scene);
  await countShelf(scene, ben, { jacketS: 7, jacketM: 5 });
  const [open] = await differencesOf(scene);
  if (open === undefined) throw new Error("Nothing differs.");
  expect(open).toMatchObject({ first: 8, second: 7, third: null, thirdCountOpen: true });
  expect(await choose(scene, open, "second")).toMatchObject({
    status: 409,
    body: { code: "SECOND_COUNT_OPEN" },
  });
  await countShelf(scene, await joinAs(scene, "Cleo"), { jacketS: 6, jacketM: 5 });
  expect(await differencesOf(scene)).toMatchObject([
    { first: 8, second: 7, third: 6, settledAs: null, thirdCountOpen: false },
  ]);
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8, [codes.jacketM.sku]: 5 });
  expect(await choose(scene, open, "third")).toMatchObject({ status: 200 });
  expect(await differencesOf(scene)).toMatchObject([
    { settledAs: "third", settledBy: { username: "admin" }, reason: "I counted the shelf myself" },
  ]);
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 6, [codes.jacketM.sku]: 5 });
  expect(await choose(scene, open, "first")).toMatchObject({
    status: 409,
    body: { code: "DIFFERENCE_SETTLED" },
  });
});

test("who scanned in the area can't take it under another invitation with the same e-mail, nor under the name of a session code", async () => {
  await counted();
  await askAgain(scene);
  const { server, session } = scene;
  const sameMail = await join(server, session, { name: "Augusta", email: "ADA@example.com" });
  const sameName = await join(server, session, { name: "ada", email: "" });
  const numbered = await join(server, session, { name: "Ada (2)", email: "", askedName: "Ada" });
  const ownNumber = await join(server, session, { name: "Ada (3)", email: "" });
  const namesake = await join(server, session, { name: "Ada", email: "another.ada@example.com" });
  for (const { api } of [sameMail, sameName, numbered]) {
    expect(await firstAreaOf(scene, api)).toMatchObject({ status: "closed" });
  }
  for (const { api } of [namesake, ownNumber]) {
    expect(await firstAreaOf(scene, api)).toMatchObject({ status: "not_started" });
  }
});

test("a counter who may take it reads none of the first count's scans", async () => {
  const { ada, ben } = await counted();
  const { pass } = await askAgain(scene);
  const { sessionId, ...area } = firstArea(scene);
  const given = { params: { sessionId, areaCode: area.areaCode }, query: { locationId: area.locationId } };
  expect(await ben.api.call(areaScans, given)).toMatchObject({ scans: [], total: 0, pass, devices: [] });
  expect(await ada.api.call(areaScans, given)).toMatchObject({ total: 2, pass: 2 });
});

test("it can be asked for of closed areas alone, once at a time and until every figure is settled", async () => {
  const { admin } = scene.server;
  const body = { areaId: firstAreaId(scene) };
  expect(await admin.send(askSecondCount, { body })).toMatchObject({
    status: 409,
    body: { code: "AREA_NOT_CLOSED" },
  });
  const { ben } = await counted();
  const { pass } = await askAgain(scene);
  expect(await askAgain(scene)).toMatchObject({ pass });
  await admin.call(cancelSecondCount, { body });
  expect(await admin.send(cancelSecondCount, { body })).toMatchObject({
    status: 409,
    body: { code: "NO_SECOND_COUNT" },
  });
  expect(await askAgain(scene)).toMatchObject({ pass: pass + 1, round: 2 });
  await countShelf(scene, ben, { jacketS: 8, jacketM: 5 });
  expect(await admin.send(askSecondCount, { body })).toMatchObject({
    status: 409,
    body: { code: "SECOND_COUNT_MADE" },
  });
});

test("where nobody is left to count a third time the administrator cancels it and chooses between two, after the end too", async () => {
  const { ben } = await counted();
  await askAgain(scene);
  await countShelf(scene, ben, { jacketS: 7, jacketM: 5 });
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  expect(await secondCountsOf(scene)).toMatchObject([
    { endedAs: "closed" },
    { round: 3, endedAs: "session_ended" },
  ]);
  const [open] = await differencesOf(scene);
  if (open === undefined) throw new Error("Nothing differs.");
  expect(await choose(scene, open, "third")).toMatchObject({ status: 400 });
  expect(await choose(scene, open, "second")).toMatchObject({ status: 200 });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 7, [codes.jacketM.sku]: 5 });
});
