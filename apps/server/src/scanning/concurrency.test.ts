import { randomUUID } from "node:crypto";
import {
  finishArea,
  postScan,
  postScanBatch,
  resetArea,
  restorePass,
  ScanAnswer,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  expectTotalsToMatchScans,
  firstArea,
  scan,
  scanBody,
  scanTimes,
} from "./testing/scene.ts";
import { twoNodes } from "./testing/two-nodes.ts";

const scene = countInEachTest();
const nodeOf = twoNodes(scene);

function times<Result>(count: number, make: (number: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_nothing, number) => make(number)));
}

describe("50 repeats of one scan at the same time, on two nodes, are stored once", () => {
  test.each([
    ["with an operation id", { opId: randomUUID() }],
    ["without one", {}],
  ])("%s", async (_name, changes) => {
    const answers = await times(50, (number) =>
      nodeOf(number).send(postScan, { body: scanBody(scene, changes) }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("each under a number of its own", async () => {
    const opId = randomUUID();
    const answers = await times(50, (number) =>
      nodeOf(number).send(postScan, { body: scanBody(scene, { opId, seq: number + 1 }) }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 49 }, () => 200),
      201,
    ]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });
});

test("of different scans that claim one number at the same time, one is stored and the others are conflicts", async () => {
  const answers = await times(20, (number) =>
    nodeOf(number).send(postScan, { body: scanBody(scene, { opId: randomUUID() }) }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
});

test("the same batch on both nodes at the same time is stored once, whatever its order", async () => {
  const scans = Array.from({ length: 200 }, (_nothing, number) =>
    scanBody(scene, {
      seq: number + 1,
      opId: randomUUID(),
      areaCode: number % 3 === 0 ? "A2" : "A1",
      input: number % 2 === 0 ? codes.jacketM.input : codes.jacketS.input,
    }),
  );
  const statuses = await times(8, async (number) => {
    const sent = number % 4 < 2 ? scans : scans.toReversed();
    const { results } = await nodeOf(number).call(postScanBatch, { body: { scans: sent } });
    return results.map(({ httpStatus }) => httpStatus);
  });
  expect(statuses.flat().filter((status) => status === 201)).toHaveLength(200);
  expect(statuses.flat().filter((status) => status === 200)).toHaveLength(1400);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 100, "JK-1001": 100 });
});

test("the first scans of an area by many devices at the same time all count", async () => {
  await times(40, (number) =>
    scan(scene, { deviceId: `device-${number}`, areaCode: number % 2 === 0 ? "A1" : "A2" }, nodeOf(number)),
  );
  expect(await countsOf(scene)).toEqual({ "JK-1000": 40 });
});

test("parallel undo voids one scan each, and no more than there are", async () => {
  await scanTimes(scene, 6);
  const answers = await times(10, (number) =>
    nodeOf(number).send(undoScan, { body: { ...firstArea(scene), deviceId: "device-1" } }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(4);
  expect(await countsOf(scene)).toEqual({});
});

test("parallel repeats of one undo void one scan", async () => {
  await scanTimes(scene, 6);
  const opId = randomUUID();
  const answers = await times(10, (number) =>
    nodeOf(number).call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", opId } }),
  );
  expect(new Set(answers.map(({ undone }) => undone.seq))).toEqual(new Set([6]));
  expect(await countsOf(scene)).toEqual({ "JK-1000": 5 });
});

test("parallel repeats of one reset begin one pass", async () => {
  await scanTimes(scene, 3);
  const { pass } = await areaRow(scene);
  const opId = randomUUID();
  const answers = await times(10, (number) =>
    nodeOf(number).call(resetArea, { body: { ...firstArea(scene), opId } }),
  );
  expect(new Set(answers.map(({ deletedScans }) => deletedScans))).toEqual(new Set([3]));
  expect((await areaRow(scene)).pass).toBe(pass + 1);
});

test("one operation id for two areas at the same time does one thing", async () => {
  const opId = randomUUID();
  const answers = await times(10, (number) => {
    const areaCode = number % 2 === 0 ? "A1" : "A2";
    return nodeOf(number).send(resetArea, { body: { ...firstArea(scene), areaCode, opId } });
  });
  expect(answers.map(({ status }) => status).sort()).toEqual([
    200, 200, 200, 200, 200, 409, 409, 409, 409, 409,
  ]);
});

test("no scan slips between a finish's total and the closing", async () => {
  const total = 30;
  const { pass } = await areaRow(scene);
  await scanTimes(scene, total, { pass });
  const during = times(60, async (number) => {
    const { body } = await nodeOf(number).send(postScan, {
      body: scanBody(scene, { deviceId: `device-${number + 2}`, pass }),
    });
    return ScanAnswer.parse(body);
  });
  const finished = await nodeOf(0).call(finishArea, {
    body: { ...firstArea(scene), deviceId: "device-1", declaredTotal: total, pass },
  });
  const answers = await during;
  const { status } = await areaRow(scene);
  const counted = (await countsOf(scene))["JK-1000"] ?? 0;
  expect(status).toBe(finished.matched ? "closed" : "in_progress");
  // Closed: the total is what was declared and every later scan was answered as late. Voided: nothing of the pass counts.
  expect(counted).toBe(finished.matched ? total : 0);
  const late = answers.filter(({ reason }) => reason === (finished.matched ? "AREA_CLOSED" : "PASS_OVER"));
  expect(answers.filter((answer) => answer.status === "counted")).toHaveLength(60 - late.length);
  expect(finished.serverTotal).toBe(total + 60 - late.length);
});

test("finish, reset, undo, restore and batches at the same time end in correct totals", async () => {
  const api = nodeOf(0);
  await scanTimes(scene, 5);
  await times(60, async (number) => {
    const node = nodeOf(number);
    const device = { ...firstArea(scene), deviceId: "device-1" };
    const scans = Array.from({ length: 10 }, (_nothing, seq) =>
      scanBody(scene, {
        deviceId: `device-${number + 2}`,
        seq: seq + 1,
        areaCode: seq % 2 === 0 ? "A2" : "A1",
      }),
    );
    if (number % 6 === 0) return node.send(resetArea, { body: firstArea(scene) });
    if (number % 6 === 1) return node.send(finishArea, { body: { ...device, declaredTotal: 999 } });
    if (number % 6 === 2)
      return node.send(undoScan, { body: { ...device, deviceId: `device-${number + 1}` } });
    if (number % 6 === 3) {
      const { pass } = await areaRow(scene);
      const areaId = scene.store.areas[0]?.id ?? "";
      return scene.server.admin.send(restorePass, { body: { areaId, pass: pass - 1 } });
    }
    return node.send(postScanBatch, { body: { scans } });
  }).then((answers) => {
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
  await expectTotalsToMatchScans(scene.server.database.database);
  expect((await scan(scene, { seq: 100 }, api)).status).toBe("counted");
});
