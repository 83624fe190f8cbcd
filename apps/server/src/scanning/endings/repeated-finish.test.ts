import { randomUUID } from "node:crypto";
import { finishArea } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { join, type TestCounter } from "../../testing/scenes.ts";
import {
  type EndingChanges,
  finishBody,
  finishFirstArea,
  passesOfFirstArea,
  finishRefusal as refusalOfFinish,
  resetFirstArea,
} from "../testing/endings.ts";
import { areaRow, countInEachTest, countsOf, endAtOnce, scan, scanTimes } from "../testing/scene.ts";
import { askAgain, countShelf, finishAs, joinAs } from "../testing/second-counts.ts";

const scene = countInEachTest();

const finish = (declaredTotal: number, changes?: EndingChanges) =>
  finishFirstArea(scene, declaredTotal, changes);
const reset = (changes?: EndingChanges) => resetFirstArea(scene, changes);
const passes = () => passesOfFirstArea(scene);

const finishRefusal = (declaredTotal: number, changes?: EndingChanges) =>
  refusalOfFinish(scene, declaredTotal, changes);

describe("the same finish again", () => {
  test("that matched gets the same answer, after the session's end too", async () => {
    await scan(scene);
    await finish(1);
    expect(await finish(1)).toEqual({ matched: true, serverTotal: 1 });
    await endAtOnce(scene);
    expect(await finish(1)).toEqual({ matched: true, serverTotal: 1 });
  });

  test("that mismatched gets the same answer and voids nothing more", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 2);
    await finish(3, { pass });
    await scan(scene, { seq: 3 });
    expect(await finish(3, { pass })).toEqual({ matched: false, serverTotal: 2 });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
    expect((await areaRow(scene)).pass).toBe(pass + 1);
  });

  test("without a pass is a repeat while nothing was scanned since", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 2);
    await finish(3);
    expect(await finish(3)).toEqual({ matched: false, serverTotal: 2 });
    expect((await areaRow(scene)).pass).toBe(pass + 1);
    await scan(scene, { seq: 3 });
    expect(await finish(3)).toEqual({ matched: false, serverTotal: 1 });
    expect((await areaRow(scene)).pass).toBe(pass + 2);
  });

  test("is a repeat too where another area was scanned since, in a pass of the same number", async () => {
    await scanTimes(scene, 2);
    await finish(3);
    await reset({ areaCode: "A2" });
    await scan(scene, { seq: 3, areaCode: "A2" });
    expect((await areaRow(scene, "A2")).pass).toBe((await areaRow(scene)).pass);
    expect(await finish(3)).toEqual({ matched: false, serverTotal: 2 });
    expect(await passes()).toHaveLength(2);
  });

  test("with its operation id gets the same answer whatever happened since", async () => {
    const opId = randomUUID();
    await scan(scene);
    await finish(3, { opId });
    await scanTimes(scene, 3, { seq: 2 });
    expect(await finish(3, { opId })).toEqual({ matched: false, serverTotal: 1 });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
  });

  test("with its operation id and another total or pass is refused", async () => {
    const opId = randomUUID();
    const { pass } = await areaRow(scene);
    await finish(3, { opId, pass });
    expect(await finishRefusal(0, { opId, pass })).toEqual([409, "OPERATION_REUSED"]);
    expect(await finishRefusal(3, { opId, pass: pass + 1 })).toEqual([409, "OPERATION_REUSED"]);
  });
});

describe("the same finish by somebody who did not count there is no repeat, but could be a guess at the total", () => {
  const guess = async (ben: TestCounter, declaredTotal: number) => {
    const body = finishBody(scene, declaredTotal);
    const { pass: _, ...withoutPass } = body;
    const refusals = [
      await ben.api.send(finishArea, { body }),
      await ben.api.send(finishArea, { body: withoutPass }),
    ];
    return refusals.map(({ status }) => status);
  };
  const joinBen = () => join(scene.server, scene.session, { name: "Ben", email: "ben@example.com" });

  test("of a count that matched", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 2);
    await finish(2, { pass });
    const ben = await joinBen();
    for (const total of [1, 2]) expect(await guess(ben, total)).toEqual([409, 409]);
    expect(await finish(2, { pass })).toEqual({ matched: true, serverTotal: 2 });
  });

  test("of a second count", async () => {
    const [ada, ben, cleo] = [
      await joinAs(scene, "Ada"),
      await joinAs(scene, "Ben"),
      await joinAs(scene, "Cleo"),
    ];
    await countShelf(scene, ada, { jacketS: 8 });
    const { pass } = await askAgain(scene);
    await countShelf(scene, ben, { jacketS: 7 });
    expect(await finishAs(scene, ben, 7, pass)).toEqual({ matched: true, serverTotal: 7 });
    const body = { ...finishBody(scene, 7), deviceId: "device-of-Ben", pass };
    expect((await cleo.api.send(finishArea, { body })).status).toBe(409);
  });
});
