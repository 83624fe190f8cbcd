import { describe, expect, it } from "vitest";
import type { RawResponse } from "../ports.ts";
import { hear, restore, sendAll } from "../testing/after-restore.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";

/** What the server answers, with the SKUs to count in its areas or its sessions. */
function withLists(
  path: string,
  response: RawResponse,
  { area, session }: { readonly area?: string[]; readonly session?: string[] },
): RawResponse {
  if (response.kind !== "answer") return response;
  const { areas = [], sessions = [] }: { areas?: object[]; sessions?: object[] } = Object(response.body);
  const listing = (only: string[] | undefined) => (row: object) =>
    only === undefined ? row : { ...row, only };
  if (path === "/api/areas/by-location/location-1")
    return { ...response, body: { areas: areas.map(listing(area)) } };
  return path === "/api/session"
    ? { ...response, body: { sessions: sessions.map(listing(session)) } }
    : response;
}

/** After whatever a test does. */
const later = "2100-01-01T00:00:00.000Z";

describe("a reset or a finish from before the restore", () => {
  async function resetAndScan(harness: EngineHarness): Promise<void> {
    await sendAll(harness, "wrong");
    await harness.operate({ kind: "reset", area: areaOne });
    await harness.scan("right", { ...areaOne, pass: 2 });
    await harness.run();
  }

  it("S31: a reset is made again between the scans, so that each is in its pass", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await resetAndScan(harness);
    await restore(harness, bringBack);
    await hear(harness, { ...areaOne, pass: 2 });
    expect(harness.server.scans.map(({ payload, status }) => [payload.input, status])).toEqual([
      ["wrong", "voided"],
      ["right", "counted"],
      ["next", "counted"],
    ]);
  });

  it("S31: a reset is left to a person where something was counted since, and its later scans are kept as late", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await resetAndScan(harness);
    await restore(harness, bringBack);
    harness.server.countElsewhere("of another", harness.clock.now());
    await hear(harness);
    const states = harness.server.scans.map(({ payload, status }) => [payload.input, status]);
    expect(Object.fromEntries(states)).toEqual({
      ...{ "of another": "counted", wrong: "counted", next: "counted", right: "late" },
    });
    const [reset] = await harness.database.getAll("pendingSubmissions");
    expect(reset).toMatchObject({ synced: true, isLeft: true });
  });

  it.each([
    ["of a sheet", { deviceId: "sheet 1", timeUnknown: true }],
    ["of another device", { timeUnknown: true }],
    ["unknown, of a sheet", { deviceId: "sheet 1", timeUnknown: true }],
    ["unknown, of another device", { scannedAt: later }],
  ])(
    "S31: a reset is left to a person where it would void what nobody knows to be from before it: %s",
    async (input, of) => {
      const harness = await createEngineHarness();
      const bringBack = harness.server.backup();
      await sendAll(harness, "wrong");
      const writtenAt = harness.clock.now();
      harness.clock.advance(60_000);
      await harness.operate({ kind: "reset", area: areaOne });
      await harness.run();
      await restore(harness, bringBack);
      harness.server.countElsewhere(input, writtenAt, of);
      await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
      expect(harness.server.passOf("A1")).toBe(1);
      const [reset] = await harness.database.getAll("pendingSubmissions");
      expect(reset).toMatchObject({ synced: true, isLeft: true });
    },
  );

  it("S31: a reset is made again where the device's own scans before it are of a time that nobody knows", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await resetAndScan(harness);
    await restore(harness, bringBack);
    harness.server.countElsewhere("own", harness.clock.now() - 120_000, {
      deviceId: "device-1",
      timeUnknown: true,
    });
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    expect(harness.server.passOf("A1")).toBe(2);
  });

  it("S31: a finish closes its area again where the numbers are equal", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await sendAll(harness, "one", "two");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 2 });
    await harness.run();
    await restore(harness, bringBack);
    expect(harness.server.closedAreas.size).toBe(0);
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    expect([...harness.server.closedAreas]).toEqual(["A1"]);
  });

  it("S31: a finish that would void the pass is left to a person", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    harness.server.countElsewhere("of another", harness.clock.now());
    await sendAll(harness, "one");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 2 });
    await harness.run();
    expect([...harness.server.closedAreas]).toEqual(["A1"]);
    await restore(harness, bringBack);
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    expect(harness.server.passOf("A1")).toBe(1);
    expect(harness.server.total("A1")).toBe(1);
    const [finish] = await harness.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ synced: true, isLeft: true });
  });

  it("S31, S45: a finish of listed products is left to a person where the server lists none: it would close the area as the whole count", async () => {
    const repeated = async (listed: { area?: string[]; session?: string[] }) => {
      const harness = await createEngineHarness();
      const bringBack = harness.server.backup();
      await sendAll(harness, "one");
      await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1, ofList: true });
      await harness.run();
      await restore(harness, bringBack);
      harness.hold(async (call) => withLists(call.path, await harness.server.send(call), listed));
      await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
      return [...harness.server.closedAreas];
    };
    expect(await repeated({})).toEqual([]);
    expect(await repeated({ area: ["one"] })).toEqual(["A1"]);
    expect(await repeated({ session: ["one"] })).toEqual(["A1"]);
  });

  it("S37: a total of one's own is left to a person: others have their part in the sum", async () => {
    const harness = await createEngineHarness();
    const bringBack = harness.server.backup();
    await sendAll(harness, "one");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1, ownOf: "user-1" });
    await harness.run();
    expect([...harness.server.closedAreas]).toEqual(["A1"]);
    await restore(harness, bringBack);
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    expect(harness.server.closedAreas.size).toBe(0);
    const [finish] = await harness.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ synced: true, isLeft: true });
  });
});

