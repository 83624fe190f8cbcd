import * as contract from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { beforeEach, describe, expect, test } from "vitest";
import { codes } from "../scanning/testing/scene.ts";
import { join, type TestCounter } from "../testing/scenes.ts";
import { SearchScene, scarves } from "./testing-search-scene.ts";

const scene = new SearchScene();
const [red] = scarves;
const idOfA1 = () => scene.store.areas[0]?.id ?? "";

let cleo: TestCounter;

/** Ada counts the jackets of A1 and closes it, Ben looks for a scarf and says that it is not there, and Cleo may count again. */
beforeEach(async () => {
  await scene.create({ skus: [red] });
  await scene.scan(scene.ada, "JK-1000", 7);
  await scene.close("A1", 7);
  await scene.say(scene.ben, red, "not_there");
  cleo = await join(scene.server, scene.session, { name: "Cleo", email: "cleo@example.com" });
});

async function askAgain(skus?: readonly string[]): Promise<number> {
  const body = { areaId: idOfA1(), ...(skus === undefined ? {} : { skus: [...skus] }) };
  return (await scene.admin.call(contract.askSecondCount, { body })).secondCount.pass;
}

async function isOpenOnCoverage(): Promise<boolean> {
  const query = { state: "open" as const };
  const { rows } = await scene.admin.call(contract.listUncoveredStock, { ...scene.ofSession, query });
  return rows.some(({ sku }) => sku === red);
}

const decideNotThere = () =>
  scene.admin.call(contract.decideSearch, {
    ...scene.ofSession,
    body: { sku: red, answer: "not_there" as const },
  });

test("what a second count of other products has scanned contradicts that it is not there, until an administrator decides", async () => {
  expect([await scene.stateOf(red), await isOpenOnCoverage()]).toEqual(["not_there", false]);
  const pass = await askAgain(["JK-1000"]);
  await scene.scan(cleo, red, 1, "A1", pass);
  expect([await scene.stateOf(red), await isOpenOnCoverage()]).toEqual(["contradicted", true]);
  await scene.scan(cleo, "JK-1000", 7, "A1", pass);
  await scene.close("A1", 8, cleo, pass);
  expect(await scene.item(red)).toMatchObject({
    state: "contradicted",
    scannedAgain: true,
    lateScanWaits: false,
  });
  await decideNotThere();
  expect([await scene.stateOf(red), await isOpenOnCoverage()]).toEqual(["not_there", false]);
});

test("what is scanned after it was decided contradicts that too, and can be decided once more", async () => {
  const pass = await askAgain(["JK-1000"]);
  await decideNotThere();
  await scene.scan(cleo, red, 1, "A1", pass);
  expect(await scene.stateOf(red)).toBe("contradicted");
  await decideNotThere();
  expect(await scene.stateOf(red)).toBe("not_there");
});

test("what a second count has scanned that was cancelled contradicts it; what it took back does not", async () => {
  const pass = await askAgain();
  await scene.scan(cleo, red, 1, "A1", pass);
  expect(await scene.stateOf(red)).toBe("contradicted");
  const named = { sessionId: scene.session._id, areaCode: "A1", locationId: scene.store.locationId, pass };
  await cleo.api.call(contract.undoScan, { body: { ...named, deviceId: "phone of Cleo" } });
  expect(await scene.stateOf(red)).toBe("not_there");
  await scene.scan(cleo, red, 1, "A1", pass);
  await scene.admin.call(contract.cancelSecondCount, { body: { areaId: idOfA1() } });
  expect(await scene.stateOf(red)).toBe("contradicted");
});

test("what counts of the area were compared in is theirs to settle", async () => {
  for (const [counter, found] of [
    [cleo, 1],
    [await join(scene.server, scene.session, { name: "Dora", email: "dora@example.com" }), 0],
  ] as const) {
    const areas = (await counter.api.call(contract.listAreas, {})).areas;
    const pass = found === 1 ? await askAgain() : areas.find(({ _id }) => _id === idOfA1())?.pass;
    await scene.scan(counter, "JK-1000", 7, "A1", pass);
    if (found === 1) await scene.scan(counter, red, 1, "A1", pass);
    await scene.close("A1", 7 + found, counter, pass);
  }
  expect(await scene.stateOf(red)).toBe("not_there");
});

