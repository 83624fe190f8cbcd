import type { OwnJoinRequest } from "@stocktake/contract";
import { sql } from "kysely";
import { hashToken } from "../../auth/auth.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { InvitationServices } from "../services.ts";
import { admit } from "./admit.ts";
import { findOwnRequest, type OwnRequest } from "./own-request.ts";
import { holdSession, lockCode, type OpenCode, requireCode } from "./queries.ts";
import { requireRoomToAsk, requireRoomToWait } from "./room.ts";

export interface Asking {
  readonly counterName: string;
  /** What the phone made up; only its hash is kept. */
  readonly key: string;
  /** Whose asks are counted together: one visitor's addresses. */
  readonly address: string;
}

/**
 * Asks to be admitted by a session code. The same key again is the same request, whatever came of it. While everybody is
 * admitted, so is this person. @throws ApiError NOT_FOUND, RATE_LIMITED.
 */
export async function askToJoin(
  services: InvitationServices,
  token: string,
  asking: Asking,
): Promise<OwnJoinRequest> {
  const { database, events } = services;
  const code = await requireCode(database, token);
  // Before any lock: whoever asks again and again, or too often, must hold nobody up.
  if (await isKnown(database, hashToken(asking.key))) return readJoinRequest(services, asking.key);
  await requireRoomToAsk(database, code.id, asking.address);
  const isNew = await database.transaction().execute((transaction) => ask(transaction, code, asking));
  if (isNew) events.publish({ type: "invitation", sessionId: code.sessionId, storeId: code.storeId });
  return readJoinRequest(services, asking.key);
}

/** Whether there was no such request yet. */
async function ask(transaction: Transaction, code: OpenCode, asking: Asking): Promise<boolean> {
  await hold(transaction, code);
  const keyHash = hashToken(asking.key);
  if (await isKnown(transaction, keyHash)) return false;
  await requireRoomToAsk(transaction, code.id, asking.address);
  const { counterName, address } = asking;
  const { id } = await transaction
    .insertInto("joinRequests")
    .values({ codeId: code.id, counterName, keyHash, address })
    .returning("id")
    .executeTakeFirstOrThrow();
  await admitWhileEverybodyIs(transaction, code.token, { id, counterName, keyHash });
  return true;
}

/** @throws ApiError NOT_FOUND where the session has ended or the code was closed. */
async function hold(
  transaction: Transaction,
  code: Pick<OpenCode, "id" | "sessionId" | "storeId">,
): Promise<void> {
  if ((await holdSession(transaction, code)) && (await lockCode(transaction, code.id))) return;
  throw new ApiError("NOT_FOUND", "Invalid or expired session code");
}

/** Reads the code again under its lock: admitting everybody may have ended in between. */
async function admitWhileEverybodyIs(
  transaction: Transaction,
  token: string,
  person: { readonly id: string; readonly counterName: string; readonly keyHash: Buffer },
): Promise<void> {
  const code = await requireCode(transaction, token);
  if (code.admitUntil !== null) await admit(transaction, code, [person], null);
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

/**
 * What became of a phone's own request, while the session runs. Reading it keeps the request waiting; one that had not been
 * heard of for too long waits again where there is room. @throws ApiError NOT_FOUND, RATE_LIMITED.
 */
export async function readJoinRequest(services: InvitationServices, key: string): Promise<OwnJoinRequest> {
  const { database } = services;
  const own = await findOwnRequest(database, key);
  if (own.status === "waiting" && !own.isHeard) return waitAgain(services, own, key);
  if (own.status === "waiting") await noteHeard(database, own.id);
  return present(own);
}

function present({ counterName, status, storeName }: OwnRequest): OwnJoinRequest {
  return { counterName, status, store: { name: storeName } };
}

/** Once in a while is enough: a phone asks every two seconds. */
async function noteHeard(database: Database, id: string): Promise<void> {
  await sql`
    update join_requests set heard_at = now()
    where id = ${id} and heard_at < now() - interval '20 seconds'`.execute(database);
}

async function waitAgain(
  { database, events }: InvitationServices,
  { id, codeId, codeToken, sessionId, storeId, address }: OwnRequest,
  key: string,
): Promise<OwnJoinRequest> {
  const [own, isBack] = await database.transaction().execute(async (transaction) => {
    await hold(transaction, { id: codeId, sessionId, storeId });
    // Meanwhile it may have been admitted or declined, or another tab of the phone was faster.
    const found = await findOwnRequest(transaction, key);
    if (found.status !== "waiting" || found.isHeard) return [found, false];
    await requireRoomToWait(transaction, codeId, address);
    await sql`update join_requests set heard_at = now() where id = ${id}`.execute(transaction);
    await admitWhileEverybodyIs(transaction, codeToken, found);
    return [await findOwnRequest(transaction, key), true];
  });
  if (isBack) events.publish({ type: "invitation", sessionId, storeId });
  return present(own);
}
