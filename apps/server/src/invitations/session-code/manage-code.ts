import type { JoinRequest } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit, sessionSubject } from "../../audit/audit.ts";
import { newToken } from "../../auth/auth.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { InvitationServices } from "../services.ts";
import {
  findOpenCodes,
  lockCode,
  type OpenCode,
  readWaiting,
  requireRunning,
  type WaitingRow,
} from "./queries.ts";

interface CodeAndRequests {
  readonly code: OpenCode | null;
  readonly requests: readonly JoinRequest[];
}

/** A session's open code, and who waits to be admitted. @throws ApiError NOT_FOUND. */
export async function readSessionCode(database: Database, sessionId: string): Promise<CodeAndRequests> {
  await requireSession(database, sessionId);
  const [code = null] = await findOpenCodes(database, sql`code.session_id = ${sessionId}`);
  return { code, requests: code === null ? [] : (await readWaiting(database, code.id)).map(present) };
}

function present({ id, counterName, askedAt }: WaitingRow): JoinRequest {
  return { _id: id, counterName, askedAt: askedAt.toISOString() };
}

async function requireSession(database: Database, sessionId: string): Promise<{ readonly storeId: string }> {
  const session = await database
    .selectFrom("sessions")
    .select("storeId")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw notFound("The counting session");
  return session;
}

/** Opens a code; the one that is open stays. @throws ApiError NOT_FOUND, SESSION_CLOSED. */
export async function openSessionCode(
  { database, events }: InvitationServices,
  caller: Caller,
  sessionId: string,
): Promise<OpenCode> {
  const { code, isNew } = await database.transaction().execute(async (transaction) => {
    const { storeId } = await requireSession(transaction, sessionId);
    await requireRunning(transaction, { sessionId, storeId });
    const isNew = await insertCode(transaction, sessionId, storeId);
    const [code] = await findOpenCodes(transaction, sql`code.session_id = ${sessionId}`);
    if (code === undefined) throw new Error("A session code was closed while it was being opened.");
    if (isNew) await record(transaction, caller, "session_code.opened", code, null);
    return { code, isNew };
  });
  if (isNew) events.publish({ type: "invitation", sessionId, storeId: code.storeId });
  return code;
}

/** Of several at once one is inserted, and the others find it. */
async function insertCode(transaction: Transaction, sessionId: string, storeId: string): Promise<boolean> {
  const inserted = await sql`
    insert into session_codes (session_id, store_id, token) values (${sessionId}, ${storeId}, ${newToken().text})
    on conflict (session_id) where revoked_at is null do nothing returning id`.execute(transaction);
  return inserted.rows.length > 0;
}

/** Closes a code: nobody asks by it any more, and who still waits is not admitted. @throws ApiError NOT_FOUND. */
export async function revokeSessionCode(
  { database, events }: InvitationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const closed = await database.transaction().execute(async (transaction) => {
    if (!(await lockCode(transaction, id))) throw notFound("The session code");
    const row = await transaction
      .updateTable("sessionCodes")
      .set({ revokedAt: new Date(), admitUntil: null })
      .where("id", "=", id)
      .returning(["sessionId", "storeId"])
      .executeTakeFirstOrThrow();
    await record(transaction, caller, "session_code.revoked", row, null);
    return row;
  });
  events.publish({ type: "invitation", sessionId: closed.sessionId, storeId: closed.storeId });
}

/** Records what an administrator did with a session's code. */
export async function record(
  transaction: Transaction,
  caller: Caller,
  action: "session_code.opened" | "session_code.revoked" | "session_code.admitting",
  { sessionId }: { readonly sessionId: string },
  after: { readonly admitUntil: string | null } | null,
): Promise<void> {
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action,
    subject: await sessionSubject(transaction, sessionId),
    before: null,
    after,
  });
}