describe("a reset or a finish from before the restore that the server refuses", () => {
  /** What happens on the server when it has been asked how far it is, before it is sent the operation. */
  const beforeIt = (harness: EngineHarness, path: string, happens: () => void) => {
    harness.server.chance = (call) => {
      if (call.path === path) happens();
      return null;
    };
  };

  /** A count of one scan, which by the device is of the server that is backed up then. */
  async function scannedBefore() {
    const harness = await createEngineHarness();
    harness.server.backup();
    await sendAll(harness, "one");
    return harness;
  }

  async function resetAfterBackup() {
    const harness = await scannedBefore();
    const bringBack = harness.server.backup();
    await harness.operate({ kind: "reset", area: areaOne });
    await harness.run();
    await restore(harness, bringBack);
    return harness;
  }

  async function finishAfterBackup(declaredTotal: number) {
    const harness = await scannedBefore();
    const bringBack = harness.server.backup();
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal });
    await harness.run();
    await restore(harness, bringBack);
    return harness;
  }

  async function isLeft(harness: EngineHarness): Promise<boolean | undefined> {
    await hear(harness, { ...areaOne, areaId: "area-2", areaCode: "A2" });
    const [operation] = await harness.database.getAll("pendingSubmissions");
    expect(operation).toMatchObject({ synced: true, refusal: null });
    return operation?.isLeft;
  }

  it("S31: a reset is left to a person where the session has ended: what it had discarded counts", async () => {
    const harness = await resetAfterBackup();
    harness.server.closedSessions.add(areaOne.sessionId);
    expect(await isLeft(harness)).toBe(true);
    expect(harness.server.total("A1")).toBe(1);
  });

  it("S31: a reset is left to a person where the area is closed in the moment before it", async () => {
    const harness = await resetAfterBackup();
    beforeIt(harness, "/api/area/reset", () => harness.server.closedAreas.add("A1"));
    expect(await isLeft(harness)).toBe(true);
  });

  it("S31: a finish is left to a person where the session has ended, whether it had matched or not", async () => {
    for (const declaredTotal of [1, 2]) {
      const harness = await finishAfterBackup(declaredTotal);
      harness.server.closedSessions.add(areaOne.sessionId);
      expect(await isLeft(harness)).toBe(true);
    }
  });

  it("S31: nothing is left to a person where the server gets that far in the moment before it", async () => {
    const reset = await resetAfterBackup();
    beforeIt(reset, "/api/area/reset", () => reset.server.nextPass("A1", "AREA_RESET"));
    expect(await isLeft(reset)).toBe(false);
    const finish = await finishAfterBackup(1);
    beforeIt(finish, "/api/area/finish", () => finish.server.closedAreas.add("A1"));
    expect(await isLeft(finish)).toBe(false);
  });

  it("S30: an undo that is refused is not left to a person", async () => {
    const harness = await createEngineHarness();
    harness.server.backup();
    const { id: targetId, seq: targetSeq } = await harness.scan("undone");
    await harness.run();
    const bringBack = harness.server.backup();
    await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
    await harness.run();
    await restore(harness, bringBack);
    beforeIt(harness, "/api/undo", () => harness.server.nextPass("A1", "AREA_RESET"));
    expect(await isLeft(harness)).toBe(false);
  });
});
