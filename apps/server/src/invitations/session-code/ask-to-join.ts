import { limits, type OwnJoinRequest } from "@stocktake/contract";
import { sql } from "kysely";
import { hashToken } from "../../auth/auth.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { InvitationServices } from "../services.ts";
import { admit } from "./admit.ts";
import { holdSession, lockCode, type OpenCode, requestStatus, requireCode } from "./queries.ts";

export interface Asking {
  readonly counterName: string;
  /** What the phone made up; only its hash is kept. */
  readonly key: string;
  /** Whose asks are counted together: one visitor's addresses. */
  readonly address: string;
}

const minutes = 15;

/**
 * Asks to be admitted by a session code. The same key again is the same request, whatever came of it. While everybody is
 * admitted, so is this person. @throws ApiError NOT_FOUND, RATE_LIMITED.
 */
export async function askToJoin(
  { database, events }: InvitationServices,
  token: string,
  asking: Asking,
): Promise<OwnJoinRequest> {
  const code = await requireCode(database, token);
  // Before any lock: whoever asks again and again, or too often, must hold nobody up.
  if (await isKnown(database, hashToken(asking.key))) return readJoinRequest(database, asking.key);
  await requireRoom(database, code.id, asking.address);
  const isNew = await database.transaction().execute((transaction) => ask(transaction, code, asking));
  if (isNew) events.publish({ type: "invitation", sessionId: code.sessionId, storeId: code.storeId });
  return readJoinRequest(database, asking.key);
}

/** Whether there was no such request yet. */
async function ask(transaction: Transaction, asked: OpenCode, asking: Asking): Promise<boolean> {
  const { id, token } = asked;
  const isOpen = (await holdSession(transaction, asked)) && (await lockCode(transaction, id));
  if (!isOpen) throw new ApiError("NOT_FOUND", "Invalid or expired session code");
  const keyHash = hashToken(asking.key);
  if (await isKnown(transaction, keyHash)) return false;
  await requireRoom(transaction, id, asking.address);
  const { counterName, address } = asking;
  const { id: requestId } = await transaction
    .insertInto("joinRequests")
    .values({ codeId: id, counterName, keyHash, address })
    .returning("id")
    .executeTakeFirstOrThrow();
  // Read again under the lock: admitting everybody may have ended in between.
  const code = await requireCode(transaction, token);
  if (code.admitUntil !== null)
    await admit(transaction, code, [{ id: requestId, counterName, keyHash }], null);
  return true;
}

/** Also the token of an invitation: it opens a session already, and could not open another. */
async function isKnown(reader: Database, keyHash: Buffer): Promise<boolean> {
  const { rows } = await sql<{ requested: boolean; invited: boolean }>`
    select exists (select from join_requests where key_hash = ${keyHash}) as requested,
      exists (select from invitations where token_hash = ${keyHash}) as invited`.execute(reader);
  const [{ requested, invited } = { requested: false, invited: false }] = rows;
  if (invited && !requested) throw new ApiError("VALIDATION", "This key is in use. Open the link again.");
  return requested;
}

interface AsksRow {
  waiting: number;
  recent: number;
  fromAddress: number;
}

async function requireRoom(reader: Database, codeId: string, address: string): Promise<void> {
  const { rows } = await sql<AsksRow>`
    select count(*) filter (where declined_at is null and invitation_id is null)::int as waiting,
      count(*) filter (where asked_at > now() - make_interval(mins => ${minutes}))::int as recent,
      count(*) filter (where asked_at > now() - make_interval(mins => ${minutes}) and address = ${address})::int
        as from_address
    from join_requests where code_id = ${codeId}`.execute(reader);
  const [asks] = rows;
  if (asks === undefined) return;
  const isFull = asks.waiting >= limits.waitingPerCode || asks.recent >= limits.asksPerCode;
  if (!isFull && asks.fromAddress < limits.asksPerAddress) return;
  throw new ApiError(
    "RATE_LIMITED",
    "Many people are asking to join at the moment. Tell the administrator, and try again in a few minutes.",
    { retryAfterSeconds: 60 },
  );
}

/** What became of a phone's own request, while the session runs. @throws ApiError NOT_FOUND. */
export async function readJoinRequest(database: Database, key: string): Promise<OwnJoinRequest> {
  const { rows } = await sql<{ counterName: string; status: OwnJoinRequest["status"]; storeName: string }>`
    select request.counter_name, store.name as store_name,
      ${requestStatus} as status
    from join_requests request
    join session_codes code on code.id = request.code_id
    join sessions session on session.id = code.session_id
    join stores store on store.id = code.store_id
    left join invitations invitation on invitation.id = request.invitation_id
    where request.key_hash = ${hashToken(key)} and session.status in ('active', 'ending')
      and invitation.revoked_at is null and (code.revoked_at is null or invitation.id is not null)`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new ApiError("NOT_FOUND", "Invalid or expired session code");
  return { counterName: row.counterName, status: row.status, store: { name: row.storeName } };
}
