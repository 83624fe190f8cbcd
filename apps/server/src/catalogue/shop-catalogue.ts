import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";
import { confirmShop, type ShopifyPlatform } from "../shopify/shopify.ts";
import { growSession, loadIncoming, replaceCatalogue } from "./incoming-queries.ts";
import { ProductMaps } from "./product-maps.ts";
import type { Catalogue, PreparedMap, SessionIndex } from "./products.ts";
import type { ReadItems } from "./reading/read-items.ts";
import { readShop } from "./reading/read-shop.ts";
import { SessionIndexes } from "./session-index.ts";

export interface CatalogueOptions {
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

const skusPerLine = 20;

/** A session that grew, for telling its devices. */
interface GrownSession {
  readonly sessionId: string;
  readonly storeId: string;
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  return new ShopCatalogue(options);
}

class ShopCatalogue implements Catalogue {
  private readonly options: CatalogueOptions;
  private readonly indexes: SessionIndexes;
  private readonly maps: ProductMaps;
  private readonly costsToldOf = new Set<string>();
  private refreshing: Promise<void> | undefined;
  /** What begins when the reading that is under way has ended. */
  private refreshingNext: Promise<void> | undefined;

  constructor(options: CatalogueOptions) {
    this.options = options;
    this.indexes = new SessionIndexes(options.database);
    this.maps = new ProductMaps(options.database);
  }

  /** Refreshes that are asked for at the same time share one reading. */
  refresh(signal?: AbortSignal): Promise<void> {
    this.refreshing ??= this.readAnew(signal).finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  refreshFromNow(signal?: AbortSignal): Promise<void> {
    if (this.refreshing === undefined) return this.refresh(signal);
    this.refreshingNext ??= this.refreshAfter(this.refreshing, signal);
    return this.refreshingNext;
  }

  private async refreshAfter(reading: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    // Whoever asked for it hears of its failure.
    await reading.catch(() => undefined);
    this.refreshingNext = undefined;
    signal?.throwIfAborted();
    return this.refresh(signal);
  }

  sessionIndex(sessionId: string, version: number): Promise<SessionIndex> {
    return this.indexes.at(sessionId, version);
  }

  forgetSession(sessionId: string): void {
    this.indexes.forget(sessionId);
  }

  async map(storeId: string): Promise<PreparedMap> {
    const { catalogueReadAt: readAt } = await this.options.database
      .selectFrom("installation")
      .select("catalogueReadAt")
      .executeTakeFirstOrThrow();
    if (readAt === null) await this.refresh();
    return this.maps.of(storeId);
  }

  private async readAnew(signal: AbortSignal | undefined): Promise<void> {
    const { database, platform, events } = this.options;
    await confirmShop(database, await platform.shop(signal));
    const reading = await readShop(this.options, { shopifyLocationId: null, signal });
    const grown = await database.transaction().execute(async (transaction) => {
      await loadIncoming(transaction, reading.items);
      await replaceCatalogue(transaction, reading.beganAt);
      return growRunningSessions(transaction);
    });
    this.tellOfCosts(reading.items);
    events.publish({ type: "catalogue" });
    for (const { sessionId, storeId } of grown) events.publish({ type: "catalogue", sessionId, storeId });
  }

  /** A cost that no number holds exactly is unknown to reports. Each is logged once. */
  private tellOfCosts(items: ReadItems): void {
    const skus = items.skusOfUnknownCost().filter((sku) => !this.costsToldOf.has(sku));
    if (skus.length === 0) return;
    for (const sku of skus) this.costsToldOf.add(sku);
    this.options.logger.warn(
      { skus: skus.slice(0, skusPerLine), of: skus.length },
      "Shopify has unit costs that are too large to be worked with exactly; reports take them as unknown",
    );
  }
}

/** Lets every running session grow by what the loaded reading has that it has not. */
async function growRunningSessions(transaction: Transaction): Promise<GrownSession[]> {
  const { rows: running } = await sql<GrownSession>`
    select id as session_id, store_id from sessions
    where status in ('active', 'ending') order by id for no key update`.execute(transaction);
  const grown: GrownSession[] = [];
  for (const session of running) {
    if (await growSession(transaction, session.sessionId)) grown.push(session);
  }
  return grown;
}
