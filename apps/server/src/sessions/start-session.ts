import { randomUUID } from "node:crypto";
import { SessionScope } from "@stocktake/contract";
import { sql } from "kysely";
import { lockAreas } from "../areas/areas.ts";
import { actorNamed, recordAudit } from "../audit/audit.ts";
import {
  insertSessionItems,
  loadIncoming,
  replaceCatalogue,
  type ShopReading,
  watermarkOf,
} from "../catalogue/catalogue.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { OperationJob, OperationWork } from "../operations/operations.ts";
import { beginSessionPasses } from "../passes/passes.ts";
import { confirmShop, type Shop } from "../shopify/shopify.ts";
import {
  findRunningSession,
  isStartingOrEnding,
  lockStoreToChange,
  type StoreRow,
} from "../stores/stores.ts";
import type { SessionServices } from "./services.ts";
import { readStockAt } from "./shop-reading.ts";

export interface StartRequest {
  readonly storeId: string;
  readonly scope: SessionScope;
  readonly userId: string;
}

/** Records that a session is to be started; resolves to the operation that does it. Throws the contract's refusals. */
export function requestStart(context: SessionServices, request: StartRequest): Promise<string> {
  const { storeId, scope, userId } = request;
  return context.database.transaction().execute(async (transaction) => {
    requireActive(await lockStoreToChange(transaction, storeId));
    await requireNoSession(transaction, storeId);
    if (await isStartingOrEnding(transaction, storeId)) {
      throw new ApiError("SESSION_STARTING", "A session is already being started for this store.");
    }
    return context.operations.insert(transaction, {
      kind: "start",
      storeId,
      sessionId: null,
      adjustmentId: null,
      input: { scope },
      startedBy: userId,
    });
  });
}

function requireActive(store: StoreRow): void {
  if (!store.isActive) {
    throw new ApiError("STORE_INACTIVE", "This store is inactive. Activate it before you start a session.");
  }
}

async function requireNoSession(transaction: Transaction, storeId: string): Promise<void> {
  if ((await findRunningSession(transaction, storeId)) !== undefined) {
    throw new ApiError("SESSION_ACTIVE", "This store already has an active session. End it first.");
  }
}

/** Reads the start snapshot and creates the session, all or nothing: it exists once everything of it does. */
export function startWork(context: SessionServices): OperationWork {
  return { run: (job) => startSession(context, job), whenAbandoned: "fail" };
}

async function startSession(context: SessionServices, job: OperationJob): Promise<{ sessionId: string }> {
  const { database, platform, events } = context;
  const shop = await platform.shop(job.signal);
  await confirmShop(database, shop);
  const shopifyLocationId = await locationOf(context, job.storeId ?? "");
  const reading = await readStockAt(context, shopifyLocationId, job);
  const session: NewSession = {
    id: randomUUID(),
    storeId: job.storeId ?? "",
    scope: SessionScope.parse(job.input.scope),
    shop,
    shopifyLocationId,
    startedBy: job.startedBy,
    stockWatermark: watermarkOf(
      context.shopTime,
      reading.beganAt,
      reading.items.map(({ record }) => ({ updatedAt: record.levelUpdatedAt })),
    ),
  };
  await database.transaction().execute(async (transaction) => {
    // Loaded before anything is locked: it is the long part.
    await loadIncoming(transaction, reading.items);
    await job.complete(transaction, { sessionId: session.id });
    await openSession(transaction, session, reading);
  });
  const { id: sessionId, storeId } = session;
  for (const type of ["session", "area", "catalogue"] as const) events.publish({ type, sessionId, storeId });
  return { sessionId };
}

async function locationOf({ database }: SessionServices, storeId: string): Promise<string> {
  const store = await database
    .selectFrom("stores")
    .select("shopifyLocationId")
    .where("id", "=", storeId)
    .executeTakeFirstOrThrow();
  return store.shopifyLocationId;
}

interface NewSession {
  readonly id: string;
  readonly storeId: string;
  readonly scope: SessionScope;
  readonly shop: Shop;
  readonly shopifyLocationId: string;
  readonly startedBy: string | null;
  /** From when by Shopify's clock the stock is watched. */
  readonly stockWatermark: Date | null;
}

async function openSession(
  transaction: Transaction,
  session: NewSession,
  reading: ShopReading,
): Promise<void> {
  await replaceCatalogue(transaction, reading.beganAt);
  const store = await lockStoreToChange(transaction, session.storeId);
  requireActive(store);
  requireSameLocation(store, session.shopifyLocationId);
  await requireNoSession(transaction, session.storeId);
  await insertSession(transaction, session, reading);
  await insertSessionItems(transaction, session.id);
  const areas = await lockAreas(transaction, session.storeId);
  await beginSessionPasses(transaction, { sessionId: session.id, storeId: session.storeId });
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: await actorNamed(transaction, session.startedBy),
    action: "session.started",
    subject: { kind: "session", id: session.id, name: store.name },
    before: null,
    after: {
      scope: session.scope,
      shop: session.shop.domain,
      shopifyLocationId: session.shopifyLocationId,
      items: reading.items.length,
      areas: areas.length,
    },
  });
}

function requireSameLocation(store: StoreRow, shopifyLocationId: string): void {
  if (store.shopifyLocationId !== shopifyLocationId) {
    throw new ApiError(
      "SHOP_CHANGED",
      "The store's Shopify location was changed while its stock was being read. Nothing was changed. Start again.",
    );
  }
}

async function insertSession(
  transaction: Transaction,
  session: NewSession,
  reading: ShopReading,
): Promise<void> {
  await transaction
    .insertInto("sessions")
    .values({
      id: session.id,
      storeId: session.storeId,
      status: "active",
      scope: session.scope,
      shopDomain: session.shop.domain,
      shopifyLocationId: session.shopifyLocationId,
      currency: session.shop.currency,
      items: reading.items.length,
      startSnapshotAt: reading.beganAt,
      stockWatermark: session.stockWatermark,
      startedBy: session.startedBy,
      endedBy: null,
      // now() is when the transaction began; the session begins when it exists.
      startedAt: sql<Date>`clock_timestamp()`,
    })
    .execute();
}
