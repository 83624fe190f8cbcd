import { type AreaStatus, passOfNoCount } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { invalidField, notFound } from "../kernel/api-error.ts";
import { type Ending, endings, isVoiding, reasonsOfEndings } from "./endings.ts";
import { addToTotals, endOpenAttempts, isOfPass, nextPass, type Pass, totalOf } from "./queries.ts";
import { isOfCompared } from "./second-counts/attempt-queries.ts";
import { compareChangedSince } from "./second-counts/compare.ts";
import { moveComparison } from "./second-counts/compared-row-queries.ts";
import { isTagCounted, lockTagsOf } from "./tag-queries.ts";

/**
 * The life of a pass: every change of an area's pass and status, and of what counts in it, is made here. The caller
 * holds the session's row (FOR SHARE is enough) and then the area's FOR UPDATE, in that order, so that no scan arrives
 * in between.
 */
export { assignmentAsTaken, assignmentOf, assignTo, countedByOthers } from "./assignment-queries.ts";
export { devicesOf } from "./device-queries.ts";
export { reasonsOfEndings } from "./endings.ts";
export { leaveOut, leftOutAreas, renumberLeftOut, wasLeftOut } from "./left-out-queries.ts";
export { beginFirstPasses, firstPasses, firstPassOf, lastPasses } from "./outermost-pass-queries.ts";
export { declareOwnTotal, ownTotalsOf } from "./own-total-queries.ts";
export {
  addToTotals,
  beginSessionPasses,
  countingTimes,
  isOfPass,
  markInProgress,
  type Pass,
  readPasses,
  skipExpectedPass,
  skipExpectedPasses,
  subtractFromTotals,
  totalOf,
} from "./queries.ts";
export {
  isRestored,
  owedRecount,
  presentRecount,
  previousEnding,
  type StoredRecount,
} from "./recount-queries.ts";
export { hasScansIn, isSaidOfPass } from "./said-queries.ts";
export { commitSeeds, nextSeed } from "./samples/commitment-queries.ts";
export { drawAreas } from "./samples/seeds.ts";
export {
  type Attempt,
  attemptMeant,
  attemptSeen,
  attemptsOf,
  beginAttempt,
  endAttempt,
  hasCountedIn,
  isCountSeenBy,
  isMadeBy,
  isMadeFor,
  isOfCompared,
  isOfSecondCount,
  markAttemptsInProgress,
  type NamedByPass,
  openAttempt,
} from "./second-counts/attempt-queries.ts";
export { readBarred } from "./second-counts/barred-queries.ts";
export { compareAgain, countAs, forgetNames } from "./second-counts/compare.ts";
export {
  type ComparedRow,
  codesDiffer,
  comparedColumns,
  comparedTables,
  hasReplacedFirst,
  isFirstReplaced,
  isFirstWhatCounts,
  isInQuestion,
  isOfPresentCount,
  isOfPresentPass,
  presentCompared,
  settledAsNone,
  skusInQuestion,
} from "./second-counts/compared-row-queries.ts";
export { compareClosed, comparedUnits, finishAttempt, restartAttempt } from "./second-counts/end-attempt.ts";
export { type CountedAgain, countedAgain } from "./second-counts/progress-queries.ts";
export { endSessionPasses } from "./session-end.ts";
export { handTagOver, lockTags } from "./tag-queries.ts";

/** An ending, and the user who caused it. */
interface Ended {
  readonly endedAs: keyof typeof endings;
  readonly endedBy: string;
  /** Why the area is to be counted again, where somebody said so. */
  readonly because?: string | null;
}

interface NextPass extends Pick<Ending, "status"> {
  readonly pass: number;
  /** In units. */
  readonly voidedScans: number;
}

/**
 * Ends the area's pass and begins its next one. Nothing is erased: the counted and unresolved scans of the pass that
 * ends become voided, for the reason that its ending decides, and its running totals go.
 */
export async function beginNextPass(
  transaction: Transaction,
  current: Pass,
  { endedAs, endedBy, because = null }: Ended,
): Promise<NextPass> {
  const { reason, status } = endings[endedAs];
  const scans = await voidScans(transaction, current, { reason, endedBy });
  await recordEnding(transaction, current, { endedAs, endedBy, because, counted: scans.counted });
  await endOpenAttempts(transaction, current, endedBy);
  const pass = await raisePass(transaction, current, status);
  return { pass, status, voidedScans: scans.counted + scans.unresolved };
}

