import type { CountingSession } from "@stocktake/contract";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
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
import { type Question, type QuestionRow, readQuestion } from "./question.ts";
import { readUnknownTime, type UnknownTime } from "./restored-queries.ts";

/**
 * Lets a restored session move stock again, and books what the administrator says was moved since the backup. A repeat
 * that books nothing changes nothing.
 * @throws ApiError NOT_FOUND, SESSION_RELEASED, DEPLOY_RUNNING, SESSION_ENDING.
 */
export async function releaseSession(
  { database, events }: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  alreadyMoved: AlreadyMoved,
): Promise<CountingSession> {
  const found = await findSession(database, caller, sessionId);
  const session = await database.transaction().execute(async (transaction) => {
    await lockShopifyLocation(transaction, found.shopifyLocationId);
    const locked = { ...(await lockSession(transaction, sessionId)), storeName: found.storeName };
    if (!locked.restored && alreadyMoved.skus.length === 0) return locked;
    return release(transaction, caller, locked, alreadyMoved);
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
  alreadyMoved: AlreadyMoved,
): Promise<SessionRow> {
  const time = await readUnknownTime(transaction, session);
  const question = await readQuestion(transaction, session, time.restoredAt);
  const moved = chooseRows(question, alreadyMoved);
  await concludeStopped(transaction, session);
  if (moved.length > 0) await bookAlreadyMoved(transaction, { caller, session, question, time }, moved);
  await transaction.updateTable("sessions").set({ restored: false }).where("id", "=", session.id).execute();
  await recordRelease(transaction, caller, session, { question, time, moved });
  return { ...session, restored: false };
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
      items: question.rows.filter(({ uncounted }) => !uncounted).length,
      alreadyMoved: moved.length,
      units: moved.reduce((sum, { delta }) => sum + delta, 0),
    },
  });
}
