import { limits } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import { nextStep, type Sendable, type Step, withoutHeld } from "./next-step.ts";

const areaTwo = { ...areaOne, areaId: "area-2", areaCode: "A2" };
const elsewhere = { ...areaOne, sessionId: "session-2", areaCode: "B1" };

/** The codes of the scans that go, or the kind of what goes. */
function named(step: Step): readonly string[] | string {
  switch (step.kind) {
    case "scans":
      return step.scans.map(({ input }) => input);
    case "operation":
      return `${step.operation.kind} ${step.operation.areaCode}`;
    case "nothing":
      return "nothing";
  }
}

async function device() {
  const harness = await createEngineHarness();
  const finish = (area = areaOne) => harness.operate({ kind: "finish", area, declaredTotal: 1 });
  const next = async (maySend: Sendable = () => true) =>
    named(nextStep(await harness.reader.unsettled(), maySend));
  return { ...harness, finish, next };
}

describe("S9, S10, S17: what is sent next", () => {
  it("is nothing where nothing waits or may be sent", async () => {
    const { finish, next, scan } = await device();
    expect(await next()).toBe("nothing");
    await scan("one");
    await finish();
    expect(await next(() => false)).toBe("nothing");
  });

  it("is the scans of a session up to its next operation, whatever another session does in between", async () => {
    const { finish, next, scan } = await device();
    await scan("one");
    await finish(elsewhere);
    await scan("theirs", elsewhere);
    await scan("two");
    await finish();
    await scan("three");
    expect(await next()).toEqual(["one", "two"]);
    expect(await next((session) => session === "session-2")).toBe("finish B1");
  });

  it("is no more scans than one call takes", async () => {
    const { scan } = await device();
    const one = await scan("one");
    const scans = Array.from({ length: limits.scansPerCall + 1 }, (_, index) => ({ ...one, order: index }));
    expect(named(nextStep({ scans, operations: [] }, () => true))).toHaveLength(limits.scansPerCall);
  });

  it("is an operation that was made before the first scan", async () => {
    const { finish, next, scan } = await device();
    await finish(elsewhere);
    await scan("one");
    expect(await next()).toBe("finish B1");
    expect(await next((session) => session === "session-1")).toEqual(["one"]);
  });
});

describe("S32: what waits behind an operation that is held", () => {
  it("is what was done in its area since, and nothing else", async () => {
    const { finish, reader, scan } = await device();
    await scan("before");
    await finish();
    await scan("between");
    await finish();
    for (const [input, area] of [
      ["since", areaOne],
      ["other area", areaTwo],
      ["other session", elsewhere],
    ] as const)
      await scan(input, area);
    await finish(areaTwo);
    const unsettled = await reader.unsettled();
    expect({ ...unsettled, ...withoutHeld(unsettled, () => false) }).toEqual(unsettled);
    const { scans, operations } = withoutHeld(unsettled, (row) => "kind" in row && row.areaId === "area-1");
    expect(scans.map(({ input }) => input)).toEqual(["before", "other area", "other session"]);
    expect(operations.map(({ areaCode }) => areaCode)).toEqual(["A2"]);
  });
});
