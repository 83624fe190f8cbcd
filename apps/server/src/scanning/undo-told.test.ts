import { type CallInput, resetArea, resolveScan, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { finishFirstArea, reopenFirstArea } from "./testing/endings.ts";
import { areaRow, codes, countInEachTest, countsOf, endAtOnce, firstArea, scan } from "./testing/scene.ts";
import { askAgain, countShelf, finishAs, joinAs, scanShelf } from "./testing/second-counts.ts";

const scene = countInEachTest();
const { unknown, jacketS } = codes;

type UndoBody = CallInput<typeof undoScan>["body"];

const refusedUndo = (changes: Partial<UndoBody> = {}) =>
  scene.counter.api.refusal(undoScan, {
    body: { ...firstArea(scene), deviceId: "device-1", seq: 1, ...changes },
  });

const accept = (id: string, into: { readonly sku?: string; readonly areaId?: string } = {}) =>
  scene.server.admin.call(resolveScan, { params: { id }, body: { action: "accept", ...into } });

test("S16: a refused undo of what waits says that it does not count, of what was accepted before that it counts on", async () => {
  const { pass } = await areaRow(scene);
  const late = async (seq: number) => (await scan(scene, { seq, pass })).scan._id;
  const waiting = await scan(scene, { seq: 1, input: unknown.input });
  expect(waiting.status).toBe("unresolved");
  const { scan: accepted } = await scan(scene, { seq: 2, input: unknown.input });
  await accept(accepted._id, { sku: jacketS.sku });
  await finishFirstArea(scene, 1);
  await late(3);
  await accept(await late(4));
  const told = async (seq: number) => (await refusedUndo({ seq, pass })) as unknown;
  for (const [seq, countsOn] of [
    [1, false],
    [2, true],
    [3, false],
    [4, true],
  ] as const) {
    expect(await told(seq)).toMatchObject({ code: "AREA_CLOSED", countsOn });
  }
  await endAtOnce(scene);
  await late(5);
  await accept(await late(6));
  expect(await told(5)).toMatchObject({ code: "SESSION_CLOSED", countsOn: false });
  for (const seq of [2, 4, 6])
    expect(await told(seq)).toMatchObject({ code: "SESSION_CLOSED", countsOn: true });
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 3 });
});

test("S16: a refused undo of what counts says so, and of what went with its pass, or names no scan, what is certain", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 4 });
  await scene.counter.api.call(resetArea, { body: firstArea(scene) });
  await scan(scene, { seq: 2, areaCode: "A2" });
  await accept((await scan(scene, { seq: 3, input: unknown.input })).scan._id, {
    ...{ sku: jacketS.sku, areaId: scene.store.areas[1]?.id ?? "" },
  });
  expect(await refusedUndo({ pass })).toMatchObject({ code: "PASS_OVER", countsOn: false });
  for (const seq of [2, 3])
    expect(await refusedUndo({ seq })).toMatchObject({ code: "NOTHING_TO_UNDO", countsOn: true });
  expect(await refusedUndo({ seq: 77 })).not.toHaveProperty("countsOn");
  await endAtOnce(scene);
  expect(await refusedUndo({ seq: 4 })).toMatchObject({ code: "SESSION_CLOSED", countsOn: false });
  expect(await refusedUndo({ seq: 2, areaCode: "A2" })).toMatchObject({
    code: "SESSION_CLOSED",
    countsOn: true,
  });
});

test("S16: a refused undo leaves open what becomes of a waiting scan of an area that it does not name", async () => {
  await scan(scene, { seq: 1, areaCode: "A2", input: unknown.input });
  const told = await refusedUndo();
  expect(told.code).toBe("NOTHING_TO_UNDO");
  expect(told).not.toHaveProperty("countsOn");
});

test("S16: of a count that another one took the place of nobody learns it by an undo", async () => {
  const [ada, ben, cleo] = [
    await joinAs(scene, "Ada"),
    await joinAs(scene, "Ben"),
    await joinAs(scene, "Cleo"),
  ];
  await countShelf(scene, ada, { jacketS: 8, jacketM: 5 });
  await askAgain(scene);
  await countShelf(scene, ben, { jacketS: 7, jacketM: 5 });
  await countShelf(scene, cleo, { jacketS: 7 });
  expect(await countsOf(scene)).toMatchObject({ [jacketS.sku]: 7 });
  const undone = async (by: typeof ada) =>
    (await by.api.refusal(undoScan, {
      body: { ...firstArea(scene), deviceId: `device-of-${by.username}`, seq: 1 },
    })) as unknown;
  const replaced = await undone(ada);
  expect(replaced).toMatchObject({ code: "AREA_CLOSED", countsOn: true });
  for (const by of [ben, cleo]) expect(await undone(by)).toEqual(replaced);
  // Begun anew, the area has none of these counts.
  await reopenFirstArea(scene);
  for (const by of [ada, ben, cleo])
    expect(await undone(by)).toMatchObject({ code: "PASS_OVER", countsOn: false });
});

test("S16: an unknown code is told alike to who scanned it in the first count and in the second", async () => {
  const [ada, ben] = [await joinAs(scene, "Ada"), await joinAs(scene, "Ben")];
  const scanUnknown = ({ username, api }: typeof ada, pass: number) =>
    scan(scene, { input: unknown.input, deviceId: `device-of-${username}`, seq: 70, pass }, api);
  const undone = async ({ username, api }: typeof ada) =>
    (await api.refusal(undoScan, {
      body: { ...firstArea(scene), deviceId: `device-of-${username}`, seq: 70 },
    })) as unknown;
  const { pass: first } = await scanShelf(scene, ada, { jacketS: 1 });
  await scanUnknown(ada, first);
  await finishAs(scene, ada, 1, first);
  const { pass } = await askAgain(scene);
  await scanShelf(scene, ben, { jacketS: 1 });
  await scanUnknown(ben, pass);
  await finishAs(scene, ben, 1, pass);
  const told = await undone(ada);
  expect(told).toMatchObject({ code: "AREA_CLOSED", countsOn: false });
  expect(await undone(ben)).toEqual(told);
});

test("S16: whether another person's scan of another area counts is told to nobody", async () => {
  const ben = await joinAs(scene, "Ben");
  await scan(scene, { seq: 1 });
  const body = { ...firstArea(scene), areaCode: "A2", deviceId: "device-1", seq: 1 };
  const told = await ben.api.refusal(undoScan, { body });
  expect(told.code).toBe("NOTHING_TO_UNDO");
  expect(told).not.toHaveProperty("countsOn");
});
