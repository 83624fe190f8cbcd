import { expect, test } from "vitest";
import { areaRow, countInEachTest, scan } from "../testing/scene.ts";

const scene = countInEachTest();

const [lowest, higher, highest] = [
  "00000000-0000-4000-8000-000000000001",
  "00000000-0000-4000-8000-000000000002",
  "ffffffff-ffff-4fff-bfff-ffffffffffff",
];

/** Areas of the first one's code that were deleted, before and after it in the order in which areas are read. */
async function addFormer(passes: Readonly<Record<string, number>>): Promise<void> {
  const { database } = scene.server.database;
  const { locationId, id: storeId } = scene.store;
  await database.deleteFrom("areas").where("id", "in", [lowest, higher, highest]).execute();
  for (const [id, pass] of Object.entries(passes)) {
    await database
      .insertInto("areas")
      .values({
        ...{ id, locationId, storeId, code: "A1", name: "Former", pass, status: "closed" },
        ...{ closedBy: null, closedAt: null, deletedAt: new Date() },
      })
      .execute();
  }
  await database
    .updateTable("areas")
    .set({ pass: 2 })
    .where("id", "=", (await areaRow(scene)).id)
    .execute();
}

async function areaOf(pass: number | undefined): Promise<string> {
  const { scan: stored } = await scan(scene, pass === undefined ? {} : { pass });
  const { database } = scene.server.database;
  const { areaId } = await database
    .selectFrom("scans")
    .select("areaId")
    .where("id", "=", Number(stored._id))
    .executeTakeFirstOrThrow();
  await database.deleteFrom("scanTotals").where("sessionId", "=", scene.session._id).execute();
  await database.deleteFrom("scans").where("sessionId", "=", scene.session._id).execute();
  return areaId;
}

test("a scan means the area that has its code, unless it began in a pass that this one did not have in the session", async () => {
  await addFormer({ [lowest]: 4, [higher]: 6, [highest]: 9 });
  const { id: present } = await areaRow(scene);
  const meant = [undefined, 1, 2, 3, 4, 5, 6, 7, 9, 10];
  const areas: string[] = [];
  for (const pass of meant) areas.push(await areaOf(pass));
  expect(areas).toEqual([
    ...[present, lowest, present],
    ...[lowest, lowest, higher, higher, highest, highest, present],
  ]);
});
