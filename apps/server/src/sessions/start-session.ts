import { randomUUID } from "node:crypto";
import { type EventType, SessionScope } from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import { lockAreas } from "../areas/areas.ts";
import { actorNamed, recordAudit } from "../audit/audit.ts";
import {
  analyseSessionItems,
  loadSessionItems,
  replaceCatalogue,
  type ShopReading,
  watermarkOf,
} from "../catalogue/catalogue.ts";
import type { Transaction } from "../database/pool.ts";
import { sendWaitingInvitations } from "../invitations/invitations.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { OperationJob, OperationWork } from "../operations/operations.ts";
import { beginSessionPasses, commitSeeds } from "../passes/passes.ts";
import { confirmShop, type Shop } from "../shopify/shopify.ts";
import {
  findRunningSession,
  isStartingOrEnding,
  lockStoreToChange,
  type StoreRow,
} from "../stores/stores.ts";
import { nameAsNow, readFollowUp } from "./follow-up.ts";
import { followPlan, readPlanToStart } from "./planned/start-plan.ts";
import { lastBooking } from "./queries.ts";
import type { SessionServices } from "./services.ts";
import { readStockAt, requireLocation } from "./shop-reading.ts";
import type { SessionDescription } from "./update-session.ts";

export interface StartRequest {
  readonly storeId: string;
  readonly scope: SessionScope;
  readonly description: SessionDescription;
  readonly userId: string;
}

/** Records that a session is to be started; resolves to the operation that does it. Throws the contract's refusals. */
export function requestStart(context: SessionServices, request: StartRequest): Promise<string> {
  const { storeId, scope, description, userId: startedBy } = request;
  return context.database.transaction().execute(async (transaction) => {
    const store = await lockStoreToChange(transaction, storeId);
    return insertStart(transaction, context, { store, startedBy, input: { scope, ...description } });
  });
}

interface FollowUpRequest {
  /** Of the session that has ended. */
  readonly sessionId: string;
  readonly skus: readonly string[];
  readonly userId: string;
}

/** As `requestStart`, of a session of some SKUs of another. */
export function requestFollowUp(
  context: SessionServices,
  { sessionId, skus, userId: startedBy }: FollowUpRequest,
): Promise<string> {
  return context.database.transaction().execute(async (transaction) => {
    const { storeId, input } = await readFollowUp(transaction, sessionId, skus);
    const store = await lockStoreToChange(transaction, storeId);
    return insertStart(transaction, context, { store, startedBy, input });
  });
}

interface NewStart {
  /** Locked to change. */
  readonly store: StoreRow;
  readonly startedBy: string;
  readonly input: z.input<typeof StartInput>;
}

