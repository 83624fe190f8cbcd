import type { CountingSession } from "@stocktake/contract";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { markMovedSinceBackup } from "../../reports/reports.ts";
import {
  findSession,
  lockSession,
  lockShopifyLocation,
  presentSession,
  type SessionRow,
} from "../../sessions/sessions.ts";
import { conclude } from "../moving/conclude.ts";
import { findActiveAdjustment } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { type AlreadyMoved, bookAlreadyMoved, chooseRows } from "./already-moved.ts";
import { readKnownStock } from "./known-stock-queries.ts";
import { type Looked, lookSince } from "./moved-since.ts";
import { previewRow } from "./preview-rows.ts";
import { type Question, type QuestionRow, readQuestion } from "./question.ts";
import { readUnknownTime, type UnknownTime } from "./restored-queries.ts";

/**
 * Lets a restored session move stock again, and books what the administrator says was moved since the backup. A repeat
 * that books nothing changes nothing.
 * @throws ApiError NOT_FOUND, SESSION_RELEASED, DEPLOY_RUNNING, SESSION_ENDING.
 */
export async function releaseSession(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  alreadyMoved: AlreadyMoved,
): Promise<CountingSession> {
  const { database, events } = context;
  const found = await findSession(database, caller, sessionId);
  const looked = await lookWhereUnknown(context, found);
  const session = await database.transaction().execute(async (transaction) => {
    await lockShopifyLocation(transaction, found.shopifyLocationId);
    const locked = { ...(await lockSession(transaction, sessionId)), storeName: found.storeName };
    if (!locked.restored && alreadyMoved.skus.length === 0) return locked;
    return release(transaction, caller, locked, { alreadyMoved, looked });
  });
  for (const type of ["session", "adjustment"] as const) {
    events.publish({ type, sessionId, storeId: found.storeId });
  }
  return presentSession(session);
}

async function release(
  transaction: Transaction,
  caller: AdminCaller,
  session: SessionRow,
  { alreadyMoved, looked }: { readonly alreadyMoved: AlreadyMoved; readonly looked: Looked | null },
): Promise<SessionRow> {
  const time = await readUnknownTime(transaction, session);
  const question = await readQuestion(transaction, session, time.restoredAt);
  const moved = chooseRows(question, alreadyMoved);
  await concludeStopped(transaction, session);
  const found = { question, time, moved, looked };
  const unknown = await unknownRows(transaction, session, found);
  if (moved.length > 0)
    await bookAlreadyMoved(transaction, { caller, session, question, time }, { moved, unknown });
  await markMoved(transaction, caller, session, found);
  await transaction.updateTable("sessions").set({ restored: false }).where("id", "=", session.id).execute();
  await recordRelease(transaction, caller, session, found);
  return { ...session, restored: false };
}

/**
 * What Shopify says has moved since the backup; null where nothing is asked: the session is not held, or its end was read
 * after the restore and has marked its rows itself.
 */
async function lookWhereUnknown(context: AdjustmentServices, session: SessionRow): Promise<Looked | null> {
  const { restored, endedAt } = session;
  if (!restored || endedAt === null) return null;
  const time = await readUnknownTime(context.database, session);
  if (endedAt > time.restoredAt) return null;
  const question = await readQuestion(context.database, session, time.restoredAt);
  return lookSince(context, session, { question, time });
}

/** The rows in question that were not named, and of which nobody can tell, or which look moved all the same. */
async function unknownRows(
  transaction: Transaction,
  session: SessionRow,
  { question, time, moved, looked }: Released,
): Promise<QuestionRow[]> {
  if (looked === null) return [];
  const known = await readKnownStock(transaction, session, question, time.restoredAt);
  return question.rows
    .filter((row) => !moved.includes(row))
    .filter((row) => {
      const stock = known.get(row.sku);
      const level = looked.levels.get(row.inventoryItemId) ?? null;
      return stock === undefined || previewRow(row, stock, level, looked.backupMadeAt).looks !== "not_moved";
    });
}

/**
 * Marks what has moved since the backup and is not recorded. Of what a deploy moved that is still whole nothing is marked:
 * it was moved by sales, or by a rollback that the administrator knows nothing of and can take back once. What that
 * deploy did not move is marked then too: a second one, after a rollback, may have moved it.
 */
async function markMoved(
  transaction: Transaction,
  caller: AdminCaller,
  session: SessionRow,
  { question, moved, looked }: Released,
): Promise<void> {
  if (looked === null) return;
  const isWhole = question.kind === "rollback" && moved.length === 0;
  const whole = new Set(isWhole ? question.rows.map(({ inventoryItemId }) => inventoryItemId) : []);
  // Of what a deploy has left, as of a whole one: they said that none of it was moved.
  const isLeft = (question.kind === "deploy" || question.kind === "rest") && moved.length === 0;
  const decided = isLeft ? question.rows.filter(({ direction }) => direction === "deploy") : [];
  await markMovedSinceBackup(transaction, session, {
    items: looked.moved.filter((item) => !whole.has(item)),
    recorded: moved.map(({ sku }) => sku),
    decided: decided.map(({ sku }) => sku),
    userId: caller.userId,
  });
}

/** What was under way in the backup was stopped by the restore; one of which every row was known already has ended. */
async function concludeStopped(transaction: Transaction, { id }: SessionRow): Promise<void> {
  const active = await findActiveAdjustment(transaction, id);
  if (active?.status !== "partial") return;
  await conclude(transaction, active.id, active.rollbackRequestedAt === null ? "deploy" : "rollback");
}

interface Released {
  readonly question: Question;
  readonly time: UnknownTime;
  readonly moved: readonly QuestionRow[];
  readonly looked: Looked | null;
}

async function recordRelease(
  transaction: Transaction,
  caller: AdminCaller,
  { id, storeName }: SessionRow,
  { question, time, moved }: Released,
): Promise<void> {
  await recordAudit(transaction, {
    sessionId: id,
    actor: actorOf(caller),
    action: "session.released",
    subject: { kind: "session", id, name: storeName },
    before: { restored: true },
    after: {
      restored: false,
      backupMadeAt: time.backupMadeAt.toISOString(),
      restoredAt: time.restoredAt.toISOString(),
      question: question.kind,
      items: question.rows.filter(({ uncounted, perhapsBack }) => !uncounted && !perhapsBack).length,
      alreadyMoved: moved.length,
      units: moved.reduce((sum, { delta }) => sum + delta, 0),
    },
  });
}
