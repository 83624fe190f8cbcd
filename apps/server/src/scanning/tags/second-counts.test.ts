import { randomUUID } from "node:crypto";
import { decideExceptions, sessionExceptions, undoScan } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { describe, expect, test } from "vitest";
import type { TestCounter } from "../../testing/scenes.ts";
import { codes, countInEachTest, countsOf, firstArea, scan } from "../testing/scene.ts";
import {
  askAgain,
  choose,
  differencesOf,
  finishAs,
  firstAreaOf,
  joinAs,
  unitsByStatus,
} from "../testing/second-counts.ts";

const scene = countInEachTest();
const { jacketS } = codes;
let seq = 0;

/** Reads the tags of jackets by their serial numbers, in the pass of the first area that the counter sees. */
async function reads(counter: TestCounter, serials: readonly number[], areaCode = firstArea(scene).areaCode) {
  const { pass } = await firstAreaOf(scene, counter.api);
  const answers = [];
  for (const serial of serials) {
    seq += 1;
    const read = { input: epcOf(jacketS.input, serial), seq, opId: randomUUID(), areaCode };
    const named = areaCode === firstArea(scene).areaCode ? { pass } : {};
    answers.push(
      await scan(scene, { ...read, ...named, deviceId: `device-of-${counter.username}` }, counter.api),
    );
  }
  return { pass, answers };
}

/** Tags 1 and 2 counted in the first area by Ada, tag 9 in the second, and a second count of the first by Ben. */
async function countedTwice(found: readonly number[]) {
  const ada = await joinAs(scene, "Ada");
  const { pass } = await reads(ada, [1, 2]);
  await finishAs(scene, ada, 2, pass);
  await reads(ada, [9], scene.store.areas[1]?.code);
  await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  return { ada, ben, second: await reads(ben, found) };
}

test("S43: a second count reads every tag anew and each once, but for those that count in another area", async () => {
  const { ben, second } = await countedTwice([1, 2, 2, 3, 9]);
  const again = { status: "voided", tag: "TAG_COUNTED" };
  const compared = { status: "counted" };
  expect(second.answers).toMatchObject([compared, compared, again, compared, again]);
  const undone = second.answers[1]?.scan.seq;
  const body = { ...firstArea(scene), deviceId: "device-of-Ben", seq: undone, pass: second.pass };
  expect(await ben.api.send(undoScan, { body })).toMatchObject({ status: 200 });
  expect(await unitsByStatus(scene)).toEqual({
    compared: 3,
    counted: 3,
    "voided TAG_COUNTED": 1,
    "voided UNDONE": 1,
  });
  expect(await finishAs(scene, ben, 3, second.pass)).toMatchObject({ matched: true });
});

test("S43: where the second count is right, its reads count, but for an item that another area has counted since", async () => {
  const { ada, ben, second } = await countedTwice([1, 3, 4]);
  await finishAs(scene, ben, 3, second.pass);
  await reads(ada, [4], scene.store.areas[1]?.code);
  const cleo = await joinAs(scene, "Cleo");
  await finishAs(scene, cleo, 1, (await reads(cleo, [1])).pass);
  const [difference] = await differencesOf(scene);
  if (difference === undefined) throw new Error("The two counts are equal.");
  expect(await choose(scene, difference, "second")).toMatchObject({ status: 200 });
  expect(await unitsByStatus(scene)).toEqual({
    compared: 1,
    counted: 4,
    "voided SUPERSEDED": 2,
    "voided TAG_COUNTED": 1,
  });
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 4 });
});

describe("S43: an item that waited as read elsewhere, where a second count has taken the place of the first", () => {
  /** Tag 9 counts in the second area, until it is undone there, and waits in the first. */
  async function choosingSecond(found: readonly number[], isUndoneBefore: boolean) {
    const ada = await joinAs(scene, "Ada");
    const areaCode = scene.store.areas[1]?.code ?? "";
    const { answers } = await reads(ada, [9], areaCode);
    const undo = () =>
      ada.api.call(undoScan, {
        body: { ...firstArea(scene), areaCode, deviceId: "device-of-Ada", seq: answers[0]?.scan.seq },
      });
    await finishAs(scene, ada, 2, (await reads(ada, [1, 2, 9])).pass);
    if (isUndoneBefore) await undo();
    await askAgain(scene);
    const ben = await joinAs(scene, "Ben");
    await finishAs(scene, ben, 3, (await reads(ben, found)).pass);
    const cleo = await joinAs(scene, "Cleo");
    await finishAs(scene, cleo, 1, (await reads(cleo, [1])).pass);
    const [difference] = await differencesOf(scene);
    if (difference === undefined) throw new Error("The two counts are equal.");
    await choose(scene, difference, "second");
    if (!isUndoneBefore) await undo();
  }

  async function acceptWaiting() {
    const params = { id: scene.session._id };
    const { scans } = await scene.server.admin.call(sessionExceptions, { params });
    const body = { action: "accept" as const, scanIds: scans.map(({ _id }) => _id) };
    return (await scene.server.admin.call(decideExceptions, { params, body })).scans;
  }

  test("can be accepted where the second count left it out", async () => {
    await choosingSecond([1, 3, 4, 9], false);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 3 });
    expect(await acceptWaiting()).toMatchObject([{ outcome: "done", status: "counted" }]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 4 });
  });

  test("can't where the second count has read it", async () => {
    await choosingSecond([1, 3, 9], true);
    expect(await acceptWaiting()).toMatchObject([{ outcome: "tag_counted" }]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 3 });
  });
});
