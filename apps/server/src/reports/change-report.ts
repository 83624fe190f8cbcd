import { isDeepStrictEqual } from "node:util";
import type { Basis, SeenFigure, UncertainReason } from "@stocktake/contract";
import { actorOf, productSubject, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { quantityText } from "../kernel/formats.ts";
import { requireUndeployed, type SessionRow } from "../sessions/sessions.ts";
import { type ReportContext, readReportContext } from "./counting-time.ts";
import { lockEndedSession } from "./ended-session.ts";
import { forgetIncluded } from "./forget-included.ts";
import { type ReportRow, readReportRows } from "./rows/report-row-queries.ts";
import type { ReportServices } from "./services.ts";
import { isIncluded, uncertainReasonsOf } from "./uncertain.ts";

async function lockChangeable(
  transaction: Transaction,
  caller: AdminCaller,
  id: string,
): Promise<SessionRow> {
  const session = await lockEndedSession(transaction, caller, id);
  await requireUndeployed(transaction, session.id);
  return session;
}

/** A count set by hand. */
export interface ManualCount {
  readonly sku: string;
  readonly newCount: number;
  readonly reason: string | null;
  /** The count that was read before; absent from apps that don't say. */
  readonly seenCount?: number | undefined;
}

/**
 * Sets a SKU's count by hand and keeps what it was, with who and why. Where it is another by now than the one that was read, only one that is
 * this very count by hand already is no conflict.
 * @throws ApiError NOT_FOUND for a SKU that the session does not have or, as a follow-up, is not of, SESSION_ACTIVE, REPORT_DEPLOYED,
 * CHANGED_MEANWHILE.
 */
export async function adjustCountOf(
  { database, events }: ReportServices,
  caller: AdminCaller,
  sessionId: string,
  change: ManualCount,
): Promise<{ previousCount: number; newCount: number }> {
  const counts = await database
    .transaction()
    .execute((transaction) => recordManualCount(transaction, caller, sessionId, change));
  events.publish({ type: "adjustment", sessionId });
  return counts;
}

async function recordManualCount(
  transaction: Transaction,
  caller: AdminCaller,
  sessionId: string,
  change: ManualCount,
): Promise<{ previousCount: number; newCount: number }> {
  const session = await lockChangeable(transaction, caller, sessionId);
  const [row] = await readReportRows(transaction, session, [change.sku]);
  if (row === undefined) throw notFound(`The SKU ${change.sku}`);
  const { seenCount = row.counted, newCount } = change;
  if (seenCount !== row.counted) {
    if (!row.manual || row.counted !== newCount) throw countChanged(row, seenCount);
    if (await isMade(transaction, caller, session, { ...change, seenCount })) {
      return { previousCount: seenCount, newCount };
    }
  }
  await transaction
    .insertInto("countAdjustments")
    .values({
      sessionId: session.id,
      sku: row.sku,
      previousCount: row.counted,
      newCount: change.newCount,
      reason: change.reason,
      userId: caller.userId,
    })
    .execute();
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: actorOf(caller),
    action: "count.adjusted",
    subject: await productSubject(transaction, session.id, row.sku),
    before: { count: row.counted },
    after: { count: change.newCount, reason: change.reason },
  });
  return { previousCount: row.counted, newCount: change.newCount };
}

function countChanged({ sku, counted }: ReportRow, seenCount: number): ApiError {
  return new ApiError(
    "CHANGED_MEANWHILE",
    `The count of ${sku} is ${quantityText(counted)} by now, not ${quantityText(seenCount)} as when you opened it. Nothing of yours was saved, and ` +
      "what is there stays. Look at what it is now, then save again.",
  );
}

/** Whether the last count by hand is this one: it is sent once more, after its answer was lost, and is in the history already. */
async function isMade(
  transaction: Transaction,
  { userId }: AdminCaller,
  { id }: SessionRow,
  { sku, seenCount, newCount, reason }: ManualCount,
): Promise<boolean> {
  const last = await transaction
    .selectFrom("countAdjustments")
    .select(["userId", "previousCount", "newCount", "reason"])
    .where("sessionId", "=", id)
    .where("sku", "=", sku)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return isDeepStrictEqual(last, { userId, previousCount: seenCount, newCount, reason });
}

/** So many SKUs of one entry of the log are named. */
const namedAtMost = 20;

/**
 * Chooses which variance a deploy applies. A session that was restored may have to be released again for it, and the figures
 * that were included by the other one are to be decided on again.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, REPORT_DEPLOYED. */
export async function chooseBasis(
  { database, events }: ReportServices,
  caller: AdminCaller,
  sessionId: string,
  basis: Basis,
): Promise<void> {
  await database.transaction().execute((transaction) => recordBasis(transaction, caller, sessionId, basis));
  events.publish({ type: "adjustment", sessionId });
}