test("a tag that waits, because the area where it counted has taken it back, contradicts it as a late scan does", async () => {
  const jacket = codes.jacketM;
  await scene.create({ skus: [jacket.sku] });
  const input = epcOf(jacket.input, 1);
  const place = { storeId: scene.store.id, locationId: scene.store.locationId };
  const read = (deviceId: string, areaCode: string, seq: number) =>
    scene.ada.api.call(contract.postScan, {
      body: {
        ...{ sessionId: scene.session._id, ...place, areaCode, input, inputType: "barcode", quantity: 1 },
        ...{ deviceId, seq },
      },
    });
  await scene.admin.call(contract.reopenArea, { body: { areaId: idOfA1(), eraseScans: true } });
  await read("reader-1", "A1", 1);
  expect(await read("reader-2", "A2", 1)).toMatchObject({ status: "unresolved" });
  await scene.say(scene.ben, jacket.sku, "not_there", 2);
  const named = { sessionId: scene.session._id, areaCode: "A1", locationId: scene.store.locationId };
  await scene.ada.api.call(contract.resetArea, { body: named });
  const { scans } = await scene.admin.call(contract.sessionExceptions, scene.ofSession);
  expect(scans).toMatchObject([{ reason: "TAG_ELSEWHERE", sku: jacket.sku }]);
  const { items } = await scene.admin.call(contract.readSearch, { ...scene.ofList(2), query: {} });
  expect(items[0]).toMatchObject({ state: "contradicted", lateScanWaits: true });
});

const undo = (areaCode: string) => {
  const named = { sessionId: scene.session._id, areaCode, locationId: scene.store.locationId };
  return cleo.api.call(contract.undoScan, { body: { ...named, deviceId: "phone of Cleo" } });
};

describe("a scan whose pass was voided", () => {
  test("contradicts it until the area is closed again; one that was undone by hand does not", async () => {
    await scene.scan(cleo, red, 3, "A2");
    await undo("A2");
    await scene.close("A2", 9, cleo);
    expect(await scene.stateOf(red)).toBe("not_there");
    await scene.scan(cleo, red, 3, "A2");
    await scene.close("A2", 4, cleo);
    expect([await scene.stateOf(red), await isOpenOnCoverage()]).toEqual(["contradicted", true]);
    expect(await scene.item(red)).toMatchObject({
      voidedSince: true,
      scannedAgain: false,
      movedSince: false,
    });
    await scene.scan(cleo, "JK-1000", 1, "A2");
    await scene.close("A2", 1, cleo);
    expect(await scene.item(red)).toMatchObject({ state: "not_there", voidedSince: false });
  });

  test("contradicts it until a further count closes the area, which an earlier one that is restored is not", async () => {
    const areaId = scene.store.areas[1]?.id ?? "";
    const { areas } = await cleo.api.call(contract.listAreas, {});
    const pass = areas.find(({ _id }) => _id === areaId)?.pass ?? 0;
    await scene.scan(cleo, "JK-1000", 1, "A2");
    await scene.close("A2", 4, cleo);
    await scene.scan(cleo, red, 3, "A2");
    await scene.admin.call(contract.restorePass, { body: { areaId, pass } });
    expect(await scene.stateOf(red)).toBe("contradicted");
    await scene.close("A2", 1, cleo);
    expect(await scene.item(red)).toMatchObject({ state: "contradicted", voidedSince: true });
    await scene.admin.call(contract.reopenArea, { body: { areaId, eraseScans: true } });
    await scene.close("A2", 0, cleo);
    expect(await scene.stateOf(red)).toBe("not_there");
  });

  test("contradicts it after the end too, so that nothing is set to zero, until an administrator decides", async () => {
    await scene.scan(cleo, red, 3, "A2");
    await scene.close("A2", 4, cleo);
    await scene.end();
    const ofReport = { params: { sessionId: scene.session._id } };
    expect((await scene.admin.call(contract.previewDeploy, ofReport)).searched).toBeUndefined();
    await decideNotThere();
    expect(await scene.stateOf(red)).toBe("not_there");
    expect((await scene.admin.call(contract.previewDeploy, ofReport)).searched).toMatchObject({ items: 1 });
  });

  test("contradicts what was decided before it, which can be decided once more", async () => {
    await decideNotThere();
    await scene.scan(cleo, red, 3, "A2");
    await scene.close("A2", 4, cleo);
    expect(await scene.stateOf(red)).toBe("contradicted");
    await decideNotThere();
    expect(await scene.stateOf(red)).toBe("not_there");
  });

  test("contradicts it until somebody looks once more, who ends what was decided before; each is heard once", async () => {
    await decideNotThere();
    await scene.scan(cleo, red, 3, "A2");
    await scene.admin.call(contract.resetArea, {
      body: { sessionId: scene.session._id, areaCode: "A2", locationId: scene.store.locationId },
    });
    for (const _ of [1, 2]) await scene.say(scene.ben, red, "not_there");
    expect(await scene.item(red)).toMatchObject({ state: "not_there", decision: null });
    const query = { sessionId: scene.session._id, action: "search.answered" as const };
    expect((await scene.admin.call(contract.listAudit, { query })).entries).toHaveLength(2);
  });

  test("contradicts it where a second count of it was voided, and one of other products does not settle that", async () => {
    const pass = await askAgain();
    await scene.scan(cleo, red, 1, "A1", pass);
    await scene.close("A1", 9, cleo, pass);
    expect(await scene.item(red)).toMatchObject({ state: "contradicted", voidedSince: true });
    await scene.admin.call(contract.cancelSecondCount, { body: { areaId: idOfA1() } });
    const other = await askAgain(["JK-1000"]);
    await scene.scan(cleo, "JK-1000", 7, "A1", other);
    await scene.close("A1", 7, cleo, other);
    expect(await scene.stateOf(red)).toBe("contradicted");
  });
});

