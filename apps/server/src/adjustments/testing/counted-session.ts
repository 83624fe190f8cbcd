import type { Transaction } from "../../database/pool.ts";
import { deltaOf, type StockRoom, shelf } from "./stock-room.ts";

/**
 * An ended session that counted every SKU: each differs by `deltaOf` from what the shop has on hand just now. What an
 * inactive level keeps is unseen, as in a snapshot.
 */
export async function countSession(room: StockRoom): Promise<string> {
  const { variants } = await room.shop.snapshot();
  const items = variants.map(({ itemId, levels, sku, id }) => {
    const [level] = levels;
    const onHand = (level?.quantities.available ?? 0) + (level?.quantities.committed ?? 0);
    return { itemId, sku: sku ?? "", variant: id, onHand, stocked: level?.isActive === true };
  });
  return room.database.database.transaction().execute(async (transaction) => {
    const sessionId = await insertSession(transaction, room, items.length);
    await insertItems(transaction, sessionId, items);
    const counts = items.map(({ sku, onHand }, index) => ({
      sessionId,
      sku,
      previousCount: onHand,
      newCount: onHand + deltaOf(index),
      reason: null,
      userId: room.admin.userId,
    }));
    await transaction.insertInto("countAdjustments").values(counts).execute();
    return sessionId;
  });
}

async function insertSession(transaction: Transaction, room: StockRoom, items: number): Promise<string> {
  const { userId } = room.admin;
  // Deleted already, so that every session may have a store of its own at the one location.
  const store = await transaction
    .insertInto("stores")
    .values({ name: shelf, shopifyLocationId: room.locationId, deletedAt: new Date() })
    .returning("id")
    .executeTakeFirstOrThrow();
  const session = await transaction
    .insertInto("sessions")
    .values({
      storeId: store.id,
      status: "closed",
      scope: "full",
      shopDomain: room.emulator.store.shop.myshopifyDomain,
      shopifyLocationId: room.locationId,
      currency: "USD",
      items,
      startSnapshotAt: new Date(),
      endSnapshotAt: new Date(),
      endedAt: new Date(),
      startedBy: userId,
      endedBy: userId,
      areaCount: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return session.id;
}

interface CountedItem {
  readonly itemId: string;
  readonly sku: string;
  readonly variant: string;
  readonly onHand: number;
  readonly stocked: boolean;
}

async function insertItems(
  transaction: Transaction,
  sessionId: string,
  items: readonly CountedItem[],
): Promise<void> {
  const rows = items.map(({ itemId, sku, variant, onHand, stocked }) => ({
    sessionId,
    sku,
    plainSku: sku,
    inventoryItemId: itemId,
    variantNumber: variant,
    barcode: null,
    productTitle: "Jacket",
    size: null,
    image: null,
    startOnHand: stocked ? onHand : 0,
    endOnHand: stocked ? onHand : 0,
    unitCostCents: 100,
    tracked: true,
    bundle: false,
    stocked,
  }));
  await transaction.insertInto("sessionItems").values(rows).execute();
}
