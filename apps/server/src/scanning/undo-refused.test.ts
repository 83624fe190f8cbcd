import { randomUUID } from "node:crypto";
import { type CallInput, createAreas, resolveScan, undoScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin, join } from "../testing/scenes.ts";
import { finishFirstArea, resetFirstArea } from "./testing/endings.ts";
import {
  areaRow,
  type CountingScene,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  firstArea,
  type ScanReply,
  scan,
  startCounting,
} from "./testing/scene.ts";
import { askAgain, countShelf, joinAs, scanShelf } from "./testing/second-counts.ts";

const scene = countInEachTest();
const { jacketS, jacketM, unknown } = codes;

type UndoBody = CallInput<typeof undoScan>["body"];

/** Undoes in the first area of a count, from the device that its scans come from. */
const undo = (changes: Partial<UndoBody> = {}, { session, counter }: CountingScene = scene) =>
  counter.api.send(undoScan, {
    body: { sessionId: session._id, deviceId: "device-1", areaCode: "A1", ...changes },
  });

const nothing = { status: 404, body: { code: "NOTHING_TO_UNDO" } };
const passOver = { status: 409, body: { code: "PASS_OVER" } };
const areaClosed = { status: 409, body: { code: "AREA_CLOSED" } };
const sessionOver = { status: 409, body: { code: "SESSION_CLOSED" } };
const takenBack = { status: "voided", reason: "UNDONE" };

const stored = (seq: number, { session }: CountingScene = scene) =>
  scene.server.database.database
    .selectFrom("scans")
    .select(["status", "reason", "voidedFrom"])
    .where("sessionId", "=", session._id)
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();

const accept = (
  { scan: { _id: id } }: ScanReply,
  into: { readonly sku?: string; readonly areaId?: string },
) => scene.server.admin.call(resolveScan, { params: { id }, body: { action: "accept", ...into } });

const dismiss = ({ scan: { _id: id } }: ScanReply) =>
  scene.server.admin.call(resolveScan, { params: { id }, body: { action: "dismiss" } });

const acceptIntoSecondArea = (waiting: ScanReply) =>
  accept(waiting, { sku: jacketS.sku, areaId: scene.store.areas[1]?.id ?? "" });

