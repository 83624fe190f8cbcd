import { finishArea, postScanBatch, resetArea, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import type { TestCounter } from "../../testing/scenes.ts";
import { codes, countInEachTest, countsOf, scan, scanBody } from "../testing/scene.ts";
import { askAgain, countShelf, finishAs, firstAreaOf, joinAs } from "../testing/second-counts.ts";

const scene = countInEachTest();
const device = "device-of-Ada";
/** Of Ada's scans, which a repeated undo would take for undone. */
const seqsOf = { A1: [11, 12, 13], A2: [21, 22, 23] } as const;

/** A1 is counted and then offered for a second count; A2 is begun and reset, so that both are in the same pass, and begun before. */
async function offered(): Promise<{ readonly ada: TestCounter; readonly ben: TestCounter }> {
  const [ada, ben] = [await joinAs(scene, "Ada"), await joinAs(scene, "Ben")];
  for (const areaCode of ["A1", "A2"] as const) {
    for (const seq of seqsOf[areaCode]) await scan(scene, { areaCode, seq, deviceId: device }, ada.api);
  }
  await finishAs(scene, ada, 3, (await firstAreaOf(scene, ada.api)).pass);
  await resetSecond(ada);
  await askAgain(scene);
  return { ada, ben };
}

const named = (areaCode: string) => ({
  sessionId: scene.session._id,
  areaCode,
  locationId: scene.store.locationId,
});

const resetSecond = ({ api }: TestCounter) => api.call(resetArea, { body: named("A2") });

/** What somebody is answered who names a pass of an area, and the scan of it that has the given place. */
async function answered({ api }: TestCounter, areaCode: "A1" | "A2", pass: number, place: 0 | 1 | 2) {
  const body = { ...named(areaCode), pass };
  const seq = seqsOf[areaCode][place];
  return [
    await api.send(finishArea, { body: { ...body, deviceId: device, declaredTotal: 3 } }),
    await api.send(finishArea, { body: { ...body, deviceId: "another", declaredTotal: 3 } }),
    await api.send(resetArea, { body }),
    await api.send(undoScan, { body: { ...body, deviceId: device } }),
    await api.send(undoScan, { body: { ...body, deviceId: device, seq } }),
    await api.send(undoScan, { body: { ...body, deviceId: "another", seq: 1 } }),
  ].map(({ status, body: answer }) => ({ status, answer }));
}

/** What becomes of scans that name a pass which is over, in whosever name they are sent. */
async function scanned({ api, userId }: TestCounter, areaCode: "A1" | "A2", pass: number, of: TestCounter) {
  const change = { areaCode, pass, deviceId: `phone in ${areaCode}` };
  const first = await scan(scene, { ...change, seq: 1, scannedById: of.userId }, api);
  const scans = [scanBody(scene, { ...change, seq: 2, scannedById: userId, input: codes.unknown.input })];
  const { results } = await api.call(postScanBatch, { body: { scans } });
  const alike = JSON.stringify([first, ...results]).replaceAll(/"_id":"\d+"/g, '"_id":""');
  return alike.replaceAll(`"areaCode":"${areaCode}"`, '"areaCode":""');
}

test("whatever names a pass that is over is answered alike of a second count and of an area begun anew", async () => {
  const { ada, ben } = await offered();
  const { pass } = await firstAreaOf(scene, ben.api);
  for (const [other, place] of [
    [pass - 1, 0],
    [pass + 1, 1],
  ] as const) {
    expect(await answered(ben, "A1", other, place)).toEqual(await answered(ben, "A2", other, place));
  }
  const ofOver = await answered(ben, "A1", pass - 1, 0);
  expect(ofOver.map(({ answer }) => answer)).toEqual(
    ofOver.map(() => expect.objectContaining({ code: "PASS_OVER" })),
  );
  const undone = { ...named("A1"), deviceId: device, seq: 13, pass };
  expect(await ben.api.send(undoScan, { body: undone })).toMatchObject({
    status: 409,
    body: { code: "PASS_OVER" },
  });
  expect(await scanned(ben, "A1", pass - 1, ada)).toBe(await scanned(ben, "A2", pass - 1, ada));
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 3 });
});

test("also of a third count, where the second is over as well", async () => {
  const { ada, ben } = await offered();
  await countShelf(scene, ben, { jacketS: 7 });
  await resetSecond(ada);
  const cleo = await joinAs(scene, "Cleo");
  const { pass } = await firstAreaOf(scene, cleo.api);
  for (const [over, place] of [
    [pass - 1, 0],
    [pass - 2, 1],
  ] as const) {
    expect(await answered(cleo, "A1", over, place)).toEqual(await answered(cleo, "A2", over, place));
  }
  expect(await scanned(cleo, "A1", pass - 1, ada)).toBe(await scanned(cleo, "A2", pass - 1, ada));
});

test("to whoever counted it the area is finished, as it was", async () => {
  const { ada } = await offered();
  const { pass } = await firstAreaOf(scene, ada.api);
  const body = { ...named("A1"), pass };
  const closed = { status: 409, body: { code: "AREA_CLOSED" } };
  expect(await ada.api.send(resetArea, { body })).toMatchObject(closed);
  expect(await scan(scene, { pass, seq: 9, deviceId: device }, ada.api)).toMatchObject({
    status: "late",
    reason: "AREA_CLOSED",
  });
});
