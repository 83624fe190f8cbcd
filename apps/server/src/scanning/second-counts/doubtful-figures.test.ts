import { finishArea, resolveScan, sessionExceptions, takeBackDecisions, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { codes, countInEachTest, countsOf, firstArea, scan } from "../testing/scene.ts";
import {
  askAgain,
  countShelf,
  differencesOf,
  finishAs,
  joinAs,
  scanShelf,
} from "../testing/second-counts.ts";

const scene = countInEachTest();

const jacket = codes.jacketS;

async function exceptions() {
  const { scans } = await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } });
  return scans;
}

function accept(id: string, sku: string) {
  return scene.server.admin.send(resolveScan, { params: { id }, body: { action: "accept", sku } });
}

/** Somebody who scans a code that fits no product, and what they find besides. */
async function countsUnnamed(name: string, pass: number, input: string, quantity: number): Promise<void> {
  const counter = await joinAs(scene, name);
  const deviceId = `device-of-${counter.username}`;
  await scan(scene, { input, quantity, seq: 70, deviceId, pass }, counter.api);
  await finishAs(scene, counter, 0, pass);
}

test("an item whose label nobody can read is not taken from the count because two others could not name it", async () => {
  await countShelf(scene, await joinAs(scene, "Ada"), { jacketS: 1 });
  const { pass } = await askAgain(scene);
  await countsUnnamed("Ben", pass, codes.unknown.input, 1);
  await countsUnnamed("Cleo", pass + 1, codes.unknown.input, 1);
  expect(await countsOf(scene)).toEqual({ [jacket.sku]: 1 });
  expect(await differencesOf(scene)).toMatchObject([
    { sku: jacket.sku, first: 1, second: 0, third: 0, settledAs: null },
  ]);
});

test("a code that was accepted as two products is none of them in the other counts", async () => {
  const ada = await joinAs(scene, "Ada");
  for (const seq of [60, 61])
    await scan(scene, { input: codes.unknown.input, seq, deviceId: "device-of-Ada", pass: 2 }, ada.api);
  await finishAs(scene, ada, 0, 2);
  const [one, other] = await exceptions();
  await accept(one?._id ?? "", codes.jacketS.sku);
  await accept(other?._id ?? "", codes.jacketM.sku);
  const { pass } = await askAgain(scene);
  await countsUnnamed("Ben", pass, codes.unknown.input, 2);
  await countsUnnamed("Cleo", pass + 1, codes.unknown.input, 2);
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1, [codes.jacketM.sku]: 1 });
  expect((await differencesOf(scene)).map(({ settledAs }) => settledAs)).toEqual([null, null]);
});

test("a code that is accepted as another product after all is that one in the other counts too", async () => {
  const ada = await joinAs(scene, "Ada");
  const read = { input: codes.unknown.input, quantity: 2 };
  await scan(scene, { ...read, seq: 60, deviceId: "device-of-Ada", pass: 2 }, ada.api);
  await countShelf(scene, ada, { jacketM: 5 });
  const [waiting] = await exceptions();
  const id = waiting?._id ?? "";
  await accept(id, codes.jacketS.sku);
  const { pass } = await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  await scan(scene, { ...read, seq: 60, deviceId: "device-of-Ben", pass }, ben.api);
  await countShelf(scene, ben, { jacketM: 5 });
  expect(await differencesOf(scene)).toEqual([]);
  await scene.server.admin.call(takeBackDecisions, {
    params: { id: scene.session._id },
    body: { scanIds: [id] },
  });
  expect(await differencesOf(scene)).toEqual([]);
  await accept(id, codes.jacketL.sku);
  expect(await differencesOf(scene)).toEqual([]);
  expect(await countsOf(scene)).toEqual({ [codes.jacketM.sku]: 5, [codes.jacketL.sku]: 2 });
});

