import { randomUUID } from "node:crypto";
import {
  decideExceptions,
  exceptionGroups,
  postScan,
  sessionExceptions,
  takeBackDecisions,
  undoScan,
} from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { describe, expect, test } from "vitest";
import { finishFirstArea, reopenFirstArea, resetFirstArea, restoreFirstArea } from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  firstArea,
  type ScanChanges,
  scan,
  scanBody,
} from "../testing/scene.ts";

const scene = countInEachTest();
const { jacketS, jacketM } = codes;
const tagOne = epcOf(jacketS.input, 1);
let seq = 0;

/** A read of a tag by a reader; each is another scan. */
const read = (changes: ScanChanges = {}) => {
  seq += 1;
  return scan(scene, { input: tagOne, seq, opId: randomUUID(), ...changes });
};
const secondArea = () => ({ areaCode: scene.store.areas[1]?.code ?? "" });
const again = { status: "voided", reason: null, tag: "TAG_COUNTED" };
const elsewhere = { status: "unresolved", reason: null, tag: "TAG_ELSEWHERE" };
const exceptions = async () =>
  (await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } })).scans;
/** The id of the one scan that waits, for that reason where one is given. */
const onlyWaiting = async (reason?: string) => {
  const waiting = (await exceptions()).filter((each) => reason === undefined || each.reason === reason);
  expect(waiting).toHaveLength(1);
  return waiting[0]?._id ?? "";
};
const decide = async (action: "accept" | "dismiss", scanIds: readonly string[]) =>
  (
    await scene.server.admin.call(decideExceptions, {
      params: { id: scene.session._id },
      body: { action, scanIds: [...scanIds] },
    })
  ).scans;
const undo = (undone: number, deviceId = "device-1", pass?: number) =>
  scene.counter.api.send(undoScan, {
    body: { ...firstArea(scene), deviceId, seq: undone, ...(pass === undefined ? {} : { pass }) },
  });

