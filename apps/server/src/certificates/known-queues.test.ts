import * as contract from "@stocktake/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });

const [adas, bens, cleos] = ["phone of Ada", "phone of Ben", "phone of Cleo"];

const textOf = async () => JSON.parse((await scene.versions())[0]?.text ?? "");

async function listed(which: "all" | "open" | "decided") {
  const query = { which };
  const answer = await scene.server.admin.call(contract.listCoveredDevices, { params: scene.params, query });
  return answer.devices.map(({ deviceId, username, state, said }) => [
    deviceId,
    username,
    state,
    said?.reason,
  ]);
}

/** Everything is accounted for but devices. */
const completed = async () => {
  await scene.complete();
  return scene.open();
};

describe("a device of whose queue nothing certain is known is open", () => {
  test("as it opened an area and was never heard of, until it tells that it holds nothing", async () => {
    await scene.openArea(cleos, { by: scene.cleo });
    expect(await completed()).toEqual({ unknown_devices: 1 });
    expect(await scene.issue()).toMatchObject({ status: 409, body: { code: "COVERAGE_OPEN" } });
    await scene.tell(cleos, 0, scene.cleo);
    expect(await scene.open()).toEqual({});
  });

  test("as its app tells of scans alone, until it tells of everything", async () => {
    await scene.openArea(bens, { by: scene.ben, isOld: true });
    await scene.scan("A3", "BELT-1", { by: scene.ben, isOld: true });
    await scene.reset("A3");
    expect(await completed()).toEqual({ unknown_devices: 1 });
    await scene.scan("A1", "JK-1001", { by: scene.ben });
    expect(await scene.open()).toEqual({ exceptions: 1 });
  });

  test("again as an area is opened on it by an app of an earlier release", async () => {
    await scene.openArea(adas, { holds: 0 });
    expect((await scene.open()).unknown_devices).toBeUndefined();
    await scene.openArea(adas, { isOld: true });
    expect(await scene.open()).toMatchObject({ unknown_devices: 1 });
  });

  test("not where it told as it opened an area that it holds nothing; its earlier report that comes later changes nothing", async () => {
    const { _id: sessionId } = scene.session;
    const told = (pending: number, pendingOrder: number) => ({
      query: {
        ...{ sessionId, deviceId: cleos, tellsQueue: "true" as const },
        ...{ pending: String(pending), pendingOrder: String(pendingOrder) },
      },
    });
    await scene.cleo.api.call(contract.deviceMaxSequence, told(0, 7));
    await scene.cleo.api.call(contract.deviceMaxSequence, told(3, 6));
    expect(await completed()).toEqual({});
    await scene.cleo.api.call(contract.reportQueue, {
      body: { sessionId, deviceId: cleos, pending: 2, pendingOrder: 8 },
    });
    expect(await scene.open()).toEqual({ devices: 1 });
  });
});

describe("a device that has shown a key", () => {
  beforeEach(() => {
    scene.withKey.add(adas);
  });
  afterEach(async () => {
    scene.withKey.clear();
    await scene.forgetKeys();
  });

  test("stays open while it holds something, whoever else says that it holds nothing", async () => {
    await scene.openArea(adas, { holds: 2 });
    await scene.complete();
    await scene.tell(adas, 2);
    for (const deviceKey of [undefined, "a".repeat(43)]) {
      await scene.tell(adas, 0, scene.cleo, { deviceKey });
      await scene.openArea(adas, { by: scene.cleo, holds: 0, shows: { deviceKey } });
    }
    expect(await scene.open()).toEqual({ devices: 1 });
    expect((await scene.issue()).status).toBe(409);
    await scene.tell(adas, 0, scene.ben);
    expect(await scene.open()).toEqual({});
    expect((await scene.issue()).status).toBe(201);
  });

  test("is opened for good by nobody else: a stranger's word that it holds something keeps no certificate", async () => {
    await scene.openArea(adas, { holds: 0 });
    expect(await completed()).toEqual({});
    await scene.issue();
    await scene.tell(adas, 5, scene.cleo, { deviceKey: "a".repeat(43) });
    expect(await scene.read()).toMatchObject({ open: [], certificate: { version: 1, valid: true } });
  });
});

