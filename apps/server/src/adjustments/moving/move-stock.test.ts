import { describe, expect, test } from "vitest";
import { lifeUntil } from "../testing/mortal.ts";
import { type moveOnce, request } from "../testing/moving.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, skuOf } from "../testing/stock-room.ts";

const match = { field: "inventoryAdjustQuantities" };
const hour = 60 * 60 * 1000;

const scene = new StockRoomScene(3);

async function sends() {
  const { calls } = await scene.shop.calls();
  return calls.filter(({ fields }) => fields.includes(match.field));
}

function chunksOf(sessionId: string) {
  return scene.database
    .selectFrom("adjustmentChunks as chunk")
    .innerJoin("adjustments as adjustment", "adjustment.id", "chunk.adjustmentId")
    .selectAll("chunk")
    .where("adjustment.sessionId", "=", sessionId)
    .orderBy("chunk.chunk")
    .orderBy("chunk.attempt")
    .execute();
}

const everythingMoved = [0, 1, 2].map((index) => availableAtStart + deltaOf(index));

describe("what is sent", () => {
  test("again after a call that was lost on the way is the very same bytes with the same key", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "lost", when: "before" }, times: 3 });
    await scene.move(sessionId, "deploy");
    const sent = await sends();
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(await chunksOf(sessionId)).toMatchObject([{ sends: 4, answerLost: true, state: "confirmed" }]);
  });

  test("is nothing more after a lost answer, where every row has moved by then", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "lost", when: "after" }, times: 3 });
    await scene.move(sessionId, "deploy");
    expect(await sends()).toHaveLength(1);
    expect(await chunksOf(sessionId)).toMatchObject([{ sends: 1, answerLost: true, state: "confirmed" }]);
  });

  test("after a refusal is a new attempt with its own key, reference and fresh values", async () => {
    const sessionId = await scene.count();
    await scene.fail({ effect: { kind: "stale" } });
    await scene.move(sessionId, "deploy");
    const chunks = await chunksOf(sessionId);
    expect(chunks.map(({ state, attempt }) => [state, attempt])).toEqual([
      ["replaced", 1],
      ["confirmed", 2],
    ]);
    expect(chunks.map(({ referenceUri }) => referenceUri)).toEqual([
      `gid://stocktake/CycleCount/${sessionId}-1-1`,
      `gid://stocktake/CycleCount/${sessionId}-1-2`,
    ]);
    expect(new Set((await sends()).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  test("names the reason and the reference, and counts chunks through all adjustments of a session", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await scene.move(sessionId, "rollback");
    await scene.move(sessionId, "deploy");
    const { movements } = await scene.shop.movements({ item: skuOf(0) });
    expect(movements.map(({ reason, referenceDocumentUri }) => [reason, referenceDocumentUri])).toEqual([
      ["cycle_count_available", `gid://stocktake/CycleCount/${sessionId}-1-1`],
      ["correction", `gid://stocktake/CycleCount/${sessionId}-2-1`],
      ["cycle_count_available", `gid://stocktake/CycleCount/${sessionId}-3-1`],
    ]);
  });

  /** Another hour passes in each pause, so that 23 of them take some twenty sends. */
  const slowly = { whilePausing: () => scene.room.clock.sleep(hour) };

  test("is never sent again by itself 23 hours after it was first sent; then reading decides", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "lost", when: "before" }, times: "always" });
    expect(await scene.move(sessionId, "deploy", slowly)).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_ERROR" },
    });
    const times = (await sends()).map(({ at }) => Date.parse(at));
    const sendingFor = Math.max(...times) - Math.min(...times);
    expect(sendingFor).toBeLessThan(23 * hour);
    expect(sendingFor).toBeGreaterThan(20 * hour);
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({
      [skuOf(0)]: "not_moved",
      [skuOf(1)]: "not_moved",
      [skuOf(2)]: "not_moved",
    });
  });

  test("and was applied although no answer ever came is found so by reading after 23 hours", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "lost", when: "after" }, times: "always" });
    expect(await scene.move(sessionId, "deploy", slowly)).toMatchObject({ status: "done" });
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({});
    expect(await scene.available()).toEqual(everythingMoved);
  });
});

