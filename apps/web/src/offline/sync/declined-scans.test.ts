import { describe, expect, it } from "vitest";
import { declinesUntilHeld } from "../database/records.ts";
import { readDeclined, readSetAside } from "../outbox/read.ts";
import { adoptEpoch } from "../outbox/server-epoch.ts";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";

const words = "This request came from another site and was refused.";
const forbidden = { kind: "answers", status: 403, body: { error: words, code: "FORBIDDEN" } } as const;

/** A finish behind as many scans, on a phone that the server meets at a wrong address as long as the test says. */
async function behindWrongAddress(scans: number) {
  const harness = await createEngineHarness();
  const state = { isWrong: true };
  harness.server.chance = () => (state.isWrong ? forbidden : null);
  for (let scan = 0; scan < scans; scan += 1) await harness.scan(`code-${scan}`);
  await harness.operate({ kind: "finish", area: areaOne, declaredTotal: scans });
  await harness.run();
  return { harness, state };
}

describe("S13: scans behind a status that says nothing of them, such as the 403 of a changed address", () => {
  it.each([1, 3])(
    "wait, %i of them, and the total behind them: nothing is set aside, and it matches once the address is right",
    async (scans) => {
      const { harness, state } = await behindWrongAddress(scans);
      const { server, database, engine, clock } = harness;
      for (let times = 0; times < 6; times += 1) {
        clock.advance(clock.nextIn() ?? 0);
        await engine.settled();
      }
      expect(await readSetAside(database)).toEqual({ scans: [], operations: [] });
      expect(await harness.unsettledInputs()).toHaveLength(scans);
      expect(server.calls.some(({ path }) => path === "/api/area/finish")).toBe(false);
      state.isWrong = false;
      clock.advance(60_000);
      await harness.run();
      expect(await harness.unsettledInputs()).toEqual([]);
      expect(server.closedAreas.has("A1")).toBe(true);
    },
  );

  it("are not sent one by one all the same, and the reason is there to be read", async () => {
    const { harness } = await behindWrongAddress(100);
    expect(harness.server.calls.map(({ path }) => path)).toEqual(["/api/scan/batch", "/api/scan"]);
    expect(harness.events.at(-1)).toEqual({ type: "stopped", reason: "declined" });
    expect(await readDeclined(harness.database)).toMatchObject([
      { row: { input: "code-0", areaCode: "A1", retryCount: 1 }, refusal: { error: words }, behind: 100 },
    ]);
  });

  it("S32: keep only their own area waiting where the status lasts for them alone", async () => {
    const harness = await createEngineHarness();
    const areaTwo = { ...areaOne, areaId: "area-2", areaCode: "A2" };
    const { server, clock, engine } = harness;
    server.chance = ({ body }) => (JSON.stringify(body ?? null).includes("code-0") ? forbidden : null);
    await harness.scan("code-0");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    await harness.scan("other", areaTwo);
    await harness.run();
    expect(server.inputs()).toEqual([]);
    for (let times = 1; times < declinesUntilHeld; times += 1) {
      clock.advance(clock.nextIn() ?? 0);
      await engine.settled();
    }
    expect(server.inputs()).toEqual(["other"]);
    expect(server.calls.some(({ path }) => path === "/api/area/finish")).toBe(false);
  });
});

describe("S32: what the server said as it would not take a row", () => {
  /** A scan and a finish, each declined once. */
  async function bothDeclined() {
    const { harness, state } = await behindWrongAddress(1);
    const again = () => {
      harness.clock.advance(60_000);
      return harness.run();
    };
    harness.server.chance = ({ path }) => (state.isWrong && path === "/api/area/finish" ? forbidden : null);
    await again();
    const saysOf = async () => {
      const { database } = harness;
      const rows = [
        ...(await database.getAll("pendingScans")),
        ...(await database.getAll("pendingSubmissions")),
      ];
      return rows.map(({ synced, declined }) => [synced, declined?.refusal.error ?? null]);
    };
    return { harness, state, again, saysOf };
  }

  it("is forgotten once it takes the row, and with the row that it refuses for good", async () => {
    const { harness, again, saysOf } = await bothDeclined();
    expect(await saysOf()).toEqual([
      [true, null],
      [false, words],
    ]);
    const body = { error: "The area is closed.", code: "AREA_CLOSED" };
    harness.server.chance = () => ({ kind: "answers", status: 409, body });
    await again();
    expect(await saysOf()).toEqual([
      [true, null],
      [false, null],
    ]);
  });

  it("is no news after a restore, of a row of an earlier release either", async () => {
    const { harness, state, again } = await bothDeclined();
    const { database } = harness;
    state.isWrong = false;
    await again();
    const declined = { refusal: { httpStatus: 403, code: "FORBIDDEN", error: words }, times: 5 };
    for (const row of await database.getAll("pendingScans"))
      await database.put("pendingScans", { ...row, declined });
    expect(await adoptEpoch(database, "another", new Date(harness.clock.now()).toISOString())).toBe(2);
    expect(await harness.unsettledInputs()).toEqual(["code-0"]);
    expect(await readDeclined(database)).toEqual([]);
  });
});
