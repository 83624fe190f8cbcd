import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { actorOf, recordAudit, serverActor } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { nameKey } from "../../kernel/formats.ts";
import { lockNames } from "../../users/users.ts";
import { nameApart } from "../name-apart.ts";
import type { InvitationServices } from "../services.ts";
import { record } from "./manage-code.ts";
import {
  findOpenCodes,
  lockCode,
  type OpenCode,
  readWaiting,
  requestStatus,
  requireRunning,
  type WaitingRow,
} from "./queries.ts";

/** For so long everybody who asks is admitted. */
export const admittingMinutes = 30;

type Person = Pick<WaitingRow, "id" | "counterName" | "keyHash">;

/**
 * Gives people who asked an invitation without an address, which their own key opens: they join, are bounded and are removed
 * as whoever was invited by mail. Where another of the session has the name already, it gets a number. `caller` is who admitted them; null where everybody is admitted at the time.
 * Call it with the code locked.
 */
export async function admit(
  transaction: Transaction,
  { sessionId, storeId }: Pick<OpenCode, "sessionId" | "storeId">,
  people: readonly Person[],
  caller: Caller | null,
): Promise<void> {
  // The log's chain is locked last, so everybody is written before the first entry.
  const invitations: { readonly id: string; readonly name: string }[] = [];
  const taken = await lockNames(transaction, sessionId, { except: null });
  for (const person of people) {
    const name = nameApart(person.counterName, taken);
    taken.add(nameKey(name));
    const id = await insertInvitation(transaction, { sessionId, storeId }, person, name);
    invitations.push({ id, name });
  }
  for (const { id, name } of invitations) {
    await recordAudit(transaction, {
      sessionId,
      actor: caller === null ? serverActor : actorOf(caller),
      action: "counter.admitted",
      subject: { kind: "invitation", id, name },
      before: null,
      after: { counterName: name },
    });
  }
}

async function insertInvitation(
  transaction: Transaction,
  { sessionId, storeId }: Pick<OpenCode, "sessionId" | "storeId">,
  { id, counterName: askedName, keyHash }: Person,
  counterName: string,
): Promise<string> {
  const invitation = await transaction
    .insertInto("invitations")
    .values({
      ...{ sessionId, storeId, locationId: null, counterName, email: "", tokenHash: keyHash },
      ...(askedName === counterName ? {} : { askedName }),
      // The key itself is the phone's alone, so that the list shows an ending of its own.
      ...{ tokenEnding: randomBytes(9).toString("base64url"), sentAt: new Date() },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable("joinRequests")
    .set({ invitationId: invitation.id, declinedAt: null })
    .where("id", "=", id)
    .execute();
  return invitation.id;
}

/** Admits everybody who waits, and for half an hour everybody who asks; or ends that. @throws ApiError NOT_FOUND, SESSION_CLOSED. */
export async function admitAll(
  { database, events }: InvitationServices,
  caller: Caller,
  id: string,
  admitting: boolean,
): Promise<OpenCode> {
  const code = await database.transaction().execute(async (transaction) => {
    const found = await requireOpen(transaction, id);
    const { rows } = await sql<{ admitUntil: Date | null }>`
      update session_codes set admit_until =
        case when ${admitting}::boolean then now() + make_interval(mins => ${admittingMinutes}) end
      where id = ${id} returning admit_until`.execute(transaction);
    const admitUntil = rows[0]?.admitUntil ?? null;
    if (admitting) await admit(transaction, found, await readWaiting(transaction, id), caller);
    await record(transaction, caller, "session_code.admitting", found, {
      admitUntil: admitUntil?.toISOString() ?? null,
    });
    return { ...found, admitUntil };
  });
  publish(events, code);
  return code;
}

/** An open code, held, of a session that runs. */
async function requireOpen(transaction: Transaction, id: string): Promise<OpenCode> {
  const row = await transaction
    .selectFrom("sessionCodes")
    .select(["sessionId", "storeId"])
    .where("id", "=", id)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw notFound("The session code");
  await requireRunning(transaction, row);
  if (!(await lockCode(transaction, id))) throw notFound("The session code");
  const [code] = await findOpenCodes(transaction, sql`code.id = ${id}`);
  if (code === undefined) throw notFound("The session code");
  return code;
}

interface FoundRequest extends Person {
  readonly codeId: string;
  readonly sessionId: string;
  readonly storeId: string;
  readonly status: "waiting" | "admitted" | "declined";
}

async function findRequest(transaction: Transaction, id: string): Promise<FoundRequest> {
  const { rows } = await sql<FoundRequest>`
    select request.id, request.counter_name, request.key_hash, request.code_id, code.session_id, code.store_id,
      ${requestStatus} as status
    from join_requests request join session_codes code on code.id = request.code_id
    where request.id = ${id}`.execute(transaction);
  const [request] = rows;
  if (request === undefined) throw notFound("The request");
  return request;
}

/** Admits one person; once is enough. @throws ApiError NOT_FOUND, also where the code was closed; SESSION_CLOSED. */
export async function admitPerson(
  { database, events }: InvitationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const admitted = await database.transaction().execute(async (transaction) => {
    const { codeId } = await findRequest(transaction, id);
    const code = await requireOpen(transaction, codeId);
    const request = await findRequest(transaction, id);
    if (request.status === "admitted") return null;
    await admit(transaction, code, [request], caller);
    return code;
  });
  if (admitted !== null) publish(events, admitted);
}

/** Declines one person who waits. @throws ApiError NOT_FOUND, also for somebody who was admitted: revoke the invitation. */
export async function declinePerson(
  { database, events }: InvitationServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const declined = await database.transaction().execute(async (transaction) => {
    const { codeId } = await findRequest(transaction, id);
    await lockCode(transaction, codeId);
    const request = await findRequest(transaction, id);
    if (request.status === "declined") return null;
    if (request.status === "admitted") {
      throw new ApiError("NOT_FOUND", "This person was admitted already. Revoke the invitation instead.");
    }
    await transaction
      .updateTable("joinRequests")
      .set({ declinedAt: new Date() })
      .where("id", "=", id)
      .execute();
    await recordDecline(transaction, caller, request);
    return request;
  });
  if (declined !== null) publish(events, declined);
}

async function recordDecline(transaction: Transaction, caller: Caller, request: FoundRequest): Promise<void> {
  const { sessionId, counterName } = request;
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "counter.declined",
    subject: { kind: "invitation", id: null, name: counterName },
    before: { counterName },
    after: null,
  });
}

function publish(
  events: InvitationServices["events"],
  { sessionId, storeId }: Pick<OpenCode, "sessionId" | "storeId">,
): void {
  events.publish({ type: "invitation", sessionId, storeId });
}
