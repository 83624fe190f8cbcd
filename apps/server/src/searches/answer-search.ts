import {
  type answerSearch,
  type CallRequest,
  limits,
  type SearchAnswer,
  type SearchHistory,
  type SearchTaskItem,
} from "@stocktake/contract";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { actorOf, productSubject, recordAudit } from "../audit/audit.ts";
import { canSendScansTo } from "../auth/auth.ts";
import type { Transaction } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { isLastWord, readSaid } from "../reports/reports.ts";
import { noteHeard } from "../scanning/scanning.ts";
import { lockSession } from "../sessions/sessions.ts";
import { isOpenTo, type ListInSession, listNotFound } from "./search-queries.ts";
import type { SearchServices } from "./services.ts";
import { readTaskItems } from "./task-item-queries.ts";

type Given = CallRequest<typeof answerSearch>["body"];

/**
 * Keeps what somebody says of a SKU of a list, in the place of what they said before. A choice of the administrator's ends where
 * the answer is another one, or somebody has looked once more after its stock had changed or a scan of it was voided; "not there" that was said
 * before it was made ends none, nor does any where the clock was set, as nobody knows then what was said before. Saying the same again changes nothing but then,
 * or where the same person has said otherwise on another phone since, and what they said earlier on the same device and arrives later never does: both are answered with what is kept, after the end too.
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
    const session = await lockReachable(transaction, caller, sessionId);
    const list = await readList(transaction, caller, of);
    const [before] = await readTaskItems(transaction, caller, of, { sku: given.sku, count: 1 });
    if (before === undefined) throw notFound("The product on this list");
    const kept = await readKept(transaction, caller, sessionId, given.sku);
    const history = (await readSaid(transaction, sessionId, [given.sku]))(given.sku);
    const isOver = kept !== undefined && isOvertaken(given, kept);
    const isNew =
      kept !== undefined &&
      (isNews(given, kept, history) ||
        !(await isLastWord(transaction, { sessionId, sku: given.sku, userId: caller.userId })));
    if (kept === undefined || (!isOver && isNew)) {
      requireRunning(session);
      requireOpen(list);
      const before = { answer: kept?.answer ?? null, ...history };
      await changeAnswer(transaction, caller, { ...of, startedAt: session.startedAt }, given, before);
    } else if (!isOver) await noteOrder(transaction, caller, of, given);
    const answer = isOver ? kept.answer : given.answer;
    const { place: _place, ...answered } = { ...before, answer };
    return { storeId: session.storeId, item: answered };
  });
  events.publish({ type: "scan", sessionId, storeId });
  await noteHeard(database, { sessionId, deviceId: given.deviceId, userId: caller.userId });
  return item;
}

/** What the caller has said of the SKU so far. */
type Kept = Pick<Selectable<Tables["searchAnswers"]>, "answer" | "deviceId" | "answerOrder">;

function readKept(
  transaction: Transaction,
  { userId }: Caller,
  sessionId: string,
  sku: string,
): Promise<Kept | undefined> {
  return transaction
    .selectFrom("searchAnswers")
    .select(["answer", "deviceId", "answerOrder"])
    .where("sessionId", "=", sessionId)
    .where("sku", "=", sku)
    .where("answeredBy", "=", userId)
    .executeTakeFirst();
}

/**
 * By the numbers of one device alone: of several, and of an app that numbers none, the last to arrive holds. The same number once more is the
 * same request, but where two phones have a copy of one storage.
 */
function isOvertaken({ answer, deviceId, answerOrder }: Given, kept: Kept): boolean {
  if (answerOrder === undefined || kept.answerOrder === null || deviceId !== kept.deviceId) return false;
  return answerOrder < kept.answerOrder || (answerOrder === kept.answerOrder && answer === kept.answer);
}

/** What is known of a SKU before somebody answers. */
type LastKnown = Pick<SearchHistory, "decision" | "movedSince" | "voidedSince" | "clockWasSet">;

/**
 * Said again it is news where it was decided otherwise, and where its stock has changed or it was scanned in a count that was voided: somebody
 * has looked once more.
 */
function isNews({ answer }: Given, kept: Kept, known: LastKnown): boolean {
  const { decision } = known;
  if (kept.answer !== answer) return true;
  if (settlesNothing(answer, known)) return false;
  if (decision !== null && decision.answer !== answer) return true;
  return answer === "not_there" && hasHappenedSince(known);
}

/** Whether something has happened since somebody looked, or decided, that whoever looks once more settles. */
function hasHappenedSince({ movedSince, voidedSince = false }: LastKnown): boolean {
  return movedSince || voidedSince;
}

