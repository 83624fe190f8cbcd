import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ShopifyPlatform } from "../platform/shopify.ts";
import { listAdjustmentsOf } from "./history.ts";
import { leaveUnmovedRows } from "./leave-rows.ts";
import { presentAdjustment } from "./present.ts";
import { expectTruth, moveOnce } from "./testing/moving.ts";
import { disturbedBy, provoke, type FaultCase } from "./testing/fault-cases.ts";
import { countSession, openStockRoom, type StockRoom, shelf, skuOf } from "./testing/stock-room.ts";

let room: StockRoom;
beforeAll(async () => {
  room = await openStockRoom(3);
});
beforeEach(() => room.shop.reset());
afterAll(() => room.close());

test("late refusal", async () => {
  const sessionId = await countSession(room);
  let send = 0;
  const between = (platform: ShopifyPlatform): ShopifyPlatform => ({
    ...platform,
    adjustAvailable: async (request, signal) => {
      send += 1;
      if (send > 1)
        return { kind: "userErrors", groupId: null, changes: [], errors: [{ code: "INVALID_LOCATION", message: "no", field: [], changeIndex: null }] };
      return platform.adjustAvailable(request, signal);
    },
  });
  await provoke(room, { name: "", faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "hang", when: "before", applyLate: true } }] });
  const operation = await moveOnce(room, sessionId, "deploy", { between });
  console.log(operation);
  await room.shop.releaseHanging();
  await new Promise((r) => setTimeout(r, 300));
  console.log(await expectTruth(room, sessionId, "deploy", 0));
});

test("leave while rollback unclear", async () => {
  const sessionId = await countSession(room);
  await room.shop.addFaults({ faults: [{ effect: { kind: "stale", skus: [skuOf(0)] }, times: "always" }] });
  await moveOnce(room, sessionId, "deploy");
  await room.shop.clearFaults();
  await room.clock.sleep(60_000);
  const fault: FaultCase = {
    name: "x",
    settings: { idempotencyIgnored: true },
    faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "lost", when: "after" } }],
    afterSend: async ({ shop, clock }, send) => {
      if (send !== 1) return;
      await clock.sleep(5000);
      await shop.sell({ item: skuOf(1), location: shelf, quantity: 1 });
    },
  };
  await provoke(room, fault);
  await moveOnce(room, sessionId, "rollback", disturbedBy(fault, room));
  const list = async () => (await listAdjustmentsOf(room.database.database, sessionId)).map(presentAdjustment);
  console.log(await list());
  console.log(await leaveUnmovedRows(room.server.context, room.admin, (await list())[0]?._id ?? ""));
});
