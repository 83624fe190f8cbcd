import { resolveScan, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Transaction } from "../database/pool.ts";
import { makeAreas, makeLocation, type TestArea } from "../testing/scenes.ts";
import { countWaiting } from "../testing/waiting-transactions.ts";
import { codes, countInEachTest, countsOf, scan, startCounting } from "./testing/scene.ts";

const scene = countInEachTest();
const { sku } = codes.jacketS;

const database = () => scene.server.database.database;

const untilWaiting = (transactions: number) => expect.poll(() => countWaiting(database())).toBe(transactions);

async function undo(areaCode: string, seq?: number) {
  const body = { sessionId: scene.session._id, deviceId: "device-1", areaCode, seq };
  const { status, body: answer } = await scene.counter.api.send(undoScan, { body });
  return { status, answer };
}

/** A scan of one area that an administrator has accepted into another, as the device's first. */
async function countInAnother(from: TestArea, to: TestArea) {
  const waiting = await scan(scene, { seq: 1, areaCode: from.code, input: codes.unknown.input });
  await scene.server.admin.call(resolveScan, {
    params: { id: waiting.scan._id },
    body: { action: "accept", sku, areaId: to.id },
  });
}

function areasInOrder(): [TestArea, TestArea] {
  const [lower, higher] = scene.store.areas.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (lower === undefined || higher === undefined) throw new Error("The store has no two areas.");
  return [lower, higher];
}

/** Undoes the device's first scan while somebody holds an area; `meanwhile` happens once the undo waits for it. */
async function undoBehind(
  held: TestArea,
  named: TestArea,
  meanwhile: (transaction: Transaction) => Promise<unknown> = async () => {},
) {
  const { outcome } = await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from areas where id = ${held.id} for update`.execute(transaction);
      const outcome = undo(named.code, 1);
      await untilWaiting(1);
      await meanwhile(transaction);
      return { outcome };
    });
  return outcome;
}

const nothing = { status: 404, answer: { code: "NOTHING_TO_UNDO" } };

test("an undo of a number waits for whoever holds the area that its scan counts in by now", async () => {
  const [named, present] = areasInOrder();
  await countInAnother(named, present);
  expect(await undoBehind(present, named)).toMatchObject(nothing);
});

test("the area of its scan and the one that an undo names are locked in the order of their ids", async () => {
  const [named, present] = areasInOrder();
  await countInAnother(named, present);
  const outcome = await undoBehind(named, named, (transaction) =>
    sql`select from areas where id = ${present.id} for update nowait`.execute(transaction),
  );
  expect(outcome).toMatchObject(nothing);
});

test("an undo of a number is not held up by other areas: of other scans, other stores or deleted ones of the same code", async () => {
  const [area, other] = areasInOrder();
  await startCounting(scene.server, { areaCodes: [area.code] });
  const { id: storeId } = scene.store;
  const locationId = await makeLocation(scene.server, storeId, "Stockroom");
  const [deleted] = await makeAreas(scene.server, { storeId, locationId, codes: [area.code] });
  await database()
    .updateTable("areas")
    .set({ deletedAt: new Date() })
    .where("id", "=", deleted?.id ?? "")
    .execute();
  await scan(scene, { seq: 1, areaCode: area.code });
  await scan(scene, { seq: 2, areaCode: other.code, input: codes.jacketM.input });
  await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from areas where id <> ${area.id} for update`.execute(transaction);
      const outcome = undo(area.code, 1);
      await expect.poll(() => countsOf(scene)).toEqual({ [codes.jacketM.sku]: 1 });
      expect(await outcome).toMatchObject({ status: 200 });
    });
});

test("an undo without a number that may mean several areas is refused without waiting for any of them", async () => {
  const { id: storeId, areas } = scene.store;
  const locationId = await makeLocation(scene.server, storeId, "Stockroom");
  await makeAreas(scene.server, { storeId, locationId, codes: ["A1"] });
  await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from areas where id = ${areas[0]?.id} for update`.execute(transaction);
      const answers: unknown[] = [];
      const asked = undo("A1").then((outcome) => answers.push(outcome));
      const refused = { status: 409, answer: { code: "AREA_AMBIGUOUS" } };
      await expect.poll(() => answers).toMatchObject([refused]);
      await asked;
    });
});