async function voidScans(
  transaction: Transaction,
  current: Pass,
  { reason, endedBy }: Pick<Ending, "reason"> & Pick<Ended, "endedBy">,
) {
  const { rows } = await sql<{ counted: number; unresolved: number }>`
    with voided as (
      update scans
      set status = 'voided', reason = ${reason}, voided_from = status, voided_from_reason = reason,
        voided_by = ${endedBy}, voided_at = now()
      where ${isOfPass(current)} and status in ('counted', 'unresolved')
      returning voided_from, quantity)
    select coalesce(sum(quantity) filter (where voided_from = 'counted'), 0) as counted,
      coalesce(sum(quantity) filter (where voided_from = 'unresolved'), 0) as unresolved
    from voided`.execute(transaction);
  await transaction.deleteFrom("scanTotals").where(isOfPass(current)).execute();
  return rows[0] ?? { counted: 0, unresolved: 0 };
}

async function recordEnding(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
  { endedAs, endedBy, because, counted }: Required<Ended> & { readonly counted: number },
): Promise<void> {
  // A pass that was finished keeps the total it was finished with: a repeated finish is answered from it.
  await sql`
    insert into area_passes (session_id, area_id, pass, server_total, ended_as, ended_at, ended_by, reason)
    values (${sessionId}, ${areaId}, ${pass}, ${counted}, ${endedAs}, now(), ${endedBy}, ${because})
    on conflict (session_id, area_id, pass) do update
    set server_total = coalesce(area_passes.server_total, excluded.server_total),
      ended_as = excluded.ended_as, ended_at = excluded.ended_at, ended_by = excluded.ended_by,
      reason = excluded.reason`.execute(transaction);
}

/** The new row's foreign key locks the session, so its row must be held already. */
async function raisePass(
  transaction: Transaction,
  { sessionId, areaId }: Pass,
  status: Ending["status"],
): Promise<number> {
  const { pass } = await transaction
    .updateTable("areas")
    .set({ pass: nextPass, status, closedBy: null, closedAt: null })
    .where("id", "=", areaId)
    .returning("pass")
    .executeTakeFirstOrThrow();
  await transaction.insertInto("areaPasses").values({ sessionId, areaId, pass }).execute();
  return pass;
}

/** A pass as people read it, in records and files: null where it is of no count. */
export function passShown(pass: number): number | null {
  return pass === passOfNoCount ? null : pass;
}

/** A finish as a device declares it, and the user who sent it. */
interface Declaration {
  readonly deviceId: string;
  readonly declaredTotal: number;
  readonly endedBy: string;
  /** When it was declared, by the device's estimate of the server's time; null where the device did not say. */
  readonly declaredAt: Date | null;
}

interface FinishedPass {
  readonly matched: boolean;
  readonly serverTotal: number;
  /** The area's pass and status afterwards. */
  readonly pass: number;
  readonly status: AreaStatus;
}

/**
 * Closes the area where the declared total is what counts in its pass; otherwise its next pass begins. A restored count is compared
 * again with the second counts that were made of it.
 */
export async function finishPass(
  transaction: Transaction,
  current: Pass,
  { deviceId, declaredTotal, endedBy, declaredAt }: Declaration,
): Promise<FinishedPass> {
  const serverTotal = await totalOf(transaction, current);
  const { rows } = await sql<{ wasCompared: boolean }>`
    insert into area_passes (session_id, area_id, pass, declared_total, server_total, finished_by_device)
    values (${current.sessionId}, ${current.areaId}, ${current.pass}, ${declaredTotal}, ${serverTotal}, ${deviceId})
    on conflict (session_id, area_id, pass) do update
    set declared_total = excluded.declared_total, server_total = excluded.server_total,
      finished_by_device = excluded.finished_by_device
    returning exists (select from second_counts where ${isOfCompared({ ...current, ofPass: current.pass })}
      and second_counts.ended_as = 'closed') as was_compared`.execute(transaction);
  if (serverTotal !== declaredTotal) {
    const next = await beginNextPass(transaction, current, { endedAs: "mismatched", endedBy });
    return { matched: false, serverTotal, pass: next.pass, status: next.status };
  }
  await closePass(transaction, current, { endedBy, declaredAt });
  if (rows[0]?.wasCompared === true)
    await compareChangedSince(transaction, { ...current, ofPass: current.pass });
  return { matched: true, serverTotal, pass: current.pass, status: "closed" };
}