describe("an answer that waited for a connection", () => {
  const belt = "BELT-1";
  const belts = async () => {
    const { items } = await scene.admin.call(contract.readSearch, { ...scene.ofList(2), query: {} });
    return items[0];
  };
  const sayOf = (answer: contract.SearchAnswer, saidAgoMs?: number) =>
    scene.say(scene.ben, belt, answer, 2, "phone", saidAgoMs === undefined ? {} : { saidAgoMs });

  beforeEach(async () => {
    await scene.create({ skus: [belt] });
    await scene.server.database.pool.query(
      "insert into stock_readings (session_id, sku, read_at, on_hand) values ($1, $2, clock_timestamp(), 9)",
      [scene.session._id, belt],
    );
  });

  test("says nothing of what came in after somebody had looked, and the report shows when that was", async () => {
    await sayOf("not_there", contract.limits.searchAnswerAgeMs);
    const { state, movedSince, answers = [] } = (await belts()) ?? {};
    expect({ state, movedSince }).toEqual({ state: "contradicted", movedSince: true });
    const { sessions } = await scene.admin.call(contract.listSessions, { query: {} });
    const [said] = answers;
    // Nobody looked for anything of a session before it began.
    expect(said?.lookedAt).toBe(sessions.find(({ _id }) => _id === scene.session._id)?.startedAt);
    expect(Date.parse(said?.answeredAt ?? "")).toBeGreaterThan(Date.parse(said?.lookedAt ?? ""));
  });

  test.each([0, undefined])("holds where it was said as it arrives: %s", async (saidAgoMs) => {
    await sayOf("not_there", saidAgoMs);
    expect(await belts()).toMatchObject({ state: "not_there", movedSince: false });
  });

  test("is the last word of its person all the same, as it arrived last, and is looked at anew by the next", async () => {
    await sayOf("found", 0);
    await sayOf("not_there", 60_000);
    expect(await belts()).toMatchObject({ state: "contradicted", answers: [{ answer: "not_there" }] });
    await sayOf("not_there");
    const again = await belts();
    expect(again).toMatchObject({ state: "not_there" });
    expect(again?.answers[0]?.lookedAt).toBeUndefined();
  });

  test("ends no decision that came after somebody had looked, unless it was found", async () => {
    const decide = (answer: contract.SearchAnswer) =>
      scene.admin.call(contract.decideSearch, { ...scene.ofSession, body: { sku: belt, answer } });
    await sayOf("not_there");
    await decide("found");
    const late = { saidAgoMs: 3_600_000 };
    await scene.say(cleo, belt, "not_there", 2, "phone of Cleo", late);
    expect(await belts()).toMatchObject({ state: "found", decision: { answer: "found" } });
    await scene.say(cleo, belt, "not_there", 2, "phone of Cleo", { saidAgoMs: 0 });
    expect(await belts()).toMatchObject({ state: "not_there", decision: null });
    await decide("not_there");
    await scene.say(cleo, belt, "found", 2, "phone of Cleo", late);
    expect(await belts()).toMatchObject({ state: "contradicted", decision: null });
  });

  test("is refused where it says that it comes from the future, or from long before", async () => {
    for (const saidAgoMs of [-1, contract.limits.searchAnswerAgeMs + 1, 0.5]) {
      const body = { sku: belt, answer: "not_there" as const, deviceId: "phone", saidAgoMs };
      const refusal = await scene.ben.api.refusal(contract.answerSearch, { ...scene.ofList(2), body });
      expect(refusal.code).toBe("VALIDATION");
    }
  });
});