test("a code that is no longer accepted as two products is the one that is left in the other counts too", async () => {
  const ada = await joinAs(scene, "Ada");
  const read = { input: codes.unknown.input };
  for (const seq of [60, 61])
    await scan(scene, { ...read, seq, deviceId: "device-of-Ada", pass: 2 }, ada.api);
  await countShelf(scene, ada, { jacketM: 5 });
  const [one, other] = (await exceptions()).map(({ _id }) => _id);
  await accept(one ?? "", codes.jacketS.sku);
  await accept(other ?? "", codes.jacketL.sku);
  const { pass } = await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  await scan(scene, { ...read, seq: 60, deviceId: "device-of-Ben", pass }, ben.api);
  await countShelf(scene, ben, { jacketM: 5 });
  const differing = { first: 1, second: 0, settledAs: null };
  expect(await differencesOf(scene)).toMatchObject([differing, differing]);
  await scene.server.admin.call(takeBackDecisions, {
    params: { id: scene.session._id },
    body: { scanIds: [other ?? ""] },
  });
  expect(await differencesOf(scene)).toEqual([]);
});

test("what another count scanned as a product by itself stays that, whatever becomes of a decision", async () => {
  const ada = await joinAs(scene, "Ada");
  await scan(scene, { input: codes.unknown.input, seq: 60, deviceId: "device-of-Ada", pass: 2 }, ada.api);
  await countShelf(scene, ada, { jacketM: 5 });
  await askAgain(scene);
  await scene.server.database.database
    .updateTable("scans")
    .set({ input: codes.jacketS.input })
    .where("input", "=", codes.unknown.input)
    .execute();
  await countShelf(scene, await joinAs(scene, "Ben"), { jacketS: 1, jacketM: 5 });
  const [waiting] = await exceptions();
  const id = waiting?._id ?? "";
  await accept(id, codes.jacketS.sku);
  await scene.server.admin.call(takeBackDecisions, {
    params: { id: scene.session._id },
    body: { scanIds: [id] },
  });
  expect(await differencesOf(scene)).toMatchObject([{ sku: codes.jacketS.sku, first: 0, second: 1 }]);
});

test("a scan of the first count that waits can't be accepted on top of the count that took its place", async () => {
  const ada = await joinAs(scene, "Ada");
  const unread = { input: codes.unknown.input, seq: 60, deviceId: "device-of-Ada", pass: 2 };
  await scan(scene, unread, ada.api);
  await countShelf(scene, ada, { jacketM: 5 });
  await askAgain(scene);
  for (const name of ["Ben", "Cleo"])
    await countShelf(scene, await joinAs(scene, name), { jacketS: 1, jacketM: 5 });
  const counted = { [codes.jacketS.sku]: 1, [codes.jacketM.sku]: 5 };
  expect(await countsOf(scene)).toEqual(counted);
  const [waiting] = await exceptions();
  expect(await accept(waiting?._id ?? "", jacket.sku)).toMatchObject({
    status: 409,
    body: { code: "SECOND_COUNT_MADE" },
  });
  expect(await countsOf(scene)).toEqual(counted);
  expect(await accept(waiting?._id ?? "", codes.jacketL.sku)).toMatchObject({ status: 200 });
});

test("an undo that names a second count does not reach the scans of the first", async () => {
  await countShelf(scene, await joinAs(scene, "Ada"), { jacketS: 8 });
  const ben = await joinAs(scene, "Ben");
  const { pass } = await askAgain(scene);
  const body = { ...firstArea(scene), deviceId: "device-of-Ada", seq: 1, pass };
  expect(await ben.api.refusal(undoScan, { body })).toMatchObject({ code: "AREA_CLOSED" });
  expect(await countsOf(scene)).toEqual({ [jacket.sku]: 8 });
});

test("what a device kept of a second count is done under whichever login sends it", async () => {
  const ada = await joinAs(scene, "Ada");
  await countShelf(scene, ada, { jacketS: 8 });
  const ben = await joinAs(scene, "Ben");
  const { pass } = await askAgain(scene);
  await scanShelf(scene, ben, { jacketS: 8, jacketM: 1 });
  const kept = { ...firstArea(scene), deviceId: "device-of-Ben", pass };
  expect(await ada.api.call(undoScan, { body: { ...kept, seq: 2 } })).toMatchObject({ undone: { seq: 2 } });
  expect(await ada.api.call(finishArea, { body: { ...kept, declaredTotal: 8 } })).toMatchObject({
    matched: true,
  });
  expect(await differencesOf(scene)).toEqual([]);
  expect(await ben.api.refusal(undoScan, { body: { ...kept, seq: 1 } })).toMatchObject({
    code: "AREA_CLOSED",
  });
});
