import type { FastifyBaseLogger } from "fastify";
import { type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ChangedLevel, ShopifyPlatform } from "../shopify/shopify.ts";
import { keepChanges } from "./stock-readings.ts";

/** Reads how stock moves at the Shopify locations that are being counted, for the variance at the time of counting. */
export interface StockWatch {
  /**
   * Reads what changed since the last reading, for every running session or those of one Shopify location. Readings
   * asked for at the same time share one. A session that can't be read is logged and read again the next time.
   */
  read(shopifyLocationId?: string): Promise<void>;
}

export interface StockWatchOptions {
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

type WatchedSession = Pick<
  Selectable<SessionsTable>,
  "id" | "shopifyLocationId" | "startSnapshotAt" | "stockReadAt"
>;

export function createStockWatch(options: StockWatchOptions): StockWatch {
  const underWay = new Map<string, Promise<void>>();

  async function readOnce(session: WatchedSession): Promise<void> {
    const reading = underWay.get(session.id) ?? readSession(options, session);
    underWay.set(session.id, reading);
    try {
      await reading;
    } catch (error) {
      options.logger.warn({ err: error, session: session.id }, "The movement of stock could not be read");
    } finally {
      underWay.delete(session.id);
    }
  }

  return {
    read: async (shopifyLocationId) => {
      for (const session of await watchedSessions(options.database, shopifyLocationId))
        await readOnce(session);
    },
  };
}

function watchedSessions(
  database: Database,
  shopifyLocationId: string | undefined,
): Promise<WatchedSession[]> {
  return database
    .selectFrom("sessions")
    .innerJoin("installation", "installation.shopDomain", "sessions.shopDomain")
    .select(["id", "shopifyLocationId", "startSnapshotAt", "stockReadAt"])
    .where("status", "in", ["active", "ending"])
    .$if(shopifyLocationId !== undefined, (query) =>
      query.where("shopifyLocationId", "=", shopifyLocationId ?? ""),
    )
    .execute();
}

async function readSession(
  { database, platform, clock }: StockWatchOptions,
  { id, shopifyLocationId: locationId, startSnapshotAt, stockReadAt }: WatchedSession,
): Promise<void> {
  const beganAt = new Date(clock.now());
  const levels: ChangedLevel[] = [];
  for await (const batch of platform.changedLevels(locationId, stockReadAt ?? startSnapshotAt)) {
    levels.push(...batch);
  }
  const readAt = new Date(clock.now());
  await database.transaction().execute(async (transaction) => {
    const session = await transaction
      .selectFrom("sessions")
      .select("id")
      .where("id", "=", id)
      .where("status", "<>", "closed")
      // Another node may have read further meanwhile; then this reading is an old one.
      .where(sql<boolean>`stock_read_at is not distinct from ${stockReadAt}`)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (session === undefined) return;
    await keepChanges(transaction, id, levels, readAt);
    await transaction.updateTable("sessions").set({ stockReadAt: beganAt }).where("id", "=", id).execute();
  });
}
