import { areaScans, listAreasOfLocation, restorePass, undoScan } from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import {
  finishFirstArea,
  firstAreaId,
  passesOfFirstArea,
  reopenFirstArea,
  resetFirstArea,
  restoreFirstArea,
} from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  firstArea,
  scan,
  scanTimes,
} from "../testing/scene.ts";
import { askAgain } from "../testing/second-counts.ts";

const scene = countInEachTest();
let firstPass: number;

beforeEach(async () => {
  firstPass = (await areaRow(scene)).pass;
});

const restore = (pass: number) => restoreFirstArea(scene, pass);
const reset = () => resetFirstArea(scene);
const finish = (declaredTotal: number) => finishFirstArea(scene, declaredTotal);

async function refusal(pass: number, areaId = firstAreaId(scene)) {
  const { status, code } = await scene.server.admin.refusal(restorePass, { body: { areaId, pass } });
  return [status, code];
}

async function endings() {
  return (await passesOfFirstArea(scene)).map(({ pass, endedAs, scans }) => [pass, endedAs, scans]);
}

test("a restored pass counts as it did, in a new pass, and the current one is voided instead", async () => {
  await scanTimes(scene, 2);
  await scan(scene, { seq: 3, input: codes.unknown.input });
  await scan(scene, { seq: 4 });
  await scene.counter.api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 4 } });
  await reset();
  await scan(scene, { seq: 5, input: codes.jacketM.input });
  const area = await restore(firstPass);
  expect(area).toMatchObject({ status: "in_progress", pass: firstPass + 2, activity: { devices: 1 } });
  expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
  expect(await scan(scene, { seq: 3, input: codes.unknown.input })).toMatchObject({
    status: "unresolved",
    reason: "UNKNOWN_CODE",
    scan: { pass: firstPass + 2 },
  });
  expect(await scan(scene, { seq: 4 })).toMatchObject({ status: "voided", reason: "UNDONE" });
  expect(await endings()).toEqual([
    [firstPass, "restored", 0],
    [firstPass + 1, "replaced", 1],
    [firstPass + 2, null, 2],
  ]);
});

test("a mismatched, a reopened and a replaced pass can be restored", async () => {
  await scanTimes(scene, 2);
  await finish(5);
  await restore(firstPass);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
  await finish(2);
  await reopenFirstArea(scene);
  expect(await countsOf(scene)).toEqual({});
  await restore(firstPass + 2);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
  expect((await areaRow(scene)).status).toBe("in_progress");
  await scan(scene, { seq: 3 });
  await restore(firstPass + 3);
  await restore(firstPass + 4);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
});

test("restoring a pass of a closed area opens it", async () => {
  await scanTimes(scene, 1);
  await reset();
  await finish(0);
  expect(await restore(firstPass)).toMatchObject({ status: "in_progress", closedBy: null, closedAt: null });
});

test("a restored pass is said to be one where a second count took the number before it", async () => {
  await scanTimes(scene, 1);
  await reset();
  await finish(0);
  await askAgain(scene);
  const area = await restore(firstPass);
  expect(area).toMatchObject({ pass: firstPass + 3, restored: true });
  const { areas } = await scene.counter.api.call(listAreasOfLocation, {
    params: { locationId: scene.store.locationId },
  });
  expect(areas.find(({ _id }) => _id === area._id)).toMatchObject({ restored: true });
});

test("what was scanned in a restored pass can be undone and finished", async () => {
  await scanTimes(scene, 2);
  await reset();
  await restore(firstPass);
  const { undone } = await scene.counter.api.call(undoScan, {
    body: { ...firstArea(scene), deviceId: "device-1" },
  });
  expect(undone.seq).toBe(2);
  expect(await finish(1)).toEqual({ matched: true, serverTotal: 1 });
});

describe("restoring is refused", () => {
  test("for the current pass, for one restored already, for one that never existed", async () => {
    expect(await refusal(firstPass)).toEqual([400, "VALIDATION"]);
    await reset();
    await restore(firstPass);
    expect(await refusal(firstPass)).toEqual([400, "VALIDATION"]);
    expect(await refusal(77)).toEqual([404, "NOT_FOUND"]);
  });

  test("for a pass of an earlier session", async () => {
    expect(await refusal(firstPass - 1)).toEqual([404, "NOT_FOUND"]);
  });

  test("without a running session, and for an area that does not exist", async () => {
    await reset();
    expect(await refusal(firstPass, "nothing")).toEqual([404, "NOT_FOUND"]);
    await endAtOnce(scene);
    expect(await refusal(firstPass)).toEqual([409, "SESSION_CLOSED"]);
    const { pool } = scene.server.database;
    await pool.query("update areas set deleted_at = now() where id = $1", [firstAreaId(scene)]);
    expect(await refusal(firstPass)).toEqual([404, "NOT_FOUND"]);
  });
});

test("phones are told that a pass is a restored count, in the list of areas and as they open it, until it is over", async () => {
  const { counter, session, store } = scene;
  const told = async () => {
    const params = { locationId: store.locationId };
    const [area] = (await counter.api.call(listAreasOfLocation, { params })).areas;
    const opened = await counter.api.call(areaScans, { params: { sessionId: session._id, areaCode: "A1" } });
    return [area?.restored, opened.restored];
  };
  await scanTimes(scene, 2);
  await reset();
  expect(await told()).toEqual([undefined, undefined]);
  await restore(firstPass);
  expect(await told()).toEqual([true, true]);
  await scan(scene, { seq: 9 });
  expect(await told()).toEqual([true, true]);
  await reset();
  expect(await told()).toEqual([undefined, undefined]);
});
