import { type Selectable, sql } from "kysely";
import * as z from "zod/mini";
import { lockAreas } from "../areas/areas.ts";
import { actorNamed, areaName, recordAudit } from "../audit/audit.ts";
import {
  addLacking,
  growSession,
  indexIncoming,
  keepEndReading,
  keepGap,
  keepMovedCodes,
  loadIncoming,
  markSetSinceReading,
  writeEndStock,
} from "../catalogue/catalogue.ts";
import type { Transaction } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import { inviteNobodyElse } from "../invitations/invitations.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Bounds } from "../kernel/clock-difference.ts";
import { clearOutboxOf } from "../mail/mail.ts";
import type { OperationJob, OperationWork, RecordedOperation } from "../operations/operations.ts";
import { endSessionPasses, leftOutAreas } from "../passes/passes.ts";
import { confirmShop, type Shop, shopChanged } from "../shopify/shopify.ts";
import { lockStoreToChange } from "../stores/stores.ts";
import { clearUnmoved, type EndReading, markUnchecked, readEnd } from "./end-reading.ts";
import { markMovedSinceBackup } from "./moved-since-backup.ts";
import { lastBooking, lockSession, lockShopifyLocation, movesStock } from "./queries.ts";
import type { SessionServices } from "./services.ts";
import { hasLocation } from "./shop-reading.ts";

type Session = Selectable<SessionsTable>;

interface EndRequest {
  /** It ends also where its Shopify location is gone. */
  readonly withoutEndStock: boolean;
  readonly userId: string;
}

/** An end that a server without it has recorded is not to. */
const EndInput = z.object({ withoutEndStock: z._default(z.boolean(), false) });

/** Records that a session is to be ended; resolves to the operation that does it. Throws the contract's refusals. */
export async function requestEnd(
  context: SessionServices,
  session: Session,
  { withoutEndStock, userId }: EndRequest,
): Promise<string> {
  const id = await context.database.transaction().execute(async (transaction) => {
    await lockShopifyLocation(transaction, session.shopifyLocationId);
    await lockStoreToChange(transaction, session.storeId);
    requireActive(await lockSession(transaction, session.id));
    await requireIdleStock(transaction, session.shopifyLocationId);
    await setStatus(transaction, session.id, "ending");
    return context.operations.insert(transaction, {
      kind: "end",
      storeId: session.storeId,
      sessionId: session.id,
      adjustmentId: null,
      input: { withoutEndStock } satisfies z.input<typeof EndInput>,
      startedBy: userId,
    });
  });
  context.events.publish({ type: "session", sessionId: session.id, storeId: session.storeId });
  return id;
}

function requireActive({ status }: Session): void {
  if (status === "closed") throw new ApiError("SESSION_CLOSED", "This session has already ended.");
  if (status === "ending") throw new ApiError("SESSION_ENDING", "This session is already being ended.");
}

async function requireIdleStock(transaction: Transaction, shopifyLocationId: string): Promise<void> {
  if (await movesStock(transaction, shopifyLocationId)) {
    throw new ApiError(
      "DEPLOY_RUNNING",
      "Another session of this Shopify location is being deployed or rolled back right now, so its stock is moving. " +
        "The session is still active. End it when that is done.",
    );
  }
}

async function setStatus(
  transaction: Transaction,
  sessionId: string,
  status: "active" | "ending",
): Promise<void> {
  const endReadFrom = status === "ending" ? sql<Date>`clock_timestamp()` : null;
  await transaction
    .updateTable("sessions")
    .set({ status, endReadFrom })
    .where("id", "=", sessionId)
    .execute();
}

/**
 * Reads the end snapshot, unless there is none to read, and closes the session, all or nothing: until then it counts, and after a failure it
 * still does.
 */
export function endWork(context: SessionServices): OperationWork {
  return {
    run: (job) => endSession(context, job),
    whenAbandoned: "fail",
    afterFailure: makeActiveAgain,
  };
}

async function makeActiveAgain(transaction: Transaction, { sessionId }: RecordedOperation): Promise<void> {
  const session = await lockSession(transaction, sessionId ?? "");
  if (session.status !== "ending") return;
  await setStatus(transaction, session.id, "active");
  await transaction.deleteFrom("uncertainFigures").where("sessionId", "=", session.id).execute();
}

async function endSession(context: SessionServices, job: OperationJob): Promise<{ sessionId: string }> {
  const { database, platform, events, catalogue, clock, shopTime } = context;
  const session = await readSession(context, job.sessionId ?? "");
  const shop = await platform.shop(job.signal);
  if (shop.domain !== session.shopDomain) throw shopChanged(session.shopDomain, shop.domain);
  await confirmShop(database, shop);
  const reading = (await endsWithoutStock(context, session, job))
    ? null
    : await readEnd(context, session, job);
  // Afterwards the session counts no more, and what is found of the clock would not be said of it.
  await clock.check();
  const shopAhead = shopTime.ahead();
  await database.transaction().execute(async (transaction) => {
    if (reading !== null) {
      // Loaded before anything is locked: it is the long part.
      await loadIncoming(transaction, reading.items);
      await indexIncoming(transaction);
    }
    await job.complete(transaction, { sessionId: session.id });
    await closeSession(transaction, session, reading && { ...reading, shop, shopAhead }, job.startedBy);
  });
  catalogue.forgetSession(session.id);
  const hint = { sessionId: session.id, storeId: session.storeId };
  for (const type of ["session", "area", "invitation"] as const) events.publish({ type, ...hint });
  if (reading !== null) await clearUnmoved(context, session, job.signal);
  return { sessionId: session.id };
}

