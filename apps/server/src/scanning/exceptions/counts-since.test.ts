import { exceptionGroups, passOfNoCount } from "@stocktake/contract";
import { beforeEach, expect, test } from "vitest";
import { finishFirstArea, resetFirstArea, restoreFirstArea } from "../testing/endings.ts";
import { areaRow, codes, countInEachTest, endAtOnce, scan } from "../testing/scene.ts";
import { askAgain } from "../testing/second-counts.ts";

const scene = countInEachTest();
let first: number;

beforeEach(async () => {
  first = (await areaRow(scene)).pass;
  await scan(scene, { seq: 1 });
});

async function countsSince() {
  const { groups } = await scene.server.admin.call(exceptionGroups, { params: { id: scene.session._id } });
  return groups.map((group) => group.countsSince);
}

/** A scan that its device made in the pass, and sends now. */
const sendLate = async (pass: number, seq = 10) =>
  expect(await scan(scene, { seq, pass })).toMatchObject({ status: "late", reason: "PASS_OVER" });

test("a scan whose pass was reset or did not match says that its area was counted again", async () => {
  await resetFirstArea(scene);
  await sendLate(first);
  expect(await countsSince()).toEqual([["counted_again"]]);
  await finishFirstArea(scene, 5);
  expect(await countsSince()).toEqual([["counted_again"]]);
});

test("a scan whose pass was restored says so, whether it came before or after that, and though the area is closed then", async () => {
  await resetFirstArea(scene);
  await sendLate(first);
  await restoreFirstArea(scene, first);
  expect(await countsSince()).toEqual([["restored"]]);
  await sendLate(first, 11);
  await finishFirstArea(scene, 1);
  expect(await countsSince()).toEqual([["restored"]]);
});

test("a scan of a pass that its area has not reached says that the count stands which was to be begun again, after the end too", async () => {
  await sendLate(first + 1);
  expect(await countsSince()).toEqual([["not_begun"]]);
  await sendLate(passOfNoCount, 11);
  expect(await countsSince()).toEqual([["not_begun"]]);
  await endAtOnce(scene);
  expect(await countsSince()).toEqual([["not_begun"]]);
});

test("a count that was restored, reset and restored again is the scan's own; reset alone it was counted again", async () => {
  await resetFirstArea(scene);
  await restoreFirstArea(scene, first);
  await resetFirstArea(scene);
  await sendLate(first);
  expect(await countsSince()).toEqual([["counted_again"]]);
  await restoreFirstArea(scene, first + 2);
  expect(await countsSince()).toEqual([["restored"]]);
});

test("where another count than the scan's was restored, that stands, and it may not have met the item", async () => {
  await resetFirstArea(scene);
  await scan(scene, { seq: 2 });
  await restoreFirstArea(scene, first);
  await sendLate(first + 1);
  expect(await countsSince()).toEqual([["other_restored"]]);
  await sendLate(first, 11);
  expect(await countsSince()).toEqual([["other_restored", "restored"]]);
});

test("never says counted again of a count that was brought back by way of one that was restored in its turn", async () => {
  await resetFirstArea(scene);
  await restoreFirstArea(scene, first);
  await restoreFirstArea(scene, first + 1);
  await restoreFirstArea(scene, first + 2);
  await sendLate(first);
  expect(await countsSince()).toEqual([["other_restored"]]);
});

test("nor where a second count took the number before the restored one's", async () => {
  await resetFirstArea(scene);
  await finishFirstArea(scene, 0);
  await askAgain(scene);
  await restoreFirstArea(scene, first);
  await sendLate(first);
  expect(await countsSince()).toEqual([["restored"]]);
});

test("nothing is said of scans that wait for another reason", async () => {
  await scan(scene, { seq: 2, input: codes.unknown.input });
  await finishFirstArea(scene, 1);
  await scan(scene, { seq: 3 });
  expect(await countsSince()).toEqual([undefined, undefined]);
});

test("what came after the session's end says what it was late for before: another count, a closed area, or nothing", async () => {
  await scan(scene, { seq: 2, areaCode: "A2" });
  await resetFirstArea(scene);
  await scan(scene, { seq: 3 });
  await finishFirstArea(scene, 1);
  await endAtOnce(scene);
  const groupOf = async (seq: number, changes: { readonly pass?: number; readonly areaCode?: string }) => {
    expect(await scan(scene, { seq, input: `CODE-${seq}`, ...changes })).toMatchObject({
      reason: "SESSION_CLOSED",
    });
    const { groups } = await scene.server.admin.call(exceptionGroups, { params: { id: scene.session._id } });
    const { lateFor, countsSince } = groups.at(-1) ?? {};
    return { lateFor, countsSince };
  };
  expect(await groupOf(10, { pass: first })).toEqual({
    lateFor: ["PASS_OVER"],
    countsSince: ["counted_again"],
  });
  expect(await groupOf(11, { pass: first + 1 })).toEqual({
    lateFor: ["AREA_CLOSED"],
    countsSince: undefined,
  });
  expect(await groupOf(13, { pass: passOfNoCount })).toEqual({
    lateFor: ["PASS_OVER"],
    countsSince: ["not_begun"],
  });
  expect(await groupOf(12, { areaCode: "A2", pass: first })).toEqual({
    lateFor: ["SESSION_CLOSED"],
    countsSince: undefined,
  });
});

test("a scan of a second count that came after the end says nothing of the area's own", async () => {
  await finishFirstArea(scene, 1);
  const { pass } = await askAgain(scene);
  await endAtOnce(scene);
  await scan(scene, { seq: 10, pass });
  const { groups } = await scene.server.admin.call(exceptionGroups, { params: { id: scene.session._id } });
  expect(groups).toMatchObject([{ reasons: ["SESSION_CLOSED"], lateFor: ["SESSION_CLOSED"] }]);
  expect(groups[0]).not.toHaveProperty("countsSince");
});
