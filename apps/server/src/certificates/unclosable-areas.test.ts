import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { makeAreas } from "../testing/scenes.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene();

const accept = (id: string, areaCode?: string) =>
  scene.server.admin.call(contract.resolveScan, {
    params: { id },
    body: { action: "accept", ...(areaCode === undefined ? {} : { areaId: scene.areaId(areaCode) }) },
  });

const openAreas = async () => {
  const { areas } = await scene.server.admin.call(contract.listCoveredAreas, {
    params: scene.params,
    query: { which: "open" },
  });
  return areas.map(({ area, state, counted }) => [area.code, state, counted]);
};

/** A1 has a jacket, A2 is empty, and what else is in stock is left alone. */
async function complete(): Promise<void> {
  await scene.scan("A1", "JK-1000");
  await scene.finish("A1", 1);
  await scene.finish("A2", 0, scene.ben);
  await scene.say(["A2"], "empty");
  await scene.leave();
  await scene.end();
}

test("an area that was deleted while the session counted is open where an accepted scan counts in it", async () => {
  await scene.server.admin.call(contract.deleteArea, { params: { id: scene.areaId("A3") } });
  await complete();
  await scene.issue();
  const late = await scene.scan("A3", "JK-1000");
  await accept(late);
  expect(await openAreas()).toEqual([["A3", "not_counted", true]]);
  expect(await scene.open()).toEqual({ areas: 1 });
  expect(await scene.issue()).toMatchObject({ body: { code: "COVERAGE_OPEN" } });

  await scene.server.admin.call(contract.takeBackDecisions, {
    params: scene.params,
    body: { scanIds: [late] },
  });
  await accept(late, "A1");
  const { text } = await scene.untilVersion(2);
  expect(JSON.parse(text)).toMatchObject({
    figures: { unitsCounted: 2 },
    areas: [
      { code: "A1", became: "counted", units: 2 },
      { code: "A2", became: "empty", units: 0 },
    ],
  });
});

test("so is one that was added after the end", async () => {
  await scene.say(["A3"], "void");
  await complete();
  await scene.issue();
  const { id: storeId, locationId } = scene.store;
  await makeAreas(scene.server, { storeId, locationId, codes: ["A4"] });
  expect(await scene.read()).toMatchObject({ open: [], certificate: { valid: true } });
  await accept(await scene.scan("A4", "JK-1000"));
  expect(await openAreas()).toEqual([["A4", "not_counted", true]]);
  expect(await scene.read()).toMatchObject({ open: [{ kind: "areas", names: ["A4"] }], canIssue: false });
});

test("areas are named in natural order, with their location where another has the code, also in the audit log", async () => {
  const { admin } = scene.server;
  const { id: storeId, locationId } = scene.store;
  const { location } = await admin.call(contract.createLocation, { body: { name: "Annexe", storeId } });
  const add = (id: string, code: string) =>
    admin.call(contract.createAreas, { params: { id }, body: { areas: [{ code, name: code }] } });
  await add(locationId, "A10");
  await add(location._id, "A2");
  const { locations } = await admin.call(contract.listLocations, {});
  const floor = locations.find(({ _id }) => _id === locationId)?.name;
  expect((await scene.read()).open.find(({ kind }) => kind === "areas")?.names).toEqual([
    "A1",
    "A2 (Annexe)",
    `A2 (${floor})`,
    "A3",
    "A10",
  ]);
  await scene.say(["A1", "A2"], "void");
  const { entries } = await admin.call(contract.listAudit, { query: { sessionId: scene.session._id } });
  const said = entries.filter(({ action }) => action === "coverage.area_stated");
  expect(said.map(({ subject }) => subject.name).toSorted()).toEqual([
    "A1 - Area A1",
    `A2 - Area A2 (${floor})`,
  ]);
});
