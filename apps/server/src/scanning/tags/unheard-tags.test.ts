import { randomUUID } from "node:crypto";
import { finishArea } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { describe, expect, test } from "vitest";
import { join } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { finishBody, finishFirstArea } from "../testing/endings.ts";
import { areaRow, codes, countInEachTest, countsOf, type ScanChanges, scan } from "../testing/scene.ts";
import { askAgain, firstAreaOf, joinAs } from "../testing/second-counts.ts";

const scene = countInEachTest();
const { jacketS } = codes;
const tagOne = epcOf(jacketS.input, 1);
let seq = 0;

/** A read of a tag by a reader; each is another scan. */
const read = (changes: ScanChanges = {}, api?: TestApi) => {
  seq += 1;
  return scan(scene, { input: tagOne, seq, opId: randomUUID(), ...changes }, api);
};

interface Declaring {
  readonly deviceId?: string;
  readonly own?: boolean;
  readonly pass?: number;
  readonly tagsUnheard?: boolean;
}

/** A finish of the first area, in its present pass unless another is named. */
async function declare(total: number, changes: Declaring = {}, api: TestApi = scene.counter.api) {
  const { pass } = await areaRow(scene);
  return api.send(finishArea, { body: { ...finishBody(scene, total, { pass }), ...changes } });
}

const countChanged = { status: 409, body: { code: "COUNT_CHANGED" } };
const mismatched = (serverTotal: number) => ({ status: 200, body: { matched: false, serverTotal } });

describe("S44: a total declared before the server had answered all reads of tags", () => {
  test("voids nothing where others had read the tags, but the next one does", async () => {
    await read({ deviceId: "reader-2" });
    await read();
    expect(await declare(2, { tagsUnheard: true })).toMatchObject(countChanged);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await declare(2)).toMatchObject(mismatched(1));
  });

  test("voids nothing where the server counts what the device had set aside", async () => {
    await read();
    expect(await declare(0, { tagsUnheard: true })).toMatchObject(countChanged);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await declare(0)).toMatchObject(mismatched(1));
  });

  test("voids a count without tags of the device", async () => {
    await read({ deviceId: "reader-2" });
    expect(await declare(2, { tagsUnheard: true })).toMatchObject(mismatched(1));
  });

  test("keeps no total of one's own that others' reads have made wrong, but one that is right", async () => {
    const bea = await join(scene.server, scene.session, { name: "Bea" });
    await read({ deviceId: "reader-2" }, bea.api);
    await read();
    await read({ input: epcOf(jacketS.input, 2) });
    await read({ input: epcOf(jacketS.input, 3), areaCode: "A2" });
    expect(await declare(2, { own: true, tagsUnheard: true })).toMatchObject(countChanged);
    expect(await declare(1, { own: true, tagsUnheard: true })).toMatchObject({
      status: 200,
      body: { waitingFor: ["Bea"] },
    });
    const bySecond = await declare(1, { own: true, deviceId: "reader-2" }, bea.api);
    expect(bySecond.body).toEqual({ matched: true, serverTotal: 2 });
  });

  test("keeps a wrong total of one's own where the person has read no tags, to be compared", async () => {
    const bea = await join(scene.server, scene.session, { name: "Bea" });
    await read({ deviceId: "reader-2" }, bea.api);
    await read({ input: codes.jacketM.input });
    expect(await declare(2, { own: true, tagsUnheard: true })).toMatchObject({
      status: 200,
      body: { waitingFor: ["Bea"] },
    });
  });

  test("ends no second count where it is wrong", async () => {
    const ada = await joinAs(scene, "Ada");
    await read({ deviceId: "device-of-Ada" }, ada.api);
    await finishFirstArea(scene, 1);
    await askAgain(scene);
    const ben = await joinAs(scene, "Ben");
    const { pass } = await firstAreaOf(scene, ben.api);
    await read({ deviceId: "device-of-Ben", pass }, ben.api);
    await read({ deviceId: "device-of-Ben", pass }, ben.api);
    const asBen = { deviceId: "device-of-Ben", pass };
    expect(await declare(2, { ...asBen, tagsUnheard: true }, ben.api)).toMatchObject(countChanged);
    const right = { status: 200, body: { matched: true, serverTotal: 1 } };
    expect(await declare(1, { ...asBen, tagsUnheard: true }, ben.api)).toMatchObject(right);
  });
});