describe("an administrator accounts for devices with a reason", () => {
  test("so that they are open no longer, and takes that back; the log says both", async () => {
    await scene.openArea(bens, { by: scene.ben, isOld: true });
    await scene.openArea(cleos, { by: scene.cleo });
    expect(await completed()).toEqual({ unknown_devices: 2 });
    expect(await listed("open")).toEqual([
      [bens, "Ben", "never_heard", undefined],
      [cleos, "Cleo", "never_heard", undefined],
    ]);
    expect((await scene.account([bens, cleos])).body).toEqual({ changed: 2 });
    expect((await scene.account([bens, adas])).body).toEqual({ changed: 0 });
    expect(await scene.open()).toEqual({});
    expect((await scene.account([cleos], false)).body).toEqual({ changed: 1 });
    expect(await scene.open()).toEqual({ unknown_devices: 1 });
    expect(await listed("decided")).toEqual([[bens, "Ben", "never_heard", "Looked at: nothing to send"]]);
    const { entries } = await scene.server.admin.call(contract.listAudit, {
      query: { sessionId: scene.session._id, limit: "3" },
    });
    expect(entries.map(({ action, before, after }) => [action, (before ?? after)?.device])).toEqual([
      ["coverage.device_taken_back", cleos],
      ["coverage.device_stated", cleos],
      ["coverage.device_stated", bens],
    ]);
  });

  test("of none that says it holds rows: only its report closes it, and none of the others is changed", async () => {
    await scene.openArea(bens, { by: scene.ben, holds: 1 });
    await scene.openArea(cleos, { by: scene.cleo });
    expect(await completed()).toEqual({ devices: 1, unknown_devices: 1 });
    const { status, body } = await scene.account([cleos, bens]);
    expect([status, body]).toMatchObject([409, { code: "DEVICE_HOLDS_ROWS" }]);
    expect(Object(body).error).toContain("A device of Ben said last that it holds 1 row");
    expect(await scene.open()).toEqual({ devices: 1, unknown_devices: 1 });
    await scene.tell(bens, 0, scene.ben);
    expect(await scene.open()).toEqual({ unknown_devices: 1 });
  });

  test("of none without a reason, and of none that is not of the session", async () => {
    await scene.openArea(cleos, { by: scene.cleo });
    expect((await scene.account([cleos], true, " ")).status).toBe(400);
    expect(await scene.account(["a stranger's"])).toMatchObject({
      status: 400,
      body: { code: "VALIDATION" },
    });
  });

  test("until it says that it holds rows, or sends a scan", async () => {
    await scene.openArea(cleos, { by: scene.cleo });
    await completed();
    await scene.account([cleos]);
    await scene.tell(cleos, 1, scene.cleo);
    expect(await scene.open()).toEqual({ devices: 1 });
    await scene.tell(cleos, 0, scene.cleo);
    expect(await scene.open()).toEqual({});
    await scene.openArea(bens, { by: scene.ben });
    await scene.scan("A1", "BELT-1", { by: scene.ben, isOld: true });
    expect(await scene.open()).toEqual({ exceptions: 1, unknown_devices: 1 });
    await scene.account([bens]);
    await scene.scan("A1", "BELT-1", { by: scene.ben, isOld: true });
    expect(await scene.open()).toEqual({ exceptions: 2, unknown_devices: 1 });
    expect(await listed("decided")).toHaveLength(2);
  });
});

test("a certificate says of each device what is known of its queue, and by whom and why it is accounted for", async () => {
  await scene.openArea(adas, { holds: 0 });
  await scene.openArea(bens, { by: scene.ben, isOld: true });
  await scene.openArea(cleos, { by: scene.cleo });
  await scene.scan("A1", "BELT-1", { by: scene.ben, isOld: true });
  await scene.reset("A1");
  await scene.complete();
  await scene.account([bens]);
  await scene.account([cleos], true, "Broken; A3 was counted again");
  await scene.issue();
  const saidBy = { saidBy: "admin", saidAt: expect.any(String) };
  expect(await textOf()).toMatchObject({
    devices: [
      { device: adas, person: "Ada", emptyAt: expect.any(String) },
      {
        ...{ device: bens, person: "Ben", emptyAt: null, scansSentAt: expect.any(String) },
        ...{ ...saidBy, reason: "Looked at: nothing to send" },
      },
      { device: cleos, person: "Cleo", emptyAt: null, ...saidBy, reason: "Broken; A3 was counted again" },
    ],
    figures: { devices: 2, devicesTellingScansAlone: 1, devicesNeverHeard: 1, devicesAccountedFor: 2 },
  });
  await scene.tell(cleos, 0, scene.cleo);
  expect((await scene.read()).certificate).toMatchObject({ version: 1, valid: true });
  await scene.account([cleos], false);
  expect(await scene.read()).toMatchObject({ open: [], certificate: { valid: false }, canIssue: true });
  await scene.issue();
  expect(await textOf()).toMatchObject({
    version: 2,
    changes: { figures: { devicesNeverHeard: { from: 1, to: 0 }, devicesAccountedFor: { from: 2, to: 1 } } },
  });
});