describe("a deploy of which nothing was moved", () => {
  test.each([
    ["Shopify takes no more requests", { kind: "throttled" }, "PLATFORM_UNAVAILABLE"],
    ["Shopify refuses the access", { kind: "status", status: 401, when: "before" }, "PLATFORM_ERROR"],
  ] as const)("fails when %s, and can be asked for again", async (_name, effect, code) => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect, times: "always" });
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "failed", error: { code } });
    const [failed] = await scene.adjustmentsOf(sessionId);
    expect(failed).toMatchObject({ status: "failed", totalAdjustments: 3 });
    expect(failed?.note).toContain("Shopify");
    await scene.shop.clearFaults();
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "done" });
    expect((await scene.adjustmentsOf(sessionId)).map(({ status }) => status)).toEqual(["applied", "failed"]);
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("fails when Shopify refuses every row", async () => {
    const sessionId = await scene.count();
    for (const index of [0, 1, 2]) {
      await scene.shop.changeVariant({ item: skuOf(index), change: { requiresComponents: true } });
    }
    expect(await scene.move(sessionId, "deploy")).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_ERROR" },
    });
    expect(await scene.available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });

  test("fails when Stocktake is connected to another shop", async () => {
    const sessionId = await scene.count();
    const between: NonNullable<Parameters<typeof moveOnce>[3]>["between"] = (platform) => {
      let calls = 0;
      return {
        ...platform,
        shop: async (signal) => {
          const found = await platform.shop(signal);
          calls += 1;
          // The first is asked by the request, the second by the work.
          return calls === 1 ? found : { ...found, domain: "another.myshopify.com" };
        },
      };
    };
    expect(await scene.move(sessionId, "deploy", { between })).toMatchObject({
      status: "failed",
      error: { code: "SHOP_CHANGED" },
    });
    expect(await sends()).toEqual([]);
  });
});

describe("a deploy of which something may have been moved", () => {
  test.each([
    ["is throttled", { kind: "throttled" }],
    ["is refused the access", { kind: "status", status: 401, when: "before" }],
    ["finds Shopify at fault", { kind: "status", status: 500, when: "before" }],
  ] as const)("goes on however long it %s", async (_name, effect) => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "lost", when: "before" } }, { match, effect, times: 30 });
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "done" });
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({});
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("writes nothing more once another process has taken it over", async () => {
    const sessionId = await scene.count();
    const { database } = scene.room.database;
    let tellSent = () => {};
    const sent = new Promise<void>((resolve) => {
      tellSent = resolve;
    });
    const services = await scene.room.process({
      between: (platform) => ({
        ...platform,
        adjustAvailable: async (adjustment, beforeSend) => {
          const outcome = await platform.adjustAvailable(adjustment, beforeSend);
          const worker = scene.room.admin.userId;
          await database
            .updateTable("operations")
            .set({ worker })
            .where("sessionId", "=", sessionId)
            .execute();
          tellSent();
          return outcome;
        },
      }),
    });
    const operationId = await request(services, scene.room, sessionId, "deploy");
    services.context.operations.wake(operationId);
    await sent;
    await services.close();
    expect(await chunksOf(sessionId)).toMatchObject([{ state: "sent", answerLost: false }]);
    expect(await scene.takeOver(operationId)).toMatchObject({ status: "done" });
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({});
  });

  test("waits for the answer in hand when the server is told to stop", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "hang", when: "after" } });
    const services = await scene.room.process();
    const operationId = await request(services, scene.room, sessionId, "deploy");
    services.context.operations.wake(operationId);
    await scene.shop.untilHanging();
    const closed = services.close();
    await scene.shop.releaseHanging();
    await closed;
    expect(await chunksOf(sessionId)).toMatchObject([{ state: "confirmed", answerLost: false }]);
    expect(await scene.takeOver(operationId)).toMatchObject({ status: "done" });
    expect(await scene.available()).toEqual(everythingMoved);
  });
});

describe("a process that dies while answers are lost", () => {
  test.each([
    { direction: "deploy", idempotencyIgnored: true },
    { direction: "rollback", idempotencyIgnored: false },
  ] as const)(
    "is continued from any seam: %o",
    async ({ direction, idempotencyIgnored }) => {
      for (let seam = 1, how = "died"; how === "died"; seam += 1) {
        const sessionId = await scene.count();
        if (direction === "rollback") await scene.move(sessionId, "deploy");
        const since = await scene.lastMovement();
        await scene.shop.changeSettings({ idempotencyIgnored, replay: "after-staleness" });
        await scene.fail(
          { match, effect: { kind: "lost", when: "before" } },
          { match, effect: { kind: "lost", when: "after" } },
        );
        const operationId = await scene.request(sessionId, direction);
        how = await scene.moveMortally(operationId, lifeUntil(seam));
        if (how === "died") expect(await scene.takeOver(operationId)).toMatchObject({ status: "done" });
        expect(await scene.expectTruth(sessionId, direction, since)).toEqual({});
        await scene.shop.clearFaults();
      }
    },
    // A deploy and its recovery for each of some twenty seams.
    60_000,
  );
});