async function closePass(
  transaction: Transaction,
  current: Pass,
  { endedBy, declaredAt }: Pick<Declaration, "endedBy" | "declaredAt">,
): Promise<void> {
  const now = sql<Date>`now()`;
  await transaction
    .updateTable("areas")
    .set({ status: "closed", closedBy: endedBy, closedAt: now })
    .where("id", "=", current.areaId)
    .execute();
  await transaction
    .updateTable("areaPasses")
    .set({ endedAs: "closed", endedAt: now, endedBy, declaredAt })
    .where(isOfPass(current))
    .execute();
}

/**
 * Makes a pass that was voided count again: its scans, except those that were undone, count in the area's next pass, and
 * the current one is voided in its place. The area is then in progress, to be finished again.
 * Throws NOT_FOUND, VALIDATION for a pass that was not voided.
 */
export async function restorePass(
  transaction: Transaction,
  current: Pass,
  { pass, endedBy }: { readonly pass: number; readonly endedBy: string },
): Promise<NextPass> {
  const restored = { ...current, pass };
  await requireVoided(transaction, restored);
  await lockTagsOf(transaction, current.sessionId, isOfPass(restored));
  const next = await beginNextPass(transaction, current, { endedAs: "replaced", endedBy });
  await sql`
    update scans
    set status = case when ${isCountedElsewhere} then 'unresolved' else voided_from end,
      reason = case when ${isCountedElsewhere} then 'TAG_ELSEWHERE' else voided_from_reason end, pass = ${next.pass},
      voided_from = null, voided_from_reason = null, voided_by = null, voided_at = null
    where ${isOfPass(restored)} and status = 'voided' and reason = any(${reasonsOfEndings}::text[])`.execute(
    transaction,
  );
  await forgetDecisions(transaction, { ...current, pass: next.pass });
  await moveLeftOut(transaction, restored, next.pass);
  await moveComparison(transaction, restored, next.pass);
  await addToTotals(transaction, isOfPass({ ...current, pass: next.pass }, "scan"));
  await transaction
    .updateTable("areaPasses")
    .set({ endedAs: "restored", endedAt: sql<Date>`now()`, endedBy })
    .where(isOfPass(restored))
    .execute();
  return next;
}

/** Of a scan whose pass is restored: the item of its tag was counted in another area meanwhile, and counts there. */
const isCountedElsewhere = sql<boolean>`(voided_from = 'counted' and ${isTagCounted})`;

/** What waits now as its tag counts elsewhere is decided on anew, also where it was accepted before. */
async function forgetDecisions(transaction: Transaction, pass: Pass): Promise<void> {
  await sql`
    delete from scan_decisions where scan_id in (
      select id from scans where ${isOfPass(pass)} and status = 'unresolved' and reason = 'TAG_ELSEWHERE')`.execute(
    transaction,
  );
}

/**
 * Other reads of the pass's tags go where those went that count, so that one of them can take the place of an undone one; and so does what
 * another count took the place of, which is still one of the counts that are compared.
 */
async function moveLeftOut(transaction: Transaction, restored: Pass, pass: number): Promise<void> {
  await sql`
    update scans set pass = ${pass}
    where ${isOfPass(restored)} and reason in ('TAG_COUNTED', 'SUPERSEDED')`.execute(transaction);
}

async function requireVoided(transaction: Transaction, pass: Pass): Promise<void> {
  const row = await transaction
    .selectFrom("areaPasses")
    .select("endedAs")
    .where(isOfPass(pass))
    .executeTakeFirst();
  if (row === undefined) throw notFound("The pass");
  if (!isVoiding(row.endedAs)) {
    throw invalidField("pass", "Only a voided count that has not been restored since can be restored.");
  }
}