describe("S41: the tag of an item", () => {
  test("counts the product with its GTIN, once in the session, by whichever reader and filter it is read", async () => {
    expect(await read()).toMatchObject({ status: "counted", scan: { sku: jacketS.sku, quantity: 1 } });
    expect(await read()).toMatchObject(again);
    expect(await read({ deviceId: "reader-2" })).toMatchObject(again);
    const otherFilter = `${tagOne.slice(0, 2)}7${tagOne.slice(3)}`;
    expect(await read({ input: otherFilter.toLowerCase() })).toMatchObject(again);
    expect(await read({ input: epcOf(jacketS.input, 2) })).toMatchObject({ status: "counted" });
    expect(await read({ input: epcOf(jacketM.input, 1) })).toMatchObject({ scan: { sku: jacketM.sku } });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 2, [jacketM.sku]: 1 });
    expect(await exceptions()).toEqual([]);
  });

  test("a repeat of the call is the same read, whatever it was", async () => {
    const first = { seq: 901, opId: randomUUID() };
    const second = { seq: 902, opId: randomUUID() };
    await read(first);
    await read(second);
    expect(await read(first)).toMatchObject({ httpStatus: 200, duplicate: true, status: "counted" });
    expect(await read(second)).toMatchObject({ httpStatus: 200, duplicate: true, ...again });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("is one item: a number beside it is refused", async () => {
    const { status, body } = await scene.counter.api.send(postScan, {
      body: scanBody(scene, { input: tagOne, quantity: 2 }),
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  });

  test("whose GTIN nobody has waits as an unknown code, once", async () => {
    const unknown = { input: epcOf("9780306406157", 7) };
    expect(await read(unknown)).toMatchObject({ status: "unresolved", reason: "UNKNOWN_CODE" });
    expect(await read(unknown)).toMatchObject(again);
    expect(await exceptions()).toHaveLength(1);
    const [waiting] = await exceptions();
    await decide("dismiss", [waiting?._id ?? ""]);
    expect(await read({ ...unknown, deviceId: "reader-2" })).toMatchObject(again);
    expect(await exceptions()).toEqual([]);
  });
});

describe("S42: a tag found in two areas", () => {
  test("counts in the first and is shown in the exceptions, once, with the area where it counts", async () => {
    await read();
    expect(await read(secondArea())).toMatchObject(elsewhere);
    expect(await read({ ...secondArea(), deviceId: "reader-2" })).toMatchObject(again);
    const shown = await exceptions();
    const [first] = scene.store.areas;
    expect(shown).toMatchObject([
      { reason: "TAG_ELSEWHERE", sku: jacketS.sku, tagCountedIn: { _id: first?.id, code: first?.code } },
    ]);
    const { groups } = await scene.server.admin.call(exceptionGroups, { params: { id: scene.session._id } });
    expect(groups).toMatchObject([{ acceptable: false, tagCountedIn: { code: first?.code } }]);
    const ids = shown.map(({ _id }) => _id);
    expect(await decide("accept", ids)).toMatchObject([{ outcome: "tag_counted", status: "unresolved" }]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await decide("dismiss", ids)).toMatchObject([{ outcome: "done" }]);
  });

  test("can be accepted where it was found once it counts nowhere else, and taken back", async () => {
    await read({ seq: 801 });
    await read(secondArea());
    await undo(801);
    const [waiting] = await exceptions();
    expect(waiting).toMatchObject({ tagCountedIn: null });
    const { groups } = await scene.server.admin.call(exceptionGroups, { params: { id: scene.session._id } });
    expect(groups).toMatchObject([{ acceptable: true, tagCountedIn: null }]);
    const ids = [waiting?._id ?? ""];
    expect(await decide("accept", ids)).toMatchObject([{ outcome: "done", status: "counted" }]);
    expect(await read()).toMatchObject(elsewhere);
    const body = { scanIds: ids };
    await scene.server.admin.call(takeBackDecisions, { params: { id: scene.session._id }, body });
    expect(await countsOf(scene)).toEqual({});
    expect(await read({ deviceId: "reader-2" })).toMatchObject({ status: "counted" });
  });

  test("was read by a release that knew no tags: accepted, it counts once all the same", async () => {
    const { database } = scene.server.database;
    for (const deviceId of ["reader-1", "reader-2"]) await read({ deviceId, input: codes.unknown.input });
    await database
      .updateTable("scans")
      .set({ input: tagOne })
      .where("sessionId", "=", scene.session._id)
      .execute();
    const ids = (await exceptions()).map(({ _id }) => _id);
    const outcomes = (await decide("accept", ids)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["done", "tag_counted"]);
    expect(await read()).toMatchObject(again);
    expect(await read(secondArea())).toMatchObject(elsewhere);
    expect((await decide("accept", ids)).map(({ outcome }) => outcome)).toContain("tag_counted");
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("of two late reads of it that are accepted together one counts", async () => {
    const pass = (await areaRow(scene)).pass;
    const late = { pass: pass + 5 };
    expect(await read(late)).toMatchObject({ status: "late" });
    expect(await read({ ...late, ...secondArea() })).toMatchObject({ status: "late" });
    const ids = (await exceptions()).map(({ _id }) => _id);
    const outcomes = (await decide("accept", ids)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["done", "tag_counted"]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });
});

describe("S43: what ends a read of a tag", () => {
  test("undone, the next read of it in the pass counts in its place; with none, the tag is free", async () => {
    await read({ seq: 701 });
    await read({ seq: 702, deviceId: "reader-2" });
    expect(await undo(701)).toMatchObject({ status: 200, body: { undone: { sku: jacketS.sku } } });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await undo(702, "reader-2")).toMatchObject({ status: 200 });
    expect(await countsOf(scene)).toEqual({});
    expect(await read({ seq: 703 })).toMatchObject({ status: "counted" });
  });

  test("a read that counted nothing can be undone too, and takes nobody's place then", async () => {
    await read({ seq: 701 });
    await read({ seq: 702, deviceId: "reader-2" });
    expect(await undo(702, "reader-2")).toMatchObject({ status: 200 });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    await undo(701);
    expect(await countsOf(scene)).toEqual({});
  });

  test("a reset or reopened area frees its tags, and a restored pass counts those that count nowhere else", async () => {
    const other = { input: epcOf(jacketS.input, 2) };
    await read({ seq: 601 });
    await read({ seq: 602, deviceId: "reader-2" });
    await read(other);
    const { pass } = await areaRow(scene);
    await resetFirstArea(scene);
    expect(await countsOf(scene)).toEqual({});
    expect(await read({ ...other, ...secondArea() })).toMatchObject({ status: "counted" });
    expect(await read()).toMatchObject({ status: "counted" });
    await restoreFirstArea(scene, pass);
    // The other one counts in the second area by now.
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 2 });
    expect(await exceptions()).toMatchObject([{ reason: "TAG_ELSEWHERE", input: other.input }]);
    // The other read of the pass came back with it.
    expect(await undo(601)).toMatchObject({ status: 200 });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 2 });
    await undo(602, "reader-2");
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await finishFirstArea(scene, 0)).toMatchObject({ matched: true });
    await reopenFirstArea(scene);
    expect(await read({ seq: 603 })).toMatchObject({ status: "counted" });
  });

  test("undone in a pass that is over, it is another read of it that comes back with the pass", async () => {
    await read({ seq: 601 });
    await read({ seq: 602, deviceId: "reader-2" });
    const { pass } = await areaRow(scene);
    await resetFirstArea(scene);
    expect(await undo(601, "device-1", pass)).toMatchObject({ body: { code: "PASS_OVER" } });
    await restoreFirstArea(scene, pass);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    await undo(602, "reader-2");
    expect(await countsOf(scene)).toEqual({});
  });

  test("a read that was accepted, and whose item counts elsewhere when its pass is restored, is decided on anew", async () => {
    const { pass } = await areaRow(scene);
    await read({ pass: pass + 5 });
    expect(await decide("accept", [await onlyWaiting()])).toMatchObject([{ outcome: "done" }]);
    await resetFirstArea(scene);
    expect(await read(secondArea())).toMatchObject({ status: "counted" });
    await restoreFirstArea(scene, pass);
    const unknown = await scan(scene, { input: codes.unknown.input });
    const both = [await onlyWaiting("TAG_ELSEWHERE"), unknown.scan._id];
    expect(await decide("dismiss", both)).toMatchObject([{ outcome: "done" }, { outcome: "done" }]);
    expect(await exceptions()).toEqual([]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("a late read of a tag that counts in the area says nothing new; of any other it waits, once", async () => {
    const other = { input: epcOf(jacketS.input, 2) };
    await read();
    await finishFirstArea(scene, 1);
    expect(await read()).toMatchObject(again);
    expect(await read(other)).toMatchObject({ status: "late", reason: "AREA_CLOSED" });
    expect(await read({ ...other, deviceId: "reader-2" })).toMatchObject(again);
    await endAtOnce(scene);
    expect(await read()).toMatchObject(again);
    expect(await read(secondArea())).toMatchObject({ status: "late", reason: "SESSION_CLOSED" });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("a late read of a tag that counts in a later pass waits, and counts where its pass is restored", async () => {
    await read({ deviceId: "reader-1", input: epcOf(jacketS.input, 2) });
    const { pass } = await areaRow(scene);
    expect(await finishFirstArea(scene, 2)).toMatchObject({ matched: false });
    expect(await read()).toMatchObject({ status: "counted" });
    expect(await read({ deviceId: "reader-2", pass })).toMatchObject({ status: "late", reason: "PASS_OVER" });
    expect(await read({ deviceId: "reader-2", pass })).toMatchObject(again);
    const [late] = await exceptions();
    const ids = [late?._id ?? ""];
    expect(await decide("accept", ids)).toMatchObject([{ outcome: "tag_counted" }]);
    await restoreFirstArea(scene, pass);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
    expect(await decide("accept", ids)).toMatchObject([{ outcome: "done" }]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 2 });
  });
});