describe("the scan that an undo means", () => {
  test("is its own device's, whoever else used the number", async () => {
    await scan(scene, { seq: 1, deviceId: "device-2" });
    expect(await undo({ seq: 1 })).toMatchObject({
      ...nothing,
      body: { error: "This device has no scan in this area that can be undone." },
    });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("is told where it counts to nobody but its counter, and only where an administrator put it there", async () => {
    const said = "This device has no scan in this area that can be undone.";
    const grace = { ...scene, counter: await join(scene.server, scene.session, { name: "Grace" }) };
    await scan(scene, { seq: 1 });
    for (const by of [scene, grace]) {
      expect(await undo({ seq: 1, areaCode: "A2" }, by)).toMatchObject({ ...nothing, body: { error: said } });
    }
    await acceptIntoSecondArea(await scan(scene, { seq: 2, input: unknown.input }));
    expect(await undo({ seq: 2 }, grace)).toMatchObject({ ...nothing, body: { error: said } });
    expect(await undo({ seq: 2 })).toMatchObject({
      ...nothing,
      body: { error: expect.stringContaining("An administrator has accepted this scan into area A2") },
    });
  });

  test("is the same for a repeat that names the location too", async () => {
    const { locationId } = scene.store;
    await scan(scene, { seq: 1 });
    const undone = { status: 200, body: { undone: { seq: 1, sku: jacketS.sku } } };
    for (const _ of ["first", "repeat"]) expect(await undo({ seq: 1, locationId })).toMatchObject(undone);
  });

  test("is none of a pass that its area has not reached, though its number is known", async () => {
    const { pass } = await areaRow(scene);
    await scan(scene, { seq: 1 });
    expect(await undo({ seq: 1, pass: pass + 1 })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION" },
    });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("is none of an earlier session, which may have a late scan of the same pass in an area added since", async () => {
    await endAtOnce(scene);
    const session = await begin(scene.server, scene.store);
    const areas = [{ code: "A3", name: "Area A3" }];
    await scene.server.admin.call(createAreas, { params: { id: scene.store.locationId }, body: { areas } });
    const late = await scan(scene, { areaCode: "A3" });
    expect(late).toMatchObject({ status: "late", scan: { pass: 1 } });
    await accept(late, {});
    const counter = await join(scene.server, session, { name: "Grace" });
    expect(await undo({ areaCode: "A3" }, { ...scene, session, counter })).toMatchObject(nothing);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });
});

describe("of a scan that counts nothing, an undo takes it back and says", () => {
  test("that there is nothing to undo, where it was dismissed", async () => {
    await dismiss(await scan(scene, { seq: 1, input: unknown.input }));
    expect(await undo({ seq: 1 })).toMatchObject(nothing);
    expect(await stored(1)).toMatchObject({ ...takenBack, voidedFrom: "unresolved" });
  });

  test("that there is nothing to undo, where it is late though its area has reached its pass since", async () => {
    const pass = (await areaRow(scene)).pass + 1;
    expect(await scan(scene, { seq: 1, pass })).toMatchObject({ status: "late", reason: "PASS_OVER" });
    expect(await resetFirstArea(scene)).toMatchObject({ area: { pass } });
    expect(await undo({ seq: 1, pass })).toMatchObject(nothing);
    expect(await stored(1)).toEqual({ ...takenBack, voidedFrom: null });
  });

  test.each([
    ["that its pass is over, where it is late", "late", passOver],
    ["that its pass is over, where it was voided with it", "voided", passOver],
    ["that there is nothing to undo, where it was dismissed before its pass was over", "dismissed", nothing],
  ])("though the undo names the present pass, %s", async (_, was, refused) => {
    const { pass } = await areaRow(scene);
    if (was === "late") await resetFirstArea(scene);
    const waiting = await scan(scene, { seq: 1, pass, input: unknown.input });
    if (was === "dismissed") await dismiss(waiting);
    if (was !== "late") await resetFirstArea(scene);
    expect(await undo({ seq: 1, pass: pass + 1 })).toMatchObject(refused);
    expect(await stored(1)).toMatchObject(takenBack);
  });
});

describe("the figure that a refused undo is about", () => {
  const { sku } = jacketS;
  const reason = "UNDONE_AFTER_END";

  const marks = ({ session }: CountingScene = scene) =>
    scene.server.database.database
      .selectFrom("uncertainFigures")
      .select(["sku", "reason"])
      .where("sessionId", "=", session._id)
      .execute();

  test("is in doubt too where the undo named no number", async () => {
    await scan(scene, { seq: 1, input: jacketM.input });
    await scan(scene, { seq: 2 });
    await endAtOnce(scene);
    expect(await undo()).toMatchObject(sessionOver);
    expect(await marks()).toEqual([{ sku, reason }]);
  });

  test("is not in doubt while the session runs", async () => {
    await scan(scene, { seq: 1 });
    await acceptIntoSecondArea(await scan(scene, { seq: 2, input: unknown.input }));
    await finishFirstArea(scene, 1);
    for (const seq of [1, 2]) expect(await undo({ seq })).toMatchObject(areaClosed);
    expect(await marks()).toEqual([]);
  });

  test("is not in doubt where the scan was voided before the session's end", async () => {
    await scan(scene, { seq: 1 });
    await resetFirstArea(scene);
    await endAtOnce(scene);
    expect(await undo({ seq: 1 })).toMatchObject(sessionOver);
    expect(await marks()).toEqual([]);
  });

  test("is in doubt where its own session is over, whatever runs in other stores", async () => {
    const ended = await startCounting(scene.server);
    await scan(ended, { seq: 1 });
    await endAtOnce(ended);
    await scene.server.database.database
      .updateTable("areas")
      .set({ deletedAt: new Date() })
      .where("storeId", "=", ended.store.id)
      .execute();
    await acceptIntoSecondArea(await scan(scene, { seq: 1, input: unknown.input }));
    expect(await undo({ seq: 1 }, ended)).toMatchObject(sessionOver);
    expect(await undo({ seq: 1 })).toMatchObject(nothing);
    expect(await marks(ended)).toEqual([{ sku, reason }]);
    expect(await marks()).toEqual([]);
  });

  test("is to be decided on again, and no other decision is lost", async () => {
    const { database } = scene.server.database;
    const { _id: sessionId } = scene.session;
    const { session: elsewhere } = await startCounting(scene.server);
    const decided = { sessionId, sku, reason, counted: 1, includedBy: scene.counter.userId };
    const kept = [
      { ...decided, sessionId: elsewhere._id },
      { ...decided, sku: jacketM.sku },
      { ...decided, reason: "COUNTED_AFTER_END" },
    ];
    await database
      .insertInto("includedFigures")
      .values([decided, ...kept])
      .execute();
    await scan(scene, { seq: 1 });
    await endAtOnce(scene);
    expect(await undo({ seq: 1 })).toMatchObject(sessionOver);
    const left = await database
      .selectFrom("includedFigures")
      .select(["sessionId", "sku", "reason", "counted", "includedBy"])
      .where("includedBy", "=", scene.counter.userId)
      .execute();
    expect(left).toHaveLength(kept.length);
    expect(left).toEqual(expect.arrayContaining(kept));
  });
});

describe("an undo in a second count", () => {
  /** The first area counted by Ada and asked for again, with Ben's scans in his count. */
  async function secondCount(found: Parameters<typeof scanShelf>[2]) {
    const ada = await joinAs(scene, "Ada");
    await countShelf(scene, ada, { jacketS: 8 });
    const { pass } = await askAgain(scene);
    const ben = await joinAs(scene, "Ben");
    await scanShelf(scene, ben, found);
    const named = { ...firstArea(scene), deviceId: "device-of-Ben" };
    return { ben, pass, named };
  }

  test("without a number finds nothing of the first count, and one of the first count nothing of the second", async () => {
    const { ben, pass, named } = await secondCount({ jacketS: 8 });
    const ofFirst = { ...named, deviceId: "device-of-Ada" };
    expect(await ben.api.send(undoScan, { body: { ...ofFirst, pass } })).toMatchObject(nothing);
    expect(await ben.api.send(undoScan, { body: ofFirst })).toMatchObject(nothing);
    expect(await ben.api.send(undoScan, { body: { ...ofFirst, seq: 1 } })).toMatchObject(areaClosed);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 8 });
  });

  test("keeps what the scan was in it: a product, or a code that fitted none", async () => {
    const { ben, pass, named } = await secondCount({ jacketM: 5 });
    const device = { deviceId: named.deviceId, pass, opId: randomUUID() };
    await scan(scene, { ...device, seq: 2, input: unknown.input }, ben.api);
    for (const seq of [1, 2]) {
      const body = { ...named, pass, seq };
      expect(await ben.api.send(undoScan, { body })).toMatchObject({ status: 200 });
    }
    const undone = await scene.server.database.database
      .selectFrom("scans")
      .select(["seq", "voidedFrom"])
      .where("sessionId", "=", scene.session._id)
      .where("deviceId", "=", named.deviceId)
      .where("status", "=", "voided")
      .orderBy("seq")
      .execute();
    expect(undone).toEqual([
      { seq: 1, voidedFrom: "counted" },
      { seq: 2, voidedFrom: "unresolved" },
    ]);
  });
});
