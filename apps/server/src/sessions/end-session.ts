import { type Selectable, sql } from "kysely";
import { lockAreas } from "../areas/areas.ts";
import { actorNamed, areaName, recordAudit } from "../audit/audit.ts";
import {
  addLacking,
  growSession,
  indexIncoming,
  keepEndReading,
  keepGap,
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

type Session = Selectable<SessionsTable>;

/** Records that a session is to be ended; resolves to the operation that does it. Throws the contract's refusals. */
export async function requestEnd(
  context: SessionServices,
  session: Session,
  userId: string,
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
      input: {},
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

/** Reads the end snapshot and closes the session, all or nothing: until then it counts, and after a failure it still does. */
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
  const reading = await readEnd(context, session, job);
  // Afterwards the session counts no more, and what is found of the clock would not be said of it.
  await clock.check();
  const shopAhead = shopTime.ahead();
  await database.transaction().execute(async (transaction) => {
    // Loaded before anything is locked: it is the long part.
    await loadIncoming(transaction, reading.items);
    await indexIncoming(transaction);
    await job.complete(transaction, { sessionId: session.id });
    await closeSession(transaction, session, { ...reading, shop, shopAhead }, job.startedBy);
  });
  await clearUnmoved(context, session, job.signal);
  catalogue.forgetSession(session.id);
  const hint = { sessionId: session.id, storeId: session.storeId };
  for (const type of ["session", "area", "invitation"] as const) events.publish({ type, ...hint });
  return { sessionId: session.id };
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

async function closeSession(
  transaction: Transaction,
  { id, storeId }: Session,
  reading: EndReading & { readonly shop: Shop; readonly shopAhead: Bounds | null },
  endedBy: string | null,
): Promise<void> {
  const store = await lockStoreToChange(transaction, storeId);
  const session = await lockSession(transaction, id);
  await markSetSinceReading(transaction, session, reading.shopAhead);
  await keepGap(transaction, session, reading.beganAt);
  await addLacking(transaction, id, reading.lacking);
  await growSession(transaction, id);
  const unread = await writeEndStock(transaction, id, reading.gone);
  const { finishedAt: readAt, shopAhead } = reading;
  await keepEndReading(transaction, id, { readAt, shopAheadMs: shopAhead?.earliest ?? null });
  await markMovedSinceBackup(transaction, id);
  // From here on no scan can come between: it waits for its area, and then finds the session closed.
  const areas = await countedAreas(transaction, id, storeId);
  const open = areas.filter(({ status }) => status !== "closed");
  await endSessionPasses(transaction, id, endedBy);
  await markUnchecked(transaction, id, reading, unread);
  const { items } = await transaction
    .updateTable("sessions")
    .set({
      status: "closed",
      endedAt: sql<Date>`clock_timestamp()`,
      endedBy,
      endSnapshotAt: reading.finishedAt,
      ledgerAtEnd: lastBooking,
      // Unit costs are those of the end.
      currency: reading.shop.currency,
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
    after: { status: "closed", items, areas: areas.length, openAreas: open.map(areaName) },
  });
}
