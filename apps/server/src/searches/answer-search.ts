import {
  type answerSearch,
  type CallRequest,
  limits,
  type SearchAnswer,
  type SearchHistory,
  type SearchTaskItem,
} from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, productSubject, recordAudit } from "../audit/audit.ts";
import { canSendScansTo } from "../auth/auth.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { readSaid } from "../reports/reports.ts";
import { lockSession } from "../sessions/sessions.ts";
import { isOpenTo, type ListInSession, listNotFound } from "./search-queries.ts";
import type { SearchServices } from "./services.ts";
import { readTaskItems } from "./task-item-queries.ts";

type Given = CallRequest<typeof answerSearch>["body"];

/**
 * Keeps what somebody says of a SKU of a list, in the place of what they said before. A choice of the administrator's ends where
 * the answer is another one, or somebody has looked once more after its stock had changed. Saying the same again changes nothing but then.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, SEARCH_WITHDRAWN, RATE_LIMITED.
 */
export async function keepAnswer(
  { database, events }: SearchServices,
  caller: Caller,
  of: ListInSession,
  given: Given,
): Promise<SearchTaskItem> {
  const { sessionId } = of;
  const { storeId, item } = await database.transaction().execute(async (transaction) => {
    const session = await lockRunning(transaction, caller, sessionId);
    await requireOpenList(transaction, caller, of);
    const [before] = await readTaskItems(transaction, caller, of, { sku: given.sku, count: 1 });
    if (before === undefined) throw notFound("The product on this list");
    const standing = (await readSaid(transaction, sessionId, [given.sku]))(given.sku);
    if (isNews(given, before.answer, standing))
      await changeAnswer(transaction, caller, of, given, { answer: before.answer, ...standing });
    const { place: _place, ...answered } = { ...before, answer: given.answer };
    return { storeId: session.storeId, item: answered };
  });
  events.publish({ type: "scan", sessionId, storeId });
  return item;
}

/** What is known of a SKU before somebody answers. */
type Standing = Pick<SearchHistory, "decision" | "movedSince">;

/** Said again it is news where it was decided otherwise, and where its stock has changed: somebody has looked once more. */
function isNews({ answer }: Given, before: SearchAnswer | null, { decision, movedSince }: Standing): boolean {
  if (before !== answer || (decision !== null && decision.answer !== answer)) return true;
  return answer === "not_there" && movedSince;
}

async function lockRunning(transaction: Transaction, caller: Caller, sessionId: string) {
  const { rows } = await sql`
    select from sessions session where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}`.execute(
    transaction,
  );
  if (rows.length === 0) throw notFound("The session");
  const session = await lockSession(transaction, sessionId);
  if (session.status === "closed") {
    throw new ApiError(
      "SESSION_CLOSED",
      "This counting session has ended. Your answer was not kept: tell the administrator what you found.",
    );
  }
  return session;
}

async function requireOpenList(
  transaction: Transaction,
  caller: Caller,
  { sessionId, number }: ListInSession,
): Promise<void> {
  const { rows } = await sql<{ isWithdrawn: boolean }>`
    select list.withdrawn_at is not null as is_withdrawn from search_lists list
    where list.session_id = ${sessionId} and list.number = ${number} and ${isOpenTo(caller)}`.execute(
    transaction,
  );
  const [list] = rows;
  if (list === undefined) throw listNotFound();
  if (!list.isWithdrawn) return;
  throw new ApiError(
    "SEARCH_WITHDRAWN",
    "The administrator has taken this list back. Your answer was not kept; what you answered before is.",
  );
}

async function changeAnswer(
  transaction: Transaction,
  caller: Caller,
  { sessionId, number }: ListInSession,
  { sku, answer, deviceId }: Given,
  before: Standing & { readonly answer: SearchAnswer | null },
): Promise<void> {
  const said = { answer, number, deviceId };
  const given = await countGiven(transaction, { sessionId, sku, answeredBy: caller.userId });
  await transaction
    .insertInto("searchAnswers")
    .values({ sessionId, sku, answeredBy: caller.userId, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(["sessionId", "sku", "answeredBy"])
        .doUpdateSet({ ...said, given: given + 1, answeredAt: sql<Date>`now()` }),
    )
    .execute();
  const ended = await transaction
    .deleteFrom("searchDecisions")
    .where("sessionId", "=", sessionId)
    .where("sku", "=", sku)
    // What was decided before its stock changed would hide that somebody has looked since.
    .$if(!before.movedSince, (query) => query.where("answer", "<>", answer))
    .returning("answer")
    .executeTakeFirst();
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "search.answered",
    subject: await productSubject(transaction, sessionId, sku),
    before: { answer: before.answer, ...(ended === undefined ? {} : { decided: ended.answer }) },
    after: { answer, list: number, device: deviceId },
  });
}

const quietMinutes = 60;

/**
 * How often somebody has answered about a SKU since they last left it for an hour. Each time is an entry of the audit log, which nobody
 * can shorten. @throws ApiError RATE_LIMITED.
 */
async function countGiven(
  transaction: Transaction,
  {
    sessionId,
    sku,
    answeredBy,
  }: { readonly sessionId: string; readonly sku: string; readonly answeredBy: string },
): Promise<number> {
  const { rows } = await sql<{ given: number; quietSeconds: number }>`
    select given, extract(epoch from now() - answered_at)::float8 as quiet_seconds from search_answers
    where session_id = ${sessionId} and sku = ${sku} and answered_by = ${answeredBy}`.execute(transaction);
  const [{ given, quietSeconds } = { given: 0, quietSeconds: 0 }] = rows;
  const waitSeconds = quietMinutes * 60 - quietSeconds;
  if (waitSeconds <= 0) return 0;
  if (given < limits.searchAnswers) return given;
  throw new ApiError(
    "RATE_LIMITED",
    `You have changed your answer about this product ${limits.searchAnswers} times. Leave it for an hour, or tell the administrator what you found.`,
    { retryAfterSeconds: Math.ceil(waitSeconds) },
  );
}
