import { randomUUID } from "node:crypto";
import { postScan, postScanBatch, undoScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { join, makeAreas, makeLocation } from "../../testing/scenes.ts";
import {
  codes,
  countInEachTest,
  countsOf,
  type ScanChanges,
  scan,
  scanBody,
  startCounting,
} from "../testing/scene.ts";

const scene = countInEachTest();

const at = (second: number) => new Date(Date.UTC(2025, 2, 1, 10, 0, second)).toISOString();

async function expectRepeat(first: ScanChanges, second: ScanChanges) {
  const stored = await scan(scene, first);
  const again = await scan(scene, second);
  expect(again).toEqual({ ...stored, httpStatus: 200, duplicate: true });
  expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
}

async function expectConflict(first: ScanChanges, second: ScanChanges, nextSeq: number) {
  await scan(scene, first);
  const refused = await scene.counter.api.refusal(postScan, { body: scanBody(scene, second) });
  expect(refused).toMatchObject({ status: 409, code: "SEQ_CONFLICT", nextSeq });
  expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
}

describe("a repeat returns 200 and changes nothing", () => {
  test("under the same operation id", () => {
    const opId = randomUUID();
    return expectRepeat({ opId }, { opId });
  });

  test("under the same operation id and another sequence number: renumbered, it had arrived", () => {
    const opId = randomUUID();
    return expectRepeat({ opId, seq: 3 }, { opId, seq: 7 });
  });

  test("under the same operation id in capitals", () => {
    const opId = randomUUID();
    return expectRepeat({ opId }, { opId: opId.toUpperCase() });
  });

  test("with the same number and content, where neither side has an operation id", () =>
    expectRepeat({}, {}));

  test("with the same number and content, where one side has none", async () => {
    await expectRepeat({ opId: randomUUID() }, {});
  });

  test("with the same number and content, where only the repeat has one", () =>
    expectRepeat({}, { opId: randomUUID() }));

  test("whatever the case of its area's code", () => expectRepeat({ areaCode: "A1" }, { areaCode: "a1" }));

  test("where only one side has a time", () => expectRepeat({ scannedAt: at(1) }, {}));

  test("where both give the same time in different notations", () =>
    expectRepeat({ scannedAt: "2025-03-01T10:00:01Z" }, { scannedAt: "2025-03-01T11:00:01.000+01:00" }));
});

describe("without the stored scan's operation id", () => {
  const refused = { httpStatus: 409, code: "SEQ_CONFLICT" };

  /** What a person who did not scan it is told of each guess at a stored scan, one by one and in a batch. */
  async function guessed(guesses: readonly ScanChanges[]) {
    const { api } = await join(scene.server, scene.session, { name: "Grace" });
    const scans = guesses.map((guess) => scanBody(scene, guess));
    const { results } = await api.call(postScanBatch, { body: { scans } });
    for (const [index, body] of scans.entries()) {
      const { status, body: answer } = await api.send(postScan, { body });
      expect(results[index]).toEqual(Object.assign({ httpStatus: status }, answer));
    }
    return results;
  }

  test.each([
    ["with", randomUUID()],
    ["without", undefined],
  ])("somebody else's scan %s one is a clash whatever is guessed of it", async (_, opId) => {
    await scan(scene, { ...(opId === undefined ? {} : { opId }), quantity: 3 });
    const guesses = [{ quantity: 3 }, { quantity: 4 }, { quantity: 3, opId: randomUUID() }];
    const [right, wrong, renamed] = await guessed(guesses);
    expect(right).toMatchObject(refused);
    expect([right, right]).toEqual([wrong, renamed]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
  });

  test("it is repeated by a shared phone under another login, which names who scanned", async () => {
    const stored = await scan(scene, {});
    const grace = await join(scene.server, scene.session, { name: "Grace" });
    const again = await scan(scene, { scannedById: scene.counter.userId }, grace.api);
    expect(again).toEqual({ ...stored, httpStatus: 200, duplicate: true });
  });
});

test("a repeat returns the scan's present status", async () => {
  const opId = randomUUID();
  const { sessionId, deviceId, areaCode } = scanBody(scene);
  await scan(scene, { opId });
  await scene.counter.api.call(undoScan, { body: { sessionId, deviceId, areaCode } });
  expect(await scan(scene, { opId })).toMatchObject({
    httpStatus: 200,
    status: "voided",
    reason: "UNDONE",
    duplicate: true,
  });
});

describe("the same number is a conflict", () => {
  test("with another operation id, even where the content is equal", () =>
    expectConflict({ opId: randomUUID() }, { opId: randomUUID() }, 2));

  test("with another code", () => expectConflict({}, { input: codes.jacketM.input }, 2));

  test("with another input type", () => expectConflict({}, { inputType: "sku" }, 2));

  test("with another area", () => expectConflict({}, { areaCode: "A2" }, 2));

  test("with another time", () => expectConflict({ scannedAt: at(1) }, { scannedAt: at(2) }, 2));

  test("in another location", async () => {
    const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
    await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["A1"] });
    await expectConflict({}, { locationId }, 2);
  });

  test("and the next free one is beyond everything stored, voided scans too", async () => {
    await scan(scene, { seq: 41, input: codes.unknown.input });
    const { sessionId, deviceId, areaCode } = scanBody(scene);
    await scene.counter.api.call(undoScan, { body: { sessionId, deviceId, areaCode, seq: 41 } });
    await expectConflict({}, { input: codes.jacketM.input }, 42);
  });
});

test("an operation id alone decides: whatever else a repeat carries, the stored scan is returned", async () => {
  const opId = randomUUID();
  const { scan: stored } = await scan(scene, { opId });
  const change = { opId, deviceId: "device-2", seq: 5, input: codes.jacketM.input };
  expect(await scan(scene, change)).toMatchObject({ httpStatus: 200, duplicate: true, scan: stored });
});

test("numbers and operation ids belong to one session", async () => {
  const other = await startCounting(scene.server);
  const opId = randomUUID();
  await scan(scene, { opId });
  expect((await scan(other, { opId })).httpStatus).toBe(201);
});

test("numbers belong to one device", async () => {
  await scan(scene, { deviceId: "device-1" });
  expect((await scan(scene, { deviceId: "device-2" })).httpStatus).toBe(201);
});
