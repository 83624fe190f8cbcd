import type { Adjustment } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { nodeErrorMs } from "../../kernel/clock.ts";
import { request } from "../testing/moving.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, skuOf } from "../testing/stock-room.ts";

const match = { field: "inventoryAdjustQuantities" };
const minute = 60_000;

const scene = new StockRoomScene(3);

const everythingMoved = [0, 1, 2].map((index) => availableAtStart + deltaOf(index));
const nothingMoved = [availableAtStart, availableAtStart, availableAtStart];

/** 429 with Retry-After, in seconds. */
const tooMany = (retryAfter: number) =>
  ({ kind: "status", status: 429, when: "before", retryAfter }) as const;

async function sends() {
  const { calls } = await scene.shop.calls();
  return calls.filter(({ fields }) => fields.includes(match.field));
}

const sentAt = async () => (await sends()).map(({ at }) => Date.parse(at));

/** What a page sees of a session's deploy in each pause of it. */
function watched(sessionId: string) {
  const seen: NonNullable<Adjustment["waiting"]>[] = [];
  const whilePausing = async () => {
    const [adjustment] = await scene.adjustmentsOf(sessionId);
    const { waiting } = adjustment ?? {};
    if (waiting !== null && waiting !== undefined) seen.push(waiting);
  };
  return { seen, whilePausing };
}

function signalled() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describe("a deploy that Shopify asks to wait", () => {
  test.each([
    ["429 with Retry-After", tooMany(300), 300_000],
    ["THROTTLED", { kind: "throttled" }, 1000],
  ] as const)(
    "goes on after %s three times in a row, as late as it was told to, with the same bytes",
    async (_name, effect, pause) => {
      const sessionId = await scene.count();
      await scene.fail({ match, effect, times: 3 });
      const { seen, whilePausing } = watched(sessionId);
      expect(await scene.move(sessionId, "deploy", { whilePausing })).toMatchObject({
        status: "done",
        waiting: null,
      });
      const sent = await sends();
      expect(sent).toHaveLength(4);
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
      const times = await sentAt();
      for (const [index, at] of times.entries()) {
        if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(pause);
      }
      expect(new Set(seen.map(({ reason }) => reason))).toEqual(new Set(["throttled"]));
      // It is of the database's time, which this process knows to within `nodeErrorMs`; the emulator's is the machine's.
      const until = Date.parse(seen[0]?.until ?? "");
      expect(until).toBeGreaterThanOrEqual((times[0] ?? 0) + pause - nodeErrorMs);
      expect(until).toBeLessThanOrEqual((times[1] ?? 0) + nodeErrorMs);
      expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "applied", waiting: null });
      expect(await scene.available()).toEqual(everythingMoved);
    },
  );

  test("shows the wait that a reading is asked for too", async () => {
    const sessionId = await scene.count();
    const operationId = await scene.request(sessionId, "deploy");
    await scene.fail({ match: { kind: "query" }, effect: tooMany(30), times: 3 });
    const { seen, whilePausing } = watched(sessionId);
    const services = await scene.room.process({ whilePausing });
    await services.context.operations.sweep("alone");
    expect(await services.context.operations.waitForEnd(operationId, 10 * minute)).toMatchObject({
      status: "done",
    });
    await services.close();
    expect(seen.map(({ reason }) => reason)).toContain("throttled");
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("that has moved nothing is given up after an hour, and can be asked for again", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "throttled" }, times: "always" });
    expect(await scene.move(sessionId, "deploy")).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_UNAVAILABLE", error: expect.stringContaining("more than an hour") },
    });
    const times = await sentAt();
    const triedFor = Math.max(...times) - Math.min(...times);
    expect(triedFor).toBeGreaterThan(55 * minute);
    expect(triedFor).toBeLessThanOrEqual(60 * minute);
    expect(await scene.available()).toEqual(nothingMoved);
    await scene.shop.clearFaults();
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "done" });
    expect(await scene.available()).toEqual(everythingMoved);
  });

  test("for longer than an hour fails at once", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: tooMany(2 * 3600), times: "always" });
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "failed" });
    expect(await sends()).toHaveLength(1);
  });

  test("does not ask earlier after a restart, and gives up an hour after the first of both processes' tries", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: tooMany(2000), times: "always" });
    const { seen, whilePausing } = watched(sessionId);
    const [paused, goOn] = [signalled(), signalled()];
    const services = await scene.room.process({
      whilePausing: async () => {
        await whilePausing();
        if (seen.length === 0) return;
        paused.give();
        await goOn.given;
      },
    });
    const operationId = await request(services, scene.room, sessionId, "deploy");
    services.context.operations.wake(operationId);
    await paused.given;
    const stopped = services.context.operations.close();
    goOn.give();
    await stopped;
    await services.close();
    expect(await sends()).toHaveLength(1);
    expect(await scene.takeOver(operationId)).toMatchObject({ status: "failed" });
    const times = await sentAt();
    expect(times).toHaveLength(2);
    // One process wrote when it may go on, the other read it, each by the database's time as it knows it.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_000_000 - 2 * nodeErrorMs);
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({
      [skuOf(0)]: "not_moved",
      [skuOf(1)]: "not_moved",
      [skuOf(2)]: "not_moved",
    });
  });
});

describe("a deploy that Shopify does not serve", () => {
  test("and that has moved nothing is given up after seconds, as a person waits", async () => {
    const sessionId = await scene.count();
    await scene.fail({ match, effect: { kind: "status", status: 503, when: "before" } });
    await scene.fail({ match: { kind: "query" }, effect: { kind: "lost", when: "before" }, times: "always" });
    const operation = await scene.move(sessionId, "deploy");
    expect(operation).toMatchObject({ status: "failed", error: { code: "PLATFORM_UNAVAILABLE" } });
    expect(await sends()).toEqual([]);
  });
});