async function recordBasis(
  transaction: Transaction,
  caller: AdminCaller,
  sessionId: string,
  basis: Basis,
): Promise<void> {
  const session = await lockChangeable(transaction, caller, sessionId);
  const restored = session.restored || (await isToBeReleasedAgain(transaction, session, basis));
  const forgotten = basis === session.basis ? [] : await forgetIncluded(transaction, session);
  await transaction.updateTable("sessions").set({ basis, restored }).where("id", "=", session.id).execute();
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: actorOf(caller),
    action: "basis.chosen",
    subject: await sessionSubject(transaction, session.id),
    before: { basis: session.basis },
    after: {
      basis,
      ...(forgotten.length === 0
        ? {}
        : { noLongerIncluded: forgotten.length, named: forgotten.slice(0, namedAtMost) }),
    },
  });
}

/**
 * What was moved between a backup and its restore is of an end that was read after that, so that nothing was in question
 * at the release; the variance at the time of counting does not include it, so that it is.
 */
async function isToBeReleasedAgain(
  transaction: Transaction,
  { basis: present, backupMadeAt, endedAt }: SessionRow,
  basis: Basis,
): Promise<boolean> {
  if (basis !== "count" || present === "count" || backupMadeAt === null || endedAt === null) return false;
  const { restoredAt } = await transaction
    .selectFrom("installation")
    .select("restoredAt")
    .executeTakeFirstOrThrow();
  return restoredAt !== null && endedAt > restoredAt;
}

/** Uncertain figures, by their SKUs, and whether a deploy is to apply them. */
export interface Inclusion {
  readonly skus: readonly string[];
  readonly included: boolean;
  /** What was read of them before; of those that it leaves out nobody says. */
  readonly seen?: readonly SeenFigure[] | undefined;
}

/**
 * Lets a deploy apply uncertain figures as they are, or leaves them out again. What is so already stays as it is.
 * @throws ApiError NOT_FOUND for a SKU that the session does not have, VALIDATION for one whose figure is certain,
 * SESSION_ACTIVE, REPORT_DEPLOYED, CHANGED_MEANWHILE for one whose figure is another than was read: then nothing is decided on any.
 */
export async function includeFiguresOf(
  { database, events }: ReportServices,
  caller: AdminCaller,
  sessionId: string,
  { skus, included, seen = [] }: Inclusion,
): Promise<void> {
  const seenOf = new Map(seen.map((figure) => [figure.sku, figure]));
  await database.transaction().execute(async (transaction) => {
    const session = await lockChangeable(transaction, caller, sessionId);
    const context = await readReportContext(transaction, session);
    const distinct = [...new Set(skus)];
    const rows = new Map((await readReportRows(transaction, session, distinct)).map((row) => [row.sku, row]));
    for (const sku of distinct) {
      const row = rows.get(sku);
      if (row === undefined) throw notFound(`The SKU ${sku}`);
      await recordInclusion(transaction, caller, { session, context, row, included, seen: seenOf.get(sku) });
    }
  });
  events.publish({ type: "adjustment", sessionId });
}

interface IncludedRow {
  readonly session: SessionRow;
  readonly context: ReportContext;
  readonly row: ReportRow;
  readonly included: boolean;
  readonly seen: SeenFigure | undefined;
}

/** Refuses a decision about a figure that is not the one that was read: it would be an administrator's about what they never saw. */
function requireSeenFigure(
  { counted, uncertainReasons }: SeenFigure,
  row: ReportRow,
  reasons: readonly UncertainReason[],
): void {
  const isSeenCount = counted === row.counted;
  if (isSeenCount && isDeepStrictEqual(uncertainReasons.toSorted(), reasons.toSorted())) return;
  const change = isSeenCount
    ? "what is uncertain about it is something else by now"
    : `its count is ${quantityText(row.counted)} by now, not ${quantityText(counted)}`;
  throw new ApiError(
    "CHANGED_MEANWHILE",
    `The figure of ${row.sku} has changed since you read it: ${change}. Nothing was decided. Look at what is there now, then choose again.`,
  );
}

async function recordInclusion(
  transaction: Transaction,
  caller: AdminCaller,
  { session, context, row, included, seen }: IncludedRow,
): Promise<void> {
  const reasons = uncertainReasonsOf(row, context);
  const before = isIncluded(row, context);
  const isLeftOut = !included && !before && reasons.length > 0;
  if (seen !== undefined && !isLeftOut) requireSeenFigure(seen, row, reasons);
  if (reasons.length === 0) throw invalidField("skus", `The figure of ${row.sku} is certain.`);
  if (before === included) return;
  const ofRow = { sessionId: session.id, sku: row.sku };
  await transaction
    .deleteFrom("includedFigures")
    .where("sessionId", "=", ofRow.sessionId)
    .where("sku", "=", ofRow.sku)
    .execute();
  if (included) {
    await transaction
      .insertInto("includedFigures")
      .values(
        reasons.map((reason) => ({ ...ofRow, reason, counted: row.counted, includedBy: caller.userId })),
      )
      .execute();
  }
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: actorOf(caller),
    action: included ? "figure.included" : "figure.left_out",
    subject: await productSubject(transaction, session.id, row.sku),
    before: { included: before },
    after: { included, reason: reasons.join(", "), count: row.counted },
  });
}
