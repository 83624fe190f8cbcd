import { describe, expect, test } from "vitest";
import { moveBy } from "../testing/late-sales.ts";
import { lifeUntil } from "../testing/mortal.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { deltaOf } from "../testing/stock-room.ts";

const size = 3;
const scene = new StockRoomScene(size);
const anHourMs = 3_600_000;

/** A deploy whose process has died at a seam, an hour ago. */
async function diedAnHourAgo(seam: number) {
  const sessionId = await scene.count();
  const since = await scene.lastMovement();
  const operationId = await scene.request(sessionId, "deploy");
  expect(await scene.moveMortally(operationId, lifeUntil(seam))).toBe("died");
  await scene.room.clock.sleep(anHourMs);
  return { sessionId, operationId, since };
}

// The sixth seam is before the commit that records the send, the seventh after it, the eighth has Shopify's answer.
const recordedAsSent = 7;
const sent = 8;

describe("a process died an hour ago, and rows have moved by just their deltas", () => {
  test("by what it had sent: all of them are confirmed", async () => {
    const { sessionId, operationId, since } = await diedAnHourAgo(sent);
    expect((await scene.takeOver(operationId)).status).toBe("done");
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
    const { movements } = await scene.shop.movements({ after: since });
    expect(movements).toHaveLength(size);
  });

  test("long after it had recorded that it would send: a person is asked, however many they are", async () => {
    const { sessionId, operationId, since } = await diedAnHourAgo(recordedAsSent);
    for (let index = 0; index < size; index += 1) await moveBy(scene.room, index, deltaOf(index));
    expect((await scene.takeOver(operationId)).status).toBe("done");
    const open = await scene.expectTruth(sessionId, "deploy", since);
    expect(Object.values(open)).toEqual(["unclear", "unclear", "unclear"]);
    expect((await scene.adjustmentOf(sessionId)).status).toBe("partial");
  });
});
