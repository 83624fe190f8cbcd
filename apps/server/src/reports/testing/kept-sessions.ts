import type { Selectable } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { SessionsTable } from "../../database/tables.ts";

export type KeptSession = Selectable<SessionsTable>;

const at = (hour: number) => new Date(Date.UTC(2026, 2, 1, hour));

/** Sessions of one store, put into the database as they are asked for: what the product itself never makes as well. */
export interface KeptSessions {
  readonly userId: string;
  /** The ids of its areas, by name. */
  readonly areas: Readonly<Record<"Front" | "Back", string>>;
  keep(
    change?: Partial<
      Pick<KeptSession, "status" | "scope" | "basis" | "shopDomain" | "shopifyLocationId" | "endedAt">
    >,
  ): Promise<KeptSession>;
  /** An item of a session, by its SKU; `end` null: it was not read at the end. */
  item(
    sessionId: string,
    sku: string,
    stock?: { readonly start?: number; readonly end?: number | null },
  ): Promise<void>;
  /** Units that were scanned, at these hours of the day. */
  scanned(
    sessionId: string,
    sku: string,
    quantity: number,
    more?: {
      readonly area?: "Front" | "Back";
      readonly pass?: number;
      readonly from?: number;
      readonly to?: number;
      readonly unknownTimes?: number;
    },
  ): Promise<void>;
  byHand(sessionId: string, sku: string, newCount: number): Promise<void>;
}

export async function openKeptSessions(database: Database): Promise<KeptSessions> {
  const { id: userId } = await database
    .insertInto("users")
    .values({ username: "admin", role: "admin", passwordHash: null, invitationId: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: storeId } = await database
    .insertInto("stores")
    .values({ name: "High Street", shopifyLocationId: "gid://1" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: locationId } = await database
    .insertInto("locations")
    .values({ storeId, name: "Floor" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const areaIn = async (name: string) => {
    const place = { storeId, locationId, code: name, name, closedBy: null };
    return (await database.insertInto("areas").values(place).returning("id").executeTakeFirstOrThrow()).id;
  };
  const areas = { Front: await areaIn("Front"), Back: await areaIn("Back") };
  return {
    userId,
    areas,
    keep: (change = {}) =>
      database
        .insertInto("sessions")
        .values({
          ...{ storeId, status: "closed", scope: "full", shopDomain: "shop", shopifyLocationId: "gid://1" },
          ...{ currency: "USD", items: 0, startSnapshotAt: at(8), endSnapshotAt: at(12), endedAt: at(12) },
          ...{ startedBy: null, endedBy: null, ...change },
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    async item(sessionId, sku, { start = 0, end = 0 } = {}) {
      const item = { sessionId, sku, plainSku: sku, inventoryItemId: `item ${sku}`, variantNumber: sku };
      const shown = { barcode: null, productTitle: "Tee", size: null, image: null, unitCostCents: null };
      const stock = {
        startOnHand: start,
        startAvailable: start,
        endOnHand: end,
        tracked: true,
        bundle: false,
        stocked: true,
      };
      await database
        .insertInto("sessionItems")
        .values({ ...item, ...shown, ...stock })
        .execute();
    },
    async scanned(
      sessionId,
      sku,
      quantity,
      { area = "Front", pass = 1, from = 9, to = from, unknownTimes = 0 } = {},
    ) {
      const times = { firstCountedAt: at(from), lastCountedAt: at(to), unknownTimes };
      const total = { sessionId, areaId: areas[area], pass, sku, quantity, ...times };
      await database.insertInto("scanTotals").values(total).execute();
    },
    async byHand(sessionId, sku, newCount) {
      const count = { sessionId, sku, previousCount: 0, newCount, reason: null, userId };
      await database.insertInto("countAdjustments").values(count).execute();
    },
  };
}
