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

function lastChunk() {
  const chunks = scene.database.selectFrom("adjustmentChunks").selectAll();
  return chunks.orderBy("createdAt", "desc").limit(1).executeTakeFirst();
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
  test.each([
    ["sends nothing of what it was about to record as sent", 1],
    ["sends nothing of what it had recorded as sent", 2],
  ])("%s", async (_name, askedLast) => {
    const { node, sessionId, since, operationId } = await beginElsewhere({});
    const work = moveWork(node.context, "deploy");
    const noticed = signalled();
    node.context.operations.register("deploy", {
      ...work,
      run: (job) => {
        const lost = new AbortController();
        let asked = 0;
        const checkLease = () => {
          asked += 1;
          if (asked < askedLast) return;
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
    expect(await lastChunk()).toMatchObject({
      state: askedLast === 1 ? "intended" : "sent",
      sends: askedLast - 1,
    });
    await endHere(operationId);
    expect(await sends()).toHaveLength(1);
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("sends nothing that was still waiting its turn when another took the deploy up, for which it was not sent", async () => {
    const [waiting, goOn] = [signalled(), signalled()];
    const { node, sessionId, since, operationId } = await beginElsewhere({
      between: (platform) => ({
        ...platform,
        // As it waits for a token, and for the points that Shopify allows.
        adjustAvailable: async (call, beforeSend) => {
          waiting.give();
          await goOn.given;
          return platform.adjustAvailable(call, beforeSend);
        },
      }),
    });
    node.context.operations.wake(operationId);
    await waiting.given;
    await endHere(operationId);
    goOn.give();
    await node.close();
    expect(await sends()).toHaveLength(1);
    expect(await lastChunk()).toMatchObject({ state: "confirmed", attempt: 1, sends: 1, answerLost: false });
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("moves nothing twice by a call that was on its way, and the history says who took the deploy up", async () => {
    const [sending, goOn] = [signalled(), signalled()];
    const { node, sessionId, since, operationId } = await beginElsewhere({
      between: (platform) => ({
        ...platform,
        adjustAvailable: (call, beforeSend) =>
          platform.adjustAvailable(call, async () => {
            await beforeSend();
            sending.give();
            await goOn.given;
          }),
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
