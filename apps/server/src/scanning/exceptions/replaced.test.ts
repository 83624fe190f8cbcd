import { randomUUID } from "node:crypto";
import {
  decideExceptions,
  exceptionGroups,
  resolveScan,
  sessionExceptions,
  takeBackDecisions,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { finishFirstArea, reopenFirstArea, restoreFirstArea } from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  publishedInEachTest,
  type ScanReply,
  scan,
} from "../testing/scene.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);
const { jacketS, jacketM } = codes;
const ofSession = () => ({ params: { id: scene.session._id } });

/** ×N on the phone: so many of the product in the place of a scan that it names. */
const inPlaceOf = (place: { replaces?: string; replacesSeq?: number }, seq: number, quantity: number) => ({
  ...({ input: jacketS.sku, inputType: "sku", method: "manual" } as const),
  ...{ seq, quantity, opId: randomUUID(), ...place },
});

const undo = (seq: number) =>
  scene.counter.api.send(undoScan, {
    body: {
      ...{ sessionId: scene.session._id, deviceId: "device-1", areaCode: "A1" },
      ...{ seq, opId: randomUUID() },
    },
  });

const accept = ({ scan: { _id: id } }: ScanReply, into: { areaId?: string } = {}) =>
  scene.server.admin.call(resolveScan, { params: { id }, body: { action: "accept", ...into } });

async function takeBack(...replies: readonly ScanReply[]) {
  const body = { scanIds: replies.map((reply) => reply.scan._id) };
  const { scans } = await scene.server.admin.call(takeBackDecisions, { ...ofSession(), body });
  return scans.map(({ outcome }) => outcome);
}

const stored = ({ scan: { _id: id } }: ScanReply) =>
  scene.server.database.database
    .selectFrom("scans")
    .select(["status", "reason", "replacedBy", "pass"])
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();

/** One sock is counted and the area closed before the undo of ×48 and its scan arrive. */
async function lateTimes48(place: "operation" | "number" = "operation") {
  const opId = randomUUID();
  const one = await scan(scene, { seq: 1, opId });
  await finishFirstArea(scene, 1, { deviceId: "device-2" });
  expect(await undo(1)).toMatchObject({ status: 409, body: { code: "AREA_CLOSED" } });
  const named = place === "operation" ? { replaces: opId } : { replacesSeq: 1 };
  const many = await scan(scene, inPlaceOf(named, 2, 48));
  expect(many).toMatchObject({ status: "late", reason: "AREA_CLOSED" });
  return { one, many };
}

describe("a late scan of ×N (S33)", () => {
  test.each(["operation", "number"] as const)(
    "counts, accepted, in the place of the scan that it names by its %s, until that is taken back",
    async (place) => {
      const { one, many } = await lateTimes48(place);
      expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
      for (const _ of ["first", "again"]) {
        await accept(many);
        expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 48 });
        expect(await stored(one)).toMatchObject({
          ...{ status: "voided", reason: "UNDONE", replacedBy: Number(many.scan._id) },
        });
        expect(await takeBack(many)).toEqual(["done"]);
        expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
        expect(await stored(one)).toMatchObject({ status: "counted", reason: null, replacedBy: null });
      }
    },
  );

  test("says how many units it would take the place of", async () => {
    await lateTimes48();
    const { scans } = await scene.server.admin.call(sessionExceptions, ofSession());
    expect(scans).toMatchObject([{ quantity: 48, replacedUnits: 1 }]);
    const { groups } = await scene.server.admin.call(exceptionGroups, ofSession());
    expect(groups).toMatchObject([{ units: 48, replacedUnits: 1 }]);
  });

  test("names no scan that does not count any more, nor does any other scan that waits", async () => {
    const opId = randomUUID();
    await scan(scene, { seq: 1, opId });
    await undo(1);
    await scan(scene, { seq: 3, input: jacketM.input });
    await finishFirstArea(scene, 1, { deviceId: "device-2" });
    const late = await scan(scene, inPlaceOf({ replaces: opId }, 2, 48));
    await scan(scene, { seq: 4, input: jacketM.input });
    const { scans } = await scene.server.admin.call(sessionExceptions, ofSession());
    expect(scans.map(({ replacedUnits }) => replacedUnits)).toEqual([0, 0]);
    await accept(late);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 48, [jacketM.sku]: 1 });
  });

  test("takes the place of the first, however often ×N was pressed before the network was back", async () => {
    const { one, many } = await lateTimes48();
    expect(await undo(2)).toMatchObject({ status: 409, body: { code: "AREA_CLOSED" } });
    expect(await stored(many)).toMatchObject({ status: "voided", reason: "UNDONE" });
    const dozen = await scan(scene, inPlaceOf({ replacesSeq: 2 }, 3, 12));
    await accept(dozen);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 12 });
    expect(await stored(one)).toMatchObject({ status: "voided", replacedBy: Number(dozen.scan._id) });
    expect(await takeBack(dozen)).toEqual(["done"]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("counts alone of both where they are accepted together", async () => {
    await finishFirstArea(scene, 0, { deviceId: "device-2" });
    const opId = randomUUID();
    const one = await scan(scene, { seq: 1, opId });
    const many = await scan(scene, inPlaceOf({ replaces: opId }, 2, 48));
    const body = { action: "accept" as const, scanIds: [one.scan._id, many.scan._id] };
    await scene.server.admin.call(decideExceptions, { ...ofSession(), body });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 48 });
  });

  test("takes it out wherever it is accepted into, and tells the phones of both areas", async () => {
    const { one, many } = await lateTimes48();
    const [first, second] = scene.store.areas;
    const known = published.length;
    await accept(many, { areaId: second?.id ?? "" });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 48 });
    for (const area of [first, second]) {
      const event = expect.objectContaining({ type: "scan", areaId: area?.id });
      await expect.poll(() => published.slice(known)).toContainEqual(event);
    }
    expect(await takeBack(many)).toEqual(["done"]);
    expect(await stored(one)).toMatchObject({ status: "counted" });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("gives way again under the number of a pass that was restored", async () => {
    const { one, many } = await lateTimes48();
    await accept(many);
    const { pass: first } = await areaRow(scene);
    await reopenFirstArea(scene);
    await restoreFirstArea(scene, first);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 48 });
    expect(await takeBack(many)).toEqual(["done"]);
    const { pass } = await areaRow(scene);
    expect(await stored(one)).toMatchObject({ status: "counted", pass });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("leaves what was counted in another area again by then out, where it is taken back", async () => {
    const { one, many } = await lateTimes48();
    await accept(many, { areaId: scene.store.areas[1]?.id ?? "" });
    await reopenFirstArea(scene);
    expect(await takeBack(many)).toEqual(["done"]);
    expect(await stored(one)).toMatchObject({ status: "voided", reason: "UNDONE" });
    expect(await countsOf(scene)).toEqual({});
  });

  test("leaves what it takes the place of where it is dismissed", async () => {
    const { many } = await lateTimes48();
    await scene.server.admin.call(resolveScan, {
      params: { id: many.scan._id },
      body: { action: "dismiss" },
    });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await takeBack(many)).toEqual(["done"]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });
});
