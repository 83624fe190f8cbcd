import { finishArea, resetArea, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { codes, countInEachTest, countsOf, firstArea, scan } from "../testing/scene.ts";
import {
  askAgain,
  countShelf,
  finishAs,
  firstAreaOf,
  joinAs,
  scanShelf,
  secondCountsOf,
} from "../testing/second-counts.ts";

const scene = countInEachTest();

/** The first area counted by Ada and asked for again, the second area fresh, and Ben, to whom both look alike. */
async function askedAgain() {
  const ada = await joinAs(scene, "Ada");
  await countShelf(scene, ada, { jacketS: 8 });
  const ben = await joinAs(scene, "Ben");
  const { pass, ofPass } = await askAgain(scene);
  return { ada, ben, pass, ofPass };
}

/** What Ben is told who names a pass before the one that he sees: of the area that was counted, and of one that never was. */
async function toldOfBoth(ofCounted: number, tell: (area: object) => Promise<unknown>) {
  const counted = { ...firstArea(scene), deviceId: "device-of-Ben", pass: ofCounted };
  const fresh = { ...counted, areaCode: scene.store.areas[1]?.code ?? "", pass: 1 };
  return { counted: await tell(counted), fresh: await tell(fresh) };
}

test("what names the closed pass is refused, to whoever may take the second count, as in an area that never was closed", async () => {
  const { ben, ofPass } = await askedAgain();
  const all = [
    await toldOfBoth(ofPass, (area) =>
      ben.api.refusal(finishArea, {
        body: { ...firstArea(scene), deviceId: "x", declaredTotal: 8, ...area },
      }),
    ),
    await toldOfBoth(ofPass, (area) =>
      ben.api.refusal(undoScan, { body: { ...firstArea(scene), deviceId: "x", ...area } }),
    ),
    await toldOfBoth(ofPass, (area) =>
      ben.api.refusal(undoScan, { body: { ...firstArea(scene), deviceId: "x", seq: 7, ...area } }),
    ),
  ];
  for (const { counted, fresh } of all) {
    expect(counted).toEqual(fresh);
    expect(counted).toMatchObject({ code: "PASS_OVER" });
  }
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8 });
});

test("without a pass whoever may take the second count means the count that they see", async () => {
  const { ben, pass } = await askedAgain();
  const device = { deviceId: "device-of-Ben" };
  expect(await ben.api.refusal(undoScan, { body: { ...firstArea(scene), ...device } })).toMatchObject({
    code: "NOTHING_TO_UNDO",
  });
  await scanShelf(scene, ben, { jacketS: 7 });
  const reset = await ben.api.call(resetArea, { body: firstArea(scene) });
  expect(reset).toMatchObject({ deletedScans: 7, area: { pass: pass + 1, status: "not_started" } });
  expect(await secondCountsOf(scene)).toMatchObject([{ endedAs: "reset" }, { endedAs: null }]);
  expect(await firstAreaOf(scene, scene.server.admin)).toMatchObject({ status: "closed" });
  await scanShelf(scene, ben, { jacketS: 8 });
  const body = { ...firstArea(scene), ...device, declaredTotal: 8 };
  expect(await ben.api.call(finishArea, { body })).toEqual({ matched: true, serverTotal: 8 });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8 });
});

test("whoever closed the second count is told of the closed pass that it is over, as of any other", async () => {
  const { ben, pass, ofPass } = await askedAgain();
  await countShelf(scene, ben, { jacketS: 8 });
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", declaredTotal: 8 };
  expect(await ben.api.refusal(finishArea, { body: { ...body, pass: ofPass } })).toMatchObject({
    code: "PASS_OVER",
  });
  for (const again of [pass, undefined]) {
    expect(await ben.api.call(finishArea, { body: { ...body, pass: again } })).toEqual({
      matched: true,
      serverTotal: 8,
    });
  }
});

test("what its device sent in the closed pass counts on, whoever is signed in on it and undoes it", async () => {
  const { ben, ofPass } = await askedAgain();
  const undo = { ...firstArea(scene), deviceId: "device-of-Ada", seq: 1, pass: ofPass };
  expect(await ben.api.refusal(undoScan, { body: undo })).toMatchObject({ code: "AREA_CLOSED" });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 8 });
});

test("a reset of the closed pass that was made without a network is told so, and nothing counted since is of the second count", async () => {
  const { pass, ofPass } = await askedAgain();
  const carl = await joinAs(scene, "Carl");
  await scanShelf(scene, carl, { jacketS: 8 });
  // Made before anybody asked: the phone began the area anew, and expects the number that the second count has now.
  expect(pass).toBe(ofPass + 1);
  const dora = await joinAs(scene, "Dora");
  const reset = { ...firstArea(scene), deviceId: "device-of-Dora", pass: ofPass };
  expect(await dora.api.refusal(resetArea, { body: reset })).toMatchObject({ code: "AREA_CLOSED" });
  // So its scans are of the closed pass (SYNC.md, S15), and its finish ends nothing.
  const found = { deviceId: "device-of-Dora", seq: 1, pass: ofPass };
  expect(await scan(scene, found, dora.api)).toMatchObject({ status: "late", reason: "AREA_CLOSED" });
  expect(await dora.api.refusal(finishArea, { body: { ...reset, declaredTotal: 1 } })).toMatchObject({
    code: "AREA_CLOSED",
  });
  expect(await finishAs(scene, carl, 8, pass)).toEqual({ matched: true, serverTotal: 8 });
});

test("whoever counted the area and the administrator are told that it is closed", async () => {
  const { ada, ofPass } = await askedAgain();
  for (const pass of [ofPass, undefined]) {
    const body = { ...firstArea(scene), deviceId: "device-of-Ada", declaredTotal: 5, pass };
    for (const api of [ada.api, scene.server.admin]) {
      expect(await api.refusal(finishArea, { body })).toMatchObject({ code: "AREA_CLOSED" });
    }
  }
  expect(await finishAs(scene, ada, 8, ofPass)).toEqual({ matched: true, serverTotal: 8 });
});
