import type { FastifyBaseLogger } from "fastify";
import { type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import type { Clock } from "../kernel/clock.ts";
import { withDeadline } from "../kernel/deadline.ts";
import type { ChangedLevel, LiveLevel, ShopifyPlatform, ShopTime } from "../shopify/shopify.ts";
import { firstCatalogueVersion } from "./products.ts";
import { markSetSinceReading } from "./shop-clock-queries.ts";
import { keepGap } from "./stock-gap-queries.ts";
import { keepChanges, keepFirstLevels, unreadItems } from "./stock-readings.ts";

/** Reads how stock moves at the Shopify locations that are being counted, for the variance at the time of counting. */
export interface StockWatch {
  /**
   * Reads what changed since the last reading, for every running session or those of one Shopify location. Readings
   * asked for at the same time share one. A session that can't be read is logged and read again the next time. A reading that takes
   * longer than the next poll may wait goes on by itself, and no other of its session begins here meanwhile.
   */
  read(shopifyLocationId?: string): Promise<void>;
}

export interface StockWatchOptions {
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly clock: Clock;
  readonly shopTime: ShopTime;
  readonly logger: FastifyBaseLogger;
}

type WatchedSession = Pick<
  Selectable<SessionsTable>,
  | "id"
  | "shopifyLocationId"
  | "startSnapshotAt"
  | "startedAt"
  | "stockReadAt"
  | "stockWatermark"
  | "catalogueVersion"
>;

/** A change may come into Shopify's search late: each poll asks again for what the ones before it have asked for. */
const overlapMs = 5 * 60_000;
/** Each minute there is a poll, by which every other session is to be read, however long one takes. */
const waitedForMs = 50_000;
/**
 * As long as an export may wait for its turn and run. A reading that was given up has told nothing: the next one asks for the same, and
 * where that takes as long, as where a shop's whole stock was changed, none would ever end. From when levels are unread is known and marked.
 */
const longestReadingMs = 80 * 60_000;
/** Ten calls: after an import of a whole season the rest waits for the next polls. */
const firstLevelsAtOnce = 2_500;

export function createStockWatch(options: StockWatchOptions): StockWatch {
  const { database, clock, logger } = options;
  /** By session, as long as it is read: what a poll waits for. */
  const underWay = new Map<string, Promise<void>>();

  async function readToTheEnd(session: WatchedSession): Promise<void> {
    try {
      await withDeadline(clock, longestReadingMs, undefined, (signal) =>
        readSession(options, session, signal),
      );
    } catch (error) {
      logger.warn({ err: error, session: session.id }, "The movement of stock could not be read");
    } finally {
      underWay.delete(session.id);
    }
  }

  function readOnce(session: WatchedSession): Promise<void> {
    const known = underWay.get(session.id);
    if (known !== undefined) return known;
    const waited = waitUpTo(clock, waitedForMs, readToTheEnd(session));
    underWay.set(session.id, waited);
    return waited;
  }

  return {
    // Side by side: where a shop's whole stock was changed a reading may take long, and the others must not wait for it.
    read: async (shopifyLocationId) => {
      await Promise.all((await watchedSessions(database, shopifyLocationId)).map(readOnce));
    },
  };
}

async function waitUpTo(clock: Clock, milliseconds: number, work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, clock.sleep(milliseconds, ended.signal).catch(() => undefined)]);
  ended.abort();
}

function watchedSessions(
  database: Database,
  shopifyLocationId: string | undefined,
): Promise<WatchedSession[]> {
  return database
    .selectFrom("sessions")
    .innerJoin("installation", "installation.shopDomain", "sessions.shopDomain")
    .select([
      "id",
      "shopifyLocationId",
      "startSnapshotAt",
      "startedAt",
      "stockReadAt",
      "stockWatermark",
      "sessions.catalogueVersion",
    ])
    .where("status", "in", ["active", "ending"])
    .$if(shopifyLocationId !== undefined, (query) =>
      query.where("shopifyLocationId", "=", shopifyLocationId ?? ""),
    )
    .execute();
}

async function readSession(
  options: StockWatchOptions,
  session: WatchedSession,
  signal: AbortSignal,
): Promise<void> {
  const { database, platform, clock, shopTime } = options;
  const beganAt = new Date(clock.now());
  const levels = await changedSince(platform, session, signal);
  const readAt = new Date(clock.now());
  const firstLevels = await readFirstLevels(options, session, signal);
  const firstReadAt = new Date(clock.now());
  const stockWatermark = watermarkOf(shopTime, beganAt, latestOf(levels)) ?? session.stockWatermark;
  await database.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom("sessions")
      .select("id")
      .where("id", "=", session.id)
      .where("status", "<>", "closed")
      // Another node may have read further meanwhile; then this reading is an old one.
      .where(sql<boolean>`stock_read_at is not distinct from ${session.stockReadAt}`)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (held === undefined) return;
    const shopAhead = shopTime.ahead();
    await markSetSinceReading(transaction, session, shopAhead);
    await keepGap(transaction, session, beganAt);
    const shopAheadMs = shopAhead?.earliest ?? null;
    await keepChanges(transaction, session.id, levels, { readAt, shopAheadMs });
    await keepFirstLevels(transaction, session.id, firstLevels, { readAt: firstReadAt, shopAheadMs });
    await transaction
      .updateTable("sessions")
      .set({ stockReadAt: beganAt, stockWatermark })
      .where("id", "=", session.id)
      .execute();
  });
}

/**
 * The levels of what came into the session after its start: its product may have been stocked long before the catalogue was read, and no poll
 * asks so far back. Where they can't be read the next poll tries again, and until then nobody knows its stock.
 */
async function readFirstLevels(
  { database, platform, logger }: StockWatchOptions,
  { id, shopifyLocationId, catalogueVersion }: WatchedSession,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LiveLevel | null>> {
  if (catalogueVersion === firstCatalogueVersion) return new Map();
  const unread = await unreadItems(database, id, firstLevelsAtOnce);
  if (unread.length === 0) return new Map();
  try {
    return await platform.liveLevels(shopifyLocationId, unread, signal);
  } catch (error) {
    logger.warn(
      { err: error, session: id, items: unread.length },
      "The stock of new products could not be read",
    );
    return new Map();
  }
}

/** The levels that changed since a session's last poll, and some that had changed before it. */
export async function changedSince(
  platform: Pick<ShopifyPlatform, "changedLevels">,
  session: Omit<WatchedSession, "id" | "startedAt" | "catalogueVersion">,
  signal?: AbortSignal,
): Promise<ChangedLevel[]> {
  const watermark = session.stockWatermark ?? session.stockReadAt ?? session.startSnapshotAt;
  const since = new Date(watermark.getTime() - overlapMs);
  const levels: ChangedLevel[] = [];
  for await (const batch of platform.changedLevels(session.shopifyLocationId, since, signal))
    levels.push(...batch);
  return levels;
}

/**
 * Shopify's time when a reading began, or of the latest change that it found (ms since the epoch); null where neither is
 * known.
 */
export function watermarkOf(shopTime: ShopTime, beganAt: Date, latestChange: number | null): Date | null {
  const began = shopTime.byShopClock(beganAt.getTime());
  if (began !== null) return new Date(began.earliest);
  return latestChange === null ? null : new Date(latestChange);
}

function latestOf(levels: readonly ChangedLevel[]): number | null {
  let latest: number | null = null;
  for (const { updatedAt } of levels) latest = Math.max(latest ?? 0, Date.parse(updatedAt));
  return latest;
}
