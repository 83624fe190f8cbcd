import { describe, expect, it } from "vitest";
import { declinesUntilHeld } from "../database/records.ts";
import { readDeclined, readSetAside } from "../outbox/read.ts";
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
