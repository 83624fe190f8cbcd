import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countSession } from "../testing/counted-session.ts";
import { lifeUntil } from "../testing/mortal.ts";
import { adjustmentsOf, expectTruth, moveMortally, moveOnce, request, takeOver } from "../testing/moving.ts";
import {
  availableAtStart,
  deactivateEarlier,
  deltaOf,
  lastMovement,
  openStockRoom,
  type StockRoom,
  shelf,
  skuOf,
} from "../testing/stock-room.ts";

/** Found at the location, where Shopify does not stock them; the third one is stocked. */
const found = [skuOf(0), skuOf(1)];

let room: StockRoom;
beforeAll(async () => {
  room = await openStockRoom(3);
});
afterAll(() => room.close());
beforeEach(async () => {
  await room.shop.reset();
  await deactivateEarlier(room, found);
});

/** A deploy that stocks what was found, asked for and not begun. */
async function requested() {
  const sessionId = await countSession(room);
  await room.clock.sleep(60_000);
  const since = await lastMovement(room);
  const operationId = await request(room.server, room, sessionId, "deploy", { stockFound: true });
  return { sessionId, since, operationId };
}

const levelOf = (item: string) => room.shop.stock({ item, location: shelf });

async function expectStocked(): Promise<void> {
  for (const [index, item] of found.entries()) {
    expect(await levelOf(item)).toMatchObject({
      isActive: true,
      available: availableAtStart + deltaOf(index),
    });
  }
}

/** The chunk's own twelve; one before and one after the intent; for each item its call and what came of it. */
const seams = Array.from({ length: 12 + 2 + 4 * found.length }, (_nothing, index) => index + 1);

describe("a deploy that stocks what was found", () => {
  test.each(seams)("goes on by itself when its process dies at seam %i", async (seam) => {
    const { sessionId, since, operationId } = await requested();
    expect(await moveMortally(room, operationId, lifeUntil(seam))).toBe("died");
    expect((await takeOver(room, operationId)).status).toBe("done");
    expect(await expectTruth(room, sessionId, "deploy", since)).toEqual({});
    await expectStocked();
    const [adjustment] = await adjustmentsOf(room, sessionId);
    expect(adjustment?.note).toContain("2 SKUs were stocked at this location");
    await moveOnce(room, sessionId, "rollback");
    for (const item of found) {
      expect(await levelOf(item)).toMatchObject({ isActive: true, available: availableAtStart });
    }
  });

  test("has no seam beyond these", async () => {
    const { operationId } = await requested();
    const life = lifeUntil(Number.POSITIVE_INFINITY);
    expect(await moveMortally(room, operationId, life)).toBe("ended");
    expect(life.seams).toBe(seams.length);
  });
});

/** The seam before the first call goes out, and the one after it was made and before that is written down. */
const [unsent, unrecorded] = [5, 6];

describe("an item whose process died around its call", () => {
  test.each([unsent, unrecorded])(
    "is left alone where its stock has changed by the time another one goes on (seam %i)",
    async (seam) => {
      const { sessionId, since, operationId } = await requested();
      expect(await moveMortally(room, operationId, lifeUntil(seam))).toBe("died");
      // Somebody has stocked it by hand, with what was counted.
      await room.shop.activateLevel({ item: skuOf(0), location: shelf });
      const counted = availableAtStart + deltaOf(0);
      await room.shop.setStock({ item: skuOf(0), location: shelf, quantities: { available: counted } });
      await takeOver(room, operationId);
      expect(await expectTruth(room, sessionId, "deploy", since)).toEqual({ [skuOf(0)]: "not_moved" });
      expect((await levelOf(skuOf(0))).available).toBe(counted);
    },
  );
});
