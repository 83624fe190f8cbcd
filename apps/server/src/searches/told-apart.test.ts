import * as contract from "@stocktake/contract";
import { beforeEach, expect, test, vi } from "vitest";
import { type EventClient, listen } from "../testing/event-client.ts";
import { join, type TestCounter } from "../testing/scenes.ts";
import { SearchScene, scarves } from "./testing-search-scene.ts";

const scene = new SearchScene();
const [red, blue] = scarves;

interface Place {
  readonly code: "A1" | "A2";
  readonly list: number;
  readonly sku: string;
}
/** Offered for a second count. */
const again: Place = { code: "A1", list: 1, sku: red };
/** Begun and reset by Ada, so that nothing is left of it: an area like any other. */
const fresh: Place = { code: "A2", list: 2, sku: blue };

const idOf = ({ code }: Place) => scene.store.areas.find((area) => area.code === code)?.id ?? "";

/** What was received of a place, in the words of the other one. */
function inOneWord(place: Place, received: unknown): string {
  const texts = [
    [idOf(place), "AREA"],
    [place.code, "CODE"],
    [place.sku, "SKU"],
    [`"number":${place.list},`, '"number":0,'],
  ] as const;
  return texts
    .reduce((text, [own, word]) => text.replaceAll(own, word), JSON.stringify(received))
    .replaceAll(/"(id|_id)":"\d+"/g, '"$1":"ID"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/"seq":\d+/g, '"seq":0')
    .replaceAll(/"productTitle":"[^"]*"/g, '"productTitle":""')
    .replaceAll(/"size":[^,]*,/g, "");
}

/** Everything that a phone asks for of a place, and what it has heard of it since. */
async function received(by: TestCounter, events: EventClient, place: Place): Promise<string> {
  const { areas } = await by.api.call(contract.listAreas, {});
  const ofLocation = await by.api.call(contract.listAreasOfLocation, {
    params: { locationId: scene.store.locationId },
  });
  const isHere = ({ _id }: contract.Area) => _id === idOf(place);
  const { tasks } = await by.api.call(contract.listSearchTasks, scene.ofSession);
  const { task, items } = await by.api.call(contract.readSearchTask, scene.ofList(place.list));
  const openAreas = task.openAreas?.filter((id) => id === idOf(place));
  const scans = await by.api.send(contract.areaScans, {
    params: { sessionId: scene.session._id, areaCode: place.code },
    query: { locationId: scene.store.locationId },
  });
  return inOneWord(place, {
    areas: [...areas.filter(isHere), ...ofLocation.areas.filter(isHere)],
    tasks: tasks.filter(({ number }) => number === place.list),
    ...{ task: { ...task, openAreas }, items, scans: scans.body },
    heard: events.heard.slice(begun).filter(({ areaId }) => areaId === idOf(place)),
  });
}

let events: EventClient;
/** How many events were heard before the second count was asked for. */
let begun: number;

/** Ada counts A1 and closes it, and takes back what she had begun in A2; then A1 is to be counted a second time. */
beforeEach(async () => {
  const [a1, a2] = scene.store.areas;
  for (const [area, sku] of [
    [a1, red],
    [a2, blue],
  ] as const) {
    await scene.create({ skus: [sku], areaId: area?.id ?? null });
  }
  await scene.scan(scene.ada, "JK-1000", 7, "A1");
  await scene.close("A1", 7);
  await scene.scan(scene.ada, "JK-1001", 1, "A2");
  const named = { sessionId: scene.session._id, locationId: scene.store.locationId, areaCode: "A2" };
  events = await listen(scene.ben.api);
  await scene.ada.api.call(contract.resetArea, { body: named });
  await events.until({ areaId: idOf(fresh), pass: 3 });
  begun = events.heard.length;
  await scene.admin.call(contract.askSecondCount, { body: { areaId: idOf(again) } });
  await vi.waitFor(() => expect(events.heard.length).toBeGreaterThan(begun));
  return () => events.close();
});

async function expectAlike(by: TestCounter): Promise<void> {
  expect(await received(by, events, again)).toBe(await received(by, events, fresh));
}

const passSeenBy = async (by: TestCounter, { code }: Place) =>
  (await by.api.call(contract.listAreas, {})).areas.find((area) => area.code === code)?.pass;

test("nothing that a phone receives tells an area that is offered for a second count from a fresh one", async () => {
  const { ben } = scene;
  const { _id: sessionId } = scene.session;
  expect(events.heard.slice(begun)).toEqual([{ type: "area", sessionId, storeId: scene.store.id }]);
  await expectAlike(ben);
  for (const place of [again, fresh]) await scene.say(ben, place.sku, "found", place.list);
  await expectAlike(ben);
  const answers = [];
  for (const place of [again, fresh]) {
    const answer = await scene.scan(ben, place.sku, 1, place.code, await passSeenBy(ben, place));
    answers.push(inOneWord(place, { ...answer, scan: { ...answer.scan, opId: null } }));
    const told = () => events.heard.slice(begun).filter(({ areaId }) => areaId === idOf(place));
    await vi.waitFor(() =>
      expect(
        told()
          .map(({ type }) => type)
          .toSorted(),
      ).toEqual(["area", "scan"]),
    );
  }
  expect(answers[0]).toBe(answers[1]);
  await expectAlike(ben);
  const cleo = await join(scene.server, scene.session, { name: "Cleo", email: "cleo@example.com" });
  await expectAlike(cleo);
  const { task, items } = await ben.api.call(contract.readSearchTask, scene.ofList(1));
  expect([task.openAreas?.length, task.done, items[0]?.counted]).toEqual([2, 1, true]);
});

test("to whoever counted the area, and for whom it is closed, it takes nothing and nothing in it is ticked off", async () => {
  await scene.scan(scene.ben, red, 1, "A1", await passSeenBy(scene.ben, again));
  const { task, items } = await scene.ada.api.call(contract.readSearchTask, scene.ofList(1));
  expect([task.openAreas, task.done, items[0]?.counted]).toEqual([[idOf(fresh)], 0, false]);
});

/** Counts A1 as its counter sees it: the jackets of the first count, and the scarves. */
async function countAgain(by: TestCounter): Promise<void> {
  const pass = await passSeenBy(by, again);
  for (const [sku, units] of [
    ["JK-1000", 7],
    [red, 3],
  ] as const) {
    await scene.scan(by, sku, units, "A1", pass);
  }
  await scene.close("A1", 10, by, pass);
}

async function openStock(): Promise<readonly string[]> {
  const query = { state: "open" as const };
  const { rows } = await scene.admin.call(contract.listUncoveredStock, { ...scene.ofSession, query });
  return rows.map(({ sku }) => sku);
}

test("what was found and scanned in a second count of the whole area is settled by the third and counts", async () => {
  await countAgain(scene.ben);
  expect(await openStock()).toContain(red);
  await countAgain(await join(scene.server, scene.session, { name: "Cleo", email: "cleo@example.com" }));
  expect(await openStock()).not.toContain(red);
});

test("what was found and scanned in a second count of a list that it is not on looks the same and stays open", async () => {
  const { admin, ben } = scene;
  await admin.call(contract.cancelSecondCount, { body: { areaId: idOf(again) } });
  await admin.call(contract.askSecondCount, { body: { areaId: idOf(again), skus: ["JK-1000"] } });
  await scene.say(ben, red, "found", again.list);
  await countAgain(ben);
  const { items } = await ben.api.call(contract.readSearchTask, scene.ofList(again.list));
  expect(items).toMatchObject([{ sku: red, counted: true, answer: "found" }]);
  expect(await scene.stateOf(red)).toBe("found");
  expect(await openStock()).toContain(red);
});
