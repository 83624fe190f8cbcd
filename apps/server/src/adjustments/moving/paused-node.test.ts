import { describe, expect, test } from "vitest";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, type ProcessOptions } from "../testing/stock-room.ts";
import { moveWork } from "./move-stock.ts";

const scene = new StockRoomScene(3);
const everythingMoved = [0, 1, 2].map((index) => availableAtStart + deltaOf(index));
const longMs = 60_000;

function signalled() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

async function sends() {
  const { calls } = await scene.shop.calls();
  return calls.filter(({ fields }) => fields.includes("inventoryAdjustQuantities"));
}

/** Begins a deploy on another node than the one that runs all the time. */
async function beginElsewhere(options: ProcessOptions) {
  const node = await scene.room.process(options);
  const sessionId = await scene.count();
  const since = await scene.lastMovement();
  const operationId = await scene.request(sessionId, "deploy");
  return { node, sessionId, since, operationId };
}

/** The lease of a node that says nothing any more runs out, and another takes its deploy up and ends it. */
async function endHere(operationId: string): Promise<void> {
  await scene.database
    .updateTable("operations")
    .set({ leaseUntil: new Date(0) })
    .where("id", "=", operationId)
    .execute();
  await scene.context.operations.sweep();
  expect(await scene.context.operations.waitForEnd(operationId, longMs)).toMatchObject({ status: "done" });
}

describe("a node that is paused during a deploy for longer than its lease", () => {
  test("sends nothing of what it had recorded as sent", async () => {
    const { node, sessionId, since, operationId } = await beginElsewhere({});
    const work = moveWork(node.context, "deploy");
    const noticed = signalled();
    node.context.operations.register("deploy", {
      ...work,
      run: (job) => {
        const lost = new AbortController();
        const checkLease = () => {
          lost.abort(new Error("The lease was not renewed in time."));
          noticed.give();
          lost.signal.throwIfAborted();
        };
        return work.run({ ...job, signal: lost.signal, checkLease });
      },
    });
    node.context.operations.wake(operationId);
    await noticed.given;
    await node.close();
    expect(await sends()).toHaveLength(0);
    await endHere(operationId);
    expect(await sends()).toHaveLength(1);
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("moves nothing twice by a call that was on its way, and the history says who took the deploy up", async () => {
    const [sending, goOn] = [signalled(), signalled()];
    const { node, sessionId, since, operationId } = await beginElsewhere({
      between: (platform) => ({
        ...platform,
        adjustAvailable: async (call) => {
          sending.give();
          await goOn.given;
          return platform.adjustAvailable(call);
        },
      }),
    });
    node.context.operations.wake(operationId);
    await sending.given;
    await endHere(operationId);
    goOn.give();
    await node.close();
    expect(await sends()).toHaveLength(2);
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
    expect(await scene.available()).toEqual(everythingMoved);
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({
      status: "applied",
      note: expect.stringContaining("another server process took it up"),
    });
  });
});
