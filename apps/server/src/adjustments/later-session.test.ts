import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { requestEnd } from "../sessions/end-session.ts";
import { lockSession } from "../sessions/queries.ts";
import { requestDeploy } from "./request-deploy.ts";
import { moveOnce } from "./testing/moving.ts";
import {
  availableAtStart,
  countSession,
  deltaOf,
  openStockRoom,
  type StockRoom,
  shelf,
  skuOf,
} from "./testing/stock-room.ts";

const sku = skuOf(0);
let room: StockRoom;

beforeAll(async () => {
  room = await openStockRoom(2);
});
beforeEach(() => room.shop.reset());
afterAll(() => room.close());

const available = async () => (await room.shop.stock({ item: sku, location: shelf })).available;

/** An ended session of the same Shopify location that counted nothing yet. */
async function countNothing(): Promise<string> {
  const sessionId = await countSession(room);
  const { database } = room.database;
  await database.deleteFrom("count_adjustments").where("session_id", "=", sessionId).execute();
  await database.updateTable("sessions").set({ scope: "partial" }).where("id", "=", sessionId).execute();
  return sessionId;
}

async function countByHand(sessionId: string, newCount: number): Promise<void> {
  await room.database.database
    .insertInto("count_adjustments")
    .values({ session_id: sessionId, sku, previous_count: 0, new_count: newCount, reason: null, user_id: room.admin.userId })
    .execute();
}

describe("two sessions of one Shopify location", () => {
  test("move a SKU once that the later one counts only after the earlier one was deployed", async () => {
    const earlier = await countSession(room);
    const later = await countNothing();
    await moveOnce(room, earlier, "deploy");
    expect(await available()).toBe(availableAtStart + deltaOf(0));
    await countByHand(later, availableAtStart + 2 + deltaOf(0));
    const requested = await requestDeploy(room.server.context, room.admin, later, false);
    expect(requested.total).toBe(0);
  });

  test("are never deployed and ended at once, whatever stores they belong to", async () => {
    const { database } = room.database;
    const both: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      await room.shop.reset();
      const ended = await countSession(room);
      const running = await countNothing();
      await database.updateTable("sessions").set({ status: "active", ended_at: null }).where("id", "=", running).execute();
      const session = await database.transaction().execute((transaction) => lockSession(transaction, running));
      await database.updateTable("stores").set({ deleted_at: null }).where("id", "=", session.store_id).execute();
      const results = await Promise.allSettled([
        requestDeploy(room.server.context, room.admin, ended, false),
        requestEnd(room.server.context, session, room.admin.userId),
      ]);
      both.push(results.map(({ status }) => status).join());
      await database.updateTable("operations").set({ status: "failed" }).where("status", "=", "running").execute();
      await database.updateTable("adjustments").set({ status: "failed" }).where("status", "=", "pending").execute();
      await database.updateTable("stores").set({ deleted_at: new Date() }).where("id", "=", session.store_id).execute();
      await database.updateTable("sessions").set({ status: "closed", ended_at: new Date() }).where("id", "=", running).execute();
    }
    expect(both).not.toContain("fulfilled,fulfilled");
  });
});
