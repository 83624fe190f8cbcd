import { deleteLocation, fileDevice, isOfPaper, postScan, sheetDevice } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeAreas, makeLocation } from "../../testing/scenes.ts";
import { codes, countInEachTest, countsOf, scan, scanBody } from "../testing/scene.ts";
import { askAgain, countShelf, firstAreaOf, joinAs } from "../testing/second-counts.ts";
import { ofPaper } from "./incoming-scan.ts";

const scene = countInEachTest();

function storedScan(id: string) {
  return scene.server.database.database
    .selectFrom("scans")
    .select(["status", "reason", "pass"])
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();
}

test("S41: the read of a tag is one item, and refused with any other number", async () => {
  const tag = { input: epcOf(codes.jacketS.input, 1) };
  const refused = await scene.counter.api.refusal(postScan, {
    body: scanBody(scene, { ...tag, quantity: 2 }),
  });
  expect(refused).toMatchObject({
    ...{ status: 400, code: "VALIDATION" },
    details: [{ field: "quantity", message: "A tag is one item. Count others of it by the product's code." }],
  });
  expect(await scan(scene, { ...tag, quantity: 1 })).toMatchObject({ status: "counted" });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1 });
});

test("S43: a scan into a second count is compared where its counter may take it, and late where not", async () => {
  const [ada, ben] = [await joinAs(scene, "Ada"), await joinAs(scene, "Ben")];
  await countShelf(scene, ada, { jacketS: 8 });
  const { pass } = await askAgain(scene);
  const adas = await scan(scene, { seq: 90, deviceId: "device-of-Ada", pass }, ada.api);
  expect(adas).toMatchObject({ status: "late", reason: "AREA_CLOSED", scan: { pass } });
  expect(await storedScan(adas.scan._id)).toEqual({ status: "late", reason: "AREA_CLOSED", pass });
  expect(await firstAreaOf(scene, ben.api)).toMatchObject({ status: "not_started", pass });
  const bens = await scan(scene, { seq: 90, deviceId: "device-of-Ben", pass }, ben.api);
  expect(bens).toMatchObject({ status: "counted", reason: null, scan: { pass } });
  expect(await storedScan(bens.scan._id)).toEqual({ status: "compared", reason: null, pass });
  expect(await firstAreaOf(scene, ben.api)).toMatchObject({ status: "in_progress", pass });
});

test("a scan in a deleted location is late", async () => {
  const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
  await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["S1"] });
  await scene.server.admin.call(deleteLocation, { params: { id: locationId } });
  await scene.server.database.database
    .updateTable("areas")
    .set({ deletedAt: null })
    .where("locationId", "=", locationId)
    .execute();
  expect(await scan(scene, { locationId, areaCode: "S1" })).toMatchObject({
    status: "late",
    reason: "AREA_DELETED",
  });
});

test("a scan is of paper by the name of its device, alike in a statement", async () => {
  const names = [fileDevice, sheetDevice(1), sheetDevice(20), "sheet", "sheet 1b", "a sheet 1", "device-1"];
  const { rows } = await sql<{ isOfPaper: boolean }>`
    select ${ofPaper} as is_of_paper from unnest(${names}::text[]) with ordinality as scans (device_id, place)
    order by place`.execute(scene.server.database.database);
  const expected = [true, true, true, false, false, false, false];
  expect(rows.map((row) => row.isOfPaper)).toEqual(expected);
  expect(names.map((deviceId) => isOfPaper({ deviceId }))).toEqual(expected);
});