/** Only where its Shopify location is gone still: what can be read is read, whatever was chosen before. */
async function endsWithoutStock(
  context: SessionServices,
  { shopifyLocationId }: Session,
  { input, signal }: OperationJob,
): Promise<boolean> {
  if (!EndInput.parse(input).withoutEndStock) return false;
  return !(await hasLocation(context, shopifyLocationId, signal));
}

function readSession({ database }: SessionServices, id: string): Promise<Session> {
  return database.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** All but those that the session was not to count, and that nobody began to. */
async function countedAreas(transaction: Transaction, sessionId: string, storeId: string) {
  const areas = await lockAreas(transaction, storeId);
  const leftOut = await leftOutAreas(transaction, sessionId);
  return areas.filter(({ id }) => !leftOut.has(id));
}

interface KnownEnd extends EndReading {
  readonly shop: Shop;
  readonly shopAhead: Bounds | null;
}

/** Resolves to the SKUs of which nothing was read. */
async function keepEnd(
  transaction: Transaction,
  session: Session,
  reading: KnownEnd,
): Promise<readonly string[]> {
  const { id } = session;
  await markSetSinceReading(transaction, session, reading.shopAhead);
  await keepGap(transaction, session, reading.beganAt);
  await addLacking(transaction, id, reading.lacking);
  await growSession(transaction, id);
  const { unread, recoded } = await writeEndStock(transaction, id, reading.gone);
  await keepMovedCodes(transaction, id, recoded);
  const { finishedAt: readAt, shopAhead } = reading;
  await keepEndReading(transaction, id, { readAt, shopAheadMs: shopAhead?.earliest ?? null });
  await markMovedSinceBackup(transaction, id);
  if (reading.shop.currency !== session.currency) await forgetEarlierCosts(transaction, id, reading.lacking);
  return unread;
}

/** What was not read at the end keeps the unit cost of the start, in a currency that the shop has no more: it is not known. */
async function forgetEarlierCosts(
  transaction: Transaction,
  sessionId: string,
  lacking: EndReading["lacking"],
): Promise<void> {
  await sql`
    update session_items set unit_cost_cents = null
    where session_id = ${sessionId} and (gone or inventory_item_id = any(${[...lacking.keys()]}::text[]))`.execute(
    transaction,
  );
}

/**
 * An on hand of 0 would make a surplus of whatever was counted. Levels that were read since the start are no better: Shopify moves the stock
 * of a location elsewhere before it lets anybody delete it.
 */
async function keepStartAsEnd(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`update session_items set end_on_hand = start_on_hand, stocked = false where session_id = ${sessionId}`.execute(
    transaction,
  );
}

/** @param reading null where its Shopify location is gone; then the session has no end snapshot. */
async function closeSession(
  transaction: Transaction,
  { id, storeId }: Session,
  reading: KnownEnd | null,
  endedBy: string | null,
): Promise<void> {
  const store = await lockStoreToChange(transaction, storeId);
  const session = await lockSession(transaction, id);
  const unread = reading === null ? [] : await keepEnd(transaction, session, reading);
  if (reading === null) await keepStartAsEnd(transaction, id);
  // From here on no scan can come between: it waits for its area, and then finds the session closed.
  const areas = await countedAreas(transaction, id, storeId);
  const open = areas.filter(({ status }) => status !== "closed");
  await endSessionPasses(transaction, id, endedBy);
  if (reading !== null) await markUnchecked(transaction, id, reading, unread);
  const { items } = await transaction
    .updateTable("sessions")
    .set({
      status: "closed",
      endedAt: sql<Date>`clock_timestamp()`,
      endedBy,
      endSnapshotAt: reading?.finishedAt ?? null,
      ledgerAtEnd: lastBooking,
      // Of the unit costs: those of the end, or of the start where there is no end snapshot.
      currency: reading?.shop.currency ?? session.currency,
      openAreas: JSON.stringify(open.map(({ id, code, name, status }) => ({ id, code, name, status }))),
      areaCount: areas.length,
      items: sql`(select count(*) from session_items where session_id = ${id})`,
    })
    .where("id", "=", id)
    .returning("items")
    .executeTakeFirstOrThrow();
  await clearOutboxOf(transaction, id);
  await inviteNobodyElse(transaction, id);
  await recordAudit(transaction, {
    sessionId: id,
    actor: await actorNamed(transaction, endedBy),
    action: "session.ended",
    subject: { kind: "session", id, name: store.name },
    before: { status: "active" },
    after: {
      ...{ status: "closed", items, areas: areas.length, openAreas: open.map(areaName) },
      ...(reading === null ? { withoutEndStock: true } : {}),
    },
  });
}
