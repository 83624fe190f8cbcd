import type { Basis } from "@stocktake/contract";
import { actorOf, recordAudit, sessionSubject, skusNamedAtMost } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { readReportContext } from "../counting-time.ts";
import { readReportRows } from "../rows/report-row-queries.ts";
import type { ReportServices } from "../services.ts";
import { isIncluded } from "../uncertain.ts";
import { lockChangeable } from "./changeable.ts";

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
        : { noLongerIncluded: forgotten.length, named: forgotten.slice(0, skusNamedAtMost) }),
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

/**
 * By another comparison the same stock is another question: what was decided by the session's present one is to be decided
 * again. Returns the SKUs whose figures were included until now.
 */
async function forgetIncluded(transaction: Transaction, session: SessionRow): Promise<readonly string[]> {
  const forgotten = await transaction
    .selectFrom("includedFigures")
    .select("sku")
    .distinct()
    .where("sessionId", "=", session.id)
    .execute();
  if (forgotten.length === 0) return [];
  const skus = forgotten.map(({ sku }) => sku);
  const context = await readReportContext(transaction, session);
  const rows = await readReportRows(transaction, session, skus);
  await transaction.deleteFrom("includedFigures").where("sessionId", "=", session.id).execute();
  return rows.flatMap((row) => (isIncluded(row, context) ? row.sku : [])).toSorted();
}
