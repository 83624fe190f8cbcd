import { randomUUID } from "node:crypto";
import { finishArea, listAreas, resolveScan, sessionProgress, undoScan } from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { join, type TestCounter } from "../../testing/scenes.ts";
import { type EndingChanges, finishBody, finishFirstArea, passesOfFirstArea } from "../testing/endings.ts";
import { areaRow, codes, countInEachTest, countsOf, firstArea, scan, scanTimes } from "../testing/scene.ts";

const scene = countInEachTest();
let bea: TestCounter;

beforeEach(async () => {
  bea = await join(scene.server, scene.session, { name: "Bea" });
});

const own = (total: number, changes: EndingChanges = {}, counter = scene.counter) =>
  finishFirstArea(
    scene,
    total,
    { deviceId: `phone of ${counter.userId}`, own: true, ...changes },
    counter.api,
  );
const kept = (...waitingFor: string[]) => ({ matched: false, serverTotal: 0, waitingFor });

async function ownTotals() {
  const { areas } = await scene.counter.api.call(listAreas, {});
  const { areas: progress } = await scene.server.admin.call(sessionProgress, {
    params: { id: scene.session._id },
  });
  const [shown, seen] = [areas, progress].map((all) => all.find(({ code }) => code === "A1")?.ownTotals);
  expect(seen).toEqual(shown);
  return shown;
}

/** Ada scans two, Bea three. */
async function bothCount(): Promise<void> {
  await scanTimes(scene, 2);
  for (const seq of [1, 2, 3]) await scan(scene, { seq, deviceId: "bea's phone" }, bea.api);
}

describe("totals of their own", () => {
  beforeEach(bothCount);

  test("are kept until the last one is given; then the sum closes the area", async () => {
    expect(await ownTotals()).toBeNull();
    expect(await own(2)).toEqual(kept("Bea"));
    expect(await ownTotals()).toEqual({ given: ["Ada"], missing: ["Bea"] });
    expect(await areaRow(scene)).toMatchObject({ status: "in_progress" });
    expect(await own(3, {}, bea)).toEqual({ matched: true, serverTotal: 5 });
    expect(await areaRow(scene)).toMatchObject({ status: "closed", closedBy: bea.userId });
    expect(await passesOfFirstArea(scene)).toMatchObject([
      { declaredTotal: 5, serverTotal: 5, endedAs: "closed" },
    ]);
    expect(await ownTotals()).toBeNull();
  });

  test("void the pass where their sum does not match, and begin anew with the next", async () => {
    const { pass } = await areaRow(scene);
    await own(2);
    const together = { declared: 6, people: 2 };
    expect(await own(4, {}, bea)).toEqual({ matched: false, serverTotal: 5, together });
    expect(await areaRow(scene)).toMatchObject({ status: "in_progress", pass: pass + 1 });
    expect(await countsOf(scene)).toEqual({});
    expect(await ownTotals()).toBeNull();
  });

  test("give way to a total of the whole area", async () => {
    await own(2);
    expect(await finishFirstArea(scene, 5, {}, bea.api)).toEqual({ matched: true, serverTotal: 5 });
  });

  test("can be corrected while others are missing", async () => {
    await own(9);
    await own(2);
    expect(await own(3, {}, bea)).toEqual({ matched: true, serverTotal: 5 });
  });

  test("hold no longer once their person has scanned or undone on", async () => {
    await own(2);
    await scan(scene, { seq: 3 });
    expect(await ownTotals()).toEqual({ given: [], missing: ["Ada", "Bea"] });
    expect(await own(3, {}, bea)).toEqual(kept("Ada"));
    await scene.counter.api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 3 } });
    // As it was when she said two.
    expect(await ownTotals()).toEqual({ given: ["Ada", "Bea"], missing: [] });
    expect(await own(2)).toEqual({ matched: true, serverTotal: 5 });
  });

  test("hold no longer once an administrator has accepted a scan of their person", async () => {
    const { scan: unknown } = await scan(scene, { seq: 3, input: codes.unknown.input });
    await own(2);
    await scene.server.admin.call(resolveScan, {
      params: { id: unknown._id },
      body: { action: "accept", sku: codes.jacketL.sku },
    });
    expect(await own(3, { knownAccepted: 0 }, bea)).toEqual(kept("Ada"));
    expect(await own(3, { knownAccepted: 1 })).toEqual({ matched: true, serverTotal: 6 });
  });

  test("declared before the count changed are not taken for wrong", async () => {
    const { scan: unknown } = await scan(scene, { seq: 3, input: codes.unknown.input });
    await scene.server.admin.call(resolveScan, {
      params: { id: unknown._id },
      body: { action: "accept", sku: codes.jacketL.sku },
    });
    await own(2, { knownAccepted: 0 });
    const body = finishBody(scene, 3, { deviceId: "bea's phone", own: true, knownAccepted: 0 });
    const { code } = await bea.api.refusal(finishArea, { body });
    expect(code).toBe("COUNT_CHANGED");
    expect(await ownTotals()).toEqual({ given: ["Ada"], missing: ["Bea"] });
  });

  test("are those of their person, whoever sends them, on however many devices", async () => {
    await scan(scene, { seq: 7, deviceId: "another phone of Ada" });
    expect(await own(3, { declaredById: scene.counter.userId }, bea)).toEqual(kept("Bea"));
    expect(await own(3, {}, bea)).toEqual({ matched: true, serverTotal: 6 });
  });

  test("of nobody in the session are refused", async () => {
    const body = finishBody(scene, 1, { own: true, declaredById: randomUUID() });
    expect((await scene.counter.api.refusal(finishArea, { body })).code).toBe("VALIDATION");
    expect(await ownTotals()).toBeNull();
  });

  test("sent again under their operation id change nothing and get the same answer", async () => {
    const opId = randomUUID();
    await own(2, { opId });
    await own(4, {});
    expect(await own(2, { opId })).toEqual(kept("Bea"));
    expect(await own(3, {}, bea)).toMatchObject({ matched: false });
    expect(await own(2, { opId })).toEqual(kept("Bea"));
    const asWhole = finishBody(scene, 2, { deviceId: `phone of ${scene.counter.userId}`, opId });
    expect((await scene.counter.api.refusal(finishArea, { body: asWhole })).code).toBe("OPERATION_REUSED");
  });
});

test("a total of one's own is the area's where nobody else counted", async () => {
  await scanTimes(scene, 2);
  const opId = randomUUID();
  const mismatch = { matched: false, serverTotal: 2, together: { declared: 3, people: 1 } };
  expect(await own(3, { opId })).toEqual(mismatch);
  expect(await own(3, { opId })).toEqual(mismatch);
  await scanTimes(scene, 2, { seq: 3 });
  expect(await own(2)).toEqual({ matched: true, serverTotal: 2 });
});
