import { isDeepStrictEqual } from "node:util";
import { actorOf, productSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { quantityText } from "../../kernel/formats.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { type ReportRow, readReportRows } from "../rows/report-row-queries.ts";
import type { ReportServices } from "../services.ts";
import { lockChangeable } from "./changeable.ts";

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