/** Records a start; resolves to its operation. Throws the contract's refusals. */
export async function insertStart(
  transaction: Transaction,
  { operations }: SessionServices,
  { store, startedBy, input }: NewStart,
): Promise<string> {
  requireActive(store);
  await requireNoSession(transaction, store.id);
  if (await isStartingOrEnding(transaction, store.id)) {
    throw new ApiError("SESSION_STARTING", "A session is already being started for this store.");
  }
  const nothingYet = { sessionId: null, adjustmentId: null };
  return operations.insert(transaction, {
    ...{ kind: "start", storeId: store.id, ...nothingYet, input, startedBy },
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

const locationClosedAtStart =
  "Nothing was changed. Activate the location in Shopify, or give the store another one, and try again.";

async function startSession(context: SessionServices, job: OperationJob): Promise<{ sessionId: string }> {
  const { database, platform, events } = context;
  const shop = await platform.shop(job.signal);
  await confirmShop(database, shop);
  const shopifyLocationId = await locationOf(context, job.storeId ?? "");
  const reading = await readStockAt(context, shopifyLocationId, job, locationClosedAtStart);
  await requireLocation(context, shopifyLocationId, job.signal, locationClosedAtStart);
  const session: NewSession = {
    id: randomUUID(),
    storeId: job.storeId ?? "",
    ...StartInput.parse(job.input),
    shop,
    shopifyLocationId,
    startedBy: job.startedBy,
    stockWatermark: watermarkOf(context.shopTime, reading.beganAt, reading.items.latestChange),
  };
  await database.transaction().execute(async (transaction) => {
    // Loaded before anything is locked: it is the long part.
    await loadSessionItems(transaction, session.id, reading.items);
    await job.complete(transaction, { sessionId: session.id });
    await openSession(transaction, session, reading);
  });
  const { id: sessionId, storeId } = session;
  for (const type of startedTypes(session)) events.publish({ type, sessionId, storeId });
  await analyseItems(context);
  await sendFirstInvitations(context, session, job.signal);
  return { sessionId };
}

/** Afterwards: it holds the table's statistics, and nobody else's start is to wait for this one's snapshot. */
async function analyseItems({ database, logger }: SessionServices): Promise<void> {
  try {
    await analyseSessionItems(database);
  } catch (error) {
    logger.warn({ err: error }, "The statistics of a new session could not be taken; its report may be slow");
  }
}

function startedTypes({ planId }: NewSession): readonly EventType[] {
  const types = ["session", "area", "catalogue"] as const;
  return planId === null ? types : [...types, "invitation"];
}

/** The invitations of a plan leave with the start; those that take longer than this leave by the clock. */
const firstInvitationsMs = 5_000;

async function sendFirstInvitations(
  context: SessionServices,
  { id: sessionId, planId }: NewSession,
  stopped: AbortSignal,
): Promise<void> {
  if (planId === null) return;
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(firstInvitationsMs)]);
  await sendWaitingInvitations(context, { sessionId, signal });
}

async function locationOf({ database }: SessionServices, storeId: string): Promise<string> {
  const store = await database
    .selectFrom("stores")
    .select("shopifyLocationId")
    .where("id", "=", storeId)
    .executeTakeFirstOrThrow();
  return store.shopifyLocationId;
}

/** A start that a server without names has recorded has none. */
const StartInput = z.object({
  scope: SessionScope,
  name: z._default(z.nullable(z.string()), null),
  note: z._default(z.nullable(z.string()), null),
  /** The plan that the session is started by. What it says when the session begins is what counts. */
  planId: z._default(z.nullable(z.string()), null),
  /** Where the links in the plan's invitations lead. */
  origin: z._default(z.string(), ""),
  /** The session that it counts some SKUs of again, and which, as that session has them. */
  followUpOf: z._default(z.nullable(z.string()), null),
  onlySkus: z._default(z.nullable(z.array(z.string())), null),
});

interface NewSession extends z.infer<typeof StartInput> {
  readonly id: string;
  readonly storeId: string;
  readonly shop: Shop;
  readonly shopifyLocationId: string;
  readonly startedBy: string | null;
  /** From when by Shopify's clock the stock is watched. */
  readonly stockWatermark: Date | null;
}

async function openSession(transaction: Transaction, asked: NewSession, reading: ShopReading): Promise<void> {
  await replaceCatalogue(transaction, reading.beganAt, { sessionId: asked.id });
  const store = await lockStoreToChange(transaction, asked.storeId);
  requireActive(store);
  requireSameLocation(store, asked.shopifyLocationId);
  await requireNoSession(transaction, asked.storeId);
  const plan = asked.planId === null ? null : await readPlanToStart(transaction, asked.planId);
  const session = plan === null ? asked : { ...asked, name: plan.name, note: plan.note, scope: plan.scope };
  await insertSession(transaction, session, reading);
  const followUp = await nameAsNow(transaction, session);
  const areas = await lockAreas(transaction, session.storeId);
  await beginSessionPasses(transaction, { sessionId: session.id, storeId: session.storeId });
  const followed = plan === null ? { leftOut: 0 } : await followPlan(transaction, plan, session);
  const { hash: sampleSeedHash } = await commitSeeds(transaction, session.id);
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: await actorNamed(transaction, session.startedBy),
    action: "session.started",
    subject: { kind: "session", id: session.id, name: store.name },
    before: null,
    after: {
      scope: session.scope,
      name: session.name,
      note: session.note,
      shop: session.shop.domain,
      shopifyLocationId: session.shopifyLocationId,
      items: reading.items.count,
      areas: areas.length - followed.leftOut,
      ...followed,
      ...followUp,
      sampleSeedHash,
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
      name: session.name,
      note: session.note,
      shopDomain: session.shop.domain,
      shopifyLocationId: session.shopifyLocationId,
      currency: session.shop.currency,
      items: reading.items.count,
      startSnapshotAt: reading.beganAt,
      stockWatermark: session.stockWatermark,
      startedBy: session.startedBy,
      endedBy: null,
      followUpOf: session.followUpOf,
      onlySkus: session.onlySkus,
      ledgerAtStart: lastBooking,
      // now() is when the transaction began; the session begins when it exists.
      startedAt: sql<Date>`clock_timestamp()`,
    })
    .execute();
}