/** Where the clock was set "not there" may have been said before anything that is known. */
function settlesNothing(answer: SearchAnswer, { clockWasSet = false }: LastKnown): boolean {
  return answer === "not_there" && clockWasSet;
}

/** The same answer, said anew: what was said on that device before it can't come after it any more. */
async function noteOrder(
  transaction: Transaction,
  { userId }: Caller,
  { sessionId }: ListInSession,
  { sku, deviceId, answerOrder }: Given,
): Promise<void> {
  if (answerOrder === undefined) return;
  await transaction
    .updateTable("searchAnswers")
    .set({ deviceId, answerOrder })
    .where("sessionId", "=", sessionId)
    .where("sku", "=", sku)
    .where("answeredBy", "=", userId)
    .execute();
}

async function lockReachable(transaction: Transaction, caller: Caller, sessionId: string) {
  const { rows } = await sql`
    select from sessions session where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}`.execute(
    transaction,
  );
  if (rows.length === 0) throw notFound("The session");
  return lockSession(transaction, sessionId);
}

function requireRunning({ status }: Pick<Selectable<Tables["sessions"]>, "status">): void {
  if (status !== "closed") return;
  throw new ApiError(
    "SESSION_CLOSED",
    "This counting session has ended. Your answer was not kept: tell the administrator what you found.",
  );
}

interface ReachableList {
  readonly isWithdrawn: boolean;
}

async function readList(
  transaction: Transaction,
  caller: Caller,
  { sessionId, number }: ListInSession,
): Promise<ReachableList> {
  const { rows } = await sql<ReachableList>`
    select list.withdrawn_at is not null as is_withdrawn from search_lists list
    where list.session_id = ${sessionId} and list.number = ${number} and ${isOpenTo(caller)}`.execute(
    transaction,
  );
  const [list] = rows;
  if (list === undefined) throw listNotFound();
  return list;
}

function requireOpen({ isWithdrawn }: ReachableList): void {
  if (!isWithdrawn) return;
  throw new ApiError(
    "SEARCH_WITHDRAWN",
    "The administrator has taken this list back. Your answer was not kept; what you answered before is.",
  );
}

async function changeAnswer(
  transaction: Transaction,
  caller: Caller,
  { sessionId, number, startedAt }: ListInSession & Pick<Selectable<Tables["sessions"]>, "startedAt">,
  { sku, answer, deviceId, answerOrder, saidAgoMs }: Given,
  before: LastKnown & { readonly answer: SearchAnswer | null },
): Promise<void> {
  const lookedAt = saidAgoMs === undefined ? null : timeAgo(saidAgoMs, startedAt);
  const saidAt = lookedAt ?? sql<Date>`now()`;
  const said = { answer, number, deviceId, answerOrder: answerOrder ?? null, lookedAt };
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
  const ended = settlesNothing(answer, before)
    ? undefined
    : await endDecision(transaction, { sessionId, sku, answer, saidAt }, before);
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "search.answered",
    subject: await productSubject(transaction, sessionId, sku),
    before: { answer: before.answer, ...(ended === undefined ? {} : { decided: ended.answer }) },
    after: { answer, list: number, device: deviceId },
  });
}

interface Said {
  readonly sessionId: string;
  readonly sku: string;
  readonly answer: SearchAnswer;
  readonly saidAt: RawBuilder<Date>;
}

/** Ends the administrator's choice that an answer is another one than, or that it comes after; resolves to what it was. */
function endDecision(
  transaction: Transaction,
  { sessionId, sku, answer, saidAt }: Said,
  before: LastKnown,
): Promise<{ readonly answer: SearchAnswer } | undefined> {
  return (
    transaction
      .deleteFrom("searchDecisions")
      .where("sessionId", "=", sessionId)
      .where("sku", "=", sku)
      // What was decided before its stock changed, or somebody scanned it, would hide that somebody has looked since.
      .$if(!hasHappenedSince(before), (query) => query.where("answer", "<>", answer))
      // Whoever decided after somebody had looked may know more. That it was found ends it at any rate: nothing goes to zero by that.
      .$if(answer === "not_there", (query) => query.where("decidedAt", "<=", saidAt))
      .returning("answer")
      .executeTakeFirst()
  );
}

/** So many milliseconds before now, but not before the session: nobody looked for anything of it earlier. */
function timeAgo(milliseconds: number, notBefore: Date) {
  return sql<Date>`least(now(), greatest(${notBefore}::timestamptz, now() - ${milliseconds} * interval '1 millisecond'))`;
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
