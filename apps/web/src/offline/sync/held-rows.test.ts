import { describe, expect, it } from "vitest";
import { declinesUntilHeld } from "../database/records.ts";
import { readDeclined, readSetAside } from "../outbox/read.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";

const areaTwo = { ...areaOne, areaId: "area-2", areaCode: "A2" };
const words = "This request came from another site and was refused.";
const forbidden = { kind: "answers", status: 403, body: { error: words, code: "FORBIDDEN" } } as const;

/** The server refuses one kind of operation by a 403 for as long as the test says. */
function decline({ server }: EngineHarness, path: string): { isOver: boolean } {
  const state = { isOver: false };
  server.chance = (call) => (call.path === path && !state.isOver ? forbidden : null);
  return state;
}

/** A reset of area 1 that is declined, a scan in area 1 after it, and two scans and a finish in area 2. */
async function declinedReset() {
  const harness = await createEngineHarness();
  const state = decline(harness, "/api/area/reset");
  const before = await harness.scan("before");
  await harness.operate({ kind: "reset", area: areaOne });
  const since = await harness.scan("since", { ...areaOne, pass: 2 });
  await harness.scan("other", areaTwo);
  await harness.scan("another", areaTwo);
  await harness.operate({ kind: "finish", area: areaTwo, declaredTotal: 2 });
  return { harness, state, before, since };
}

async function declineUntilHeld({ engine, clock }: EngineHarness) {
  engine.wake();
  await engine.settled();
  for (let times = 1; times < declinesUntilHeld; times += 1) {
    clock.advance(clock.nextIn() ?? 0);
    await engine.settled();
  }
}

describe("S32: an operation that the server declines for a reason that may pass", () => {
  it("keeps the whole queue waiting at first, in order, and says why", async () => {
    const { harness } = await declinedReset();
    await harness.run();
    expect(harness.server.inputs()).toEqual(["before"]);
    expect(harness.events.at(-1)).toEqual({ type: "stopped", reason: "declined" });
    expect(await readDeclined(harness.database)).toMatchObject([
      { row: { kind: "reset", areaCode: "A1" }, refusal: { error: words }, behind: 1 },
    ]);
  });

  it("keeps only its own area waiting where that lasts, and loses nothing", async () => {
    const { harness, since } = await declinedReset();
    await declineUntilHeld(harness);
    expect(harness.server.inputs()).toEqual(["before", "other", "another"]);
    expect(harness.server.closedAreas.has("A2")).toBe(true);
    expect(await harness.scanRow(since.id)).toMatchObject({ synced: false, refusal: null, pass: 2 });
    expect(await readSetAside(harness.database)).toEqual({ scans: [], operations: [] });
    expect(harness.events.at(-1)).toEqual({ type: "drained" });
  });

  it("is not sent again for each new row, but after a minute, and then what waited follows it in order", async () => {
    const { harness, state, since } = await declinedReset();
    await declineUntilHeld(harness);
    const resets = () => harness.server.calls.filter(({ path }) => path === "/api/area/reset").length;
    await harness.scan("later", areaOne);
    await harness.run();
    expect(resets()).toBe(declinesUntilHeld);
    harness.clock.advance(60_000);
    await harness.run();
    expect(resets()).toBe(declinesUntilHeld + 1);
    state.isOver = true;
    harness.clock.advance(60_000);
    await harness.run();
    expect(await harness.scanRow(since.id)).toMatchObject({
      acknowledgement: { status: "counted" },
      synced: true,
    });
    expect(await harness.unsettledInputs()).toEqual([]);
    expect(await readDeclined(harness.database)).toEqual([]);
  });

  it.each([
    ["a person asks", (harness: EngineHarness) => harness.engine.retryNow()],
    [
      "another login is there",
      (harness: EngineHarness) => {
        harness.engine.setLogin(null);
        harness.engine.setLogin("user-2");
      },
    ],
  ])("is tried again at once where %s", async (_what, ask) => {
    const { harness, state } = await declinedReset();
    await declineUntilHeld(harness);
    state.isOver = true;
    ask(harness);
    await harness.engine.settled();
    expect(await harness.unsettledInputs()).toEqual([]);
  });

  it("after a reload waits at once, without keeping other areas waiting again", async () => {
    const { harness } = await declinedReset();
    await declineUntilHeld(harness);
    await harness.scan("after the reload", areaTwo);
    const tab = harness.openSecondTab();
    await tab.engine.settled();
    expect(harness.server.inputs()).toContain("after the reload");
    expect(tab.events.at(-1)).toEqual({ type: "drained" });
  });

  it("waits no longer than a minute by a clock that was set back meanwhile", async () => {
    const { harness, state } = await declinedReset();
    await declineUntilHeld(harness);
    state.isOver = true;
    harness.clock.setBy(-3_600_000);
    await harness.run();
    expect(await harness.unsettledInputs()).toEqual([]);
  });
});
