import type { OwnJoinRequest } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";

/** A code whose session runs, as the use cases need it. */
export interface OpenCode {
  readonly id: string;
  readonly sessionId: string;
  readonly storeId: string;
  readonly storeName: string;
  readonly startedAt: Date;
  readonly token: string;
  readonly createdAt: Date;
  /** Null where nobody is admitted by asking, or not any more. */
  readonly admitUntil: Date | null;
}

/** What has become of `request`, a row of `join_requests`: waiting, admitted or declined. */
export const requestStatus = sql<
  OwnJoinRequest["status"]
>`case when request.invitation_id is not null then 'admitted'
  when request.declined_at is not null then 'declined' else 'waiting' end`;

/** A waiting phone asks every two seconds; in a pocket its page asks for nothing, and comes back when it is taken out. */
const heardMinutes = 5;

/** Whether the phone of `request`, a row of `join_requests`, still waits: others are not shown and take up no room. */
export const isHeard = sql<boolean>`request.heard_at > now() - make_interval(mins => ${heardMinutes})`;

export interface WaitingRow {
  readonly id: string;
  readonly counterName: string;
  readonly keyHash: Buffer;
  readonly askedAt: Date;
}

/** Who waits at a code, the longest first. */
export async function readWaiting(database: Database, codeId: string): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select request.id, request.counter_name, request.key_hash, request.asked_at from join_requests request
    where request.code_id = ${codeId} and ${requestStatus} = 'waiting' and ${isHeard}
    order by request.asked_at`.execute(database);
  return rows;
}

/** The open codes of running sessions. */
export async function findOpenCodes(database: Database, where: RawBuilder<unknown>): Promise<OpenCode[]> {
  const { rows } = await sql<OpenCode>`
    select code.id, code.session_id, code.store_id, store.name as store_name, session.started_at, code.token,
      code.created_at, case when code.admit_until > now() then code.admit_until end as admit_until
    from session_codes code
    join sessions session on session.id = code.session_id
    join stores store on store.id = code.store_id
    where code.revoked_at is null and session.status in ('active', 'ending') and ${where}`.execute(database);
  return rows;
}

/** As newToken makes them. What a visitor brings may be anything, also what PostgreSQL takes for no text. */
const tokenForm = /^[\w-]{43}$/;

/** The code that a link's token opens. @throws ApiError NOT_FOUND for unknown, closed and expired alike. */
export async function requireCode(database: Database, token: string): Promise<OpenCode> {
  const [code] = tokenForm.test(token) ? await findOpenCodes(database, sql`code.token = ${token}`) : [];
  if (code === undefined) throw new ApiError("NOT_FOUND", "Invalid or expired session code");
  return code;
}

/** Holds a code until the transaction ends: asking, admitting and closing take turns. False where it is closed. */
export async function lockCode(transaction: Transaction, id: string): Promise<boolean> {
  const row = await transaction
    .selectFrom("sessionCodes")
    .select("id")
    .where("id", "=", id)
    .where("revokedAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Holds a session, after its store as everybody does, so that it can't end until the transaction does. False where it has
 * ended. Call it before {@link lockCode}.
 */
export async function holdSession(
  transaction: Transaction,
  { sessionId, storeId }: Pick<OpenCode, "sessionId" | "storeId">,
): Promise<boolean> {
  await transaction.selectFrom("stores").select("id").where("id", "=", storeId).forKeyShare().execute();
  const session = await transaction
    .selectFrom("sessions")
    .select("status")
    .where("id", "=", sessionId)
    .forShare()
    .executeTakeFirst();
  return session?.status === "active" || session?.status === "ending";
}

/** The same where it must run. @throws ApiError SESSION_CLOSED. */
export async function requireRunning(
  transaction: Transaction,
  code: Pick<OpenCode, "sessionId" | "storeId">,
): Promise<void> {
  if (await holdSession(transaction, code)) return;
  throw new ApiError("SESSION_CLOSED", "This counting session has ended, so nobody can join it any more.");
}
