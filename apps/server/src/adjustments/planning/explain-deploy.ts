import type { CallAnswer, explainRow, RowDeploy } from "@stocktake/contract";
import type { Database, Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { PageRequest } from "../../kernel/paging.ts";
import {
  deployDelta,
  type ExplainedRow,
  explainReportRow,
  findEndedSession,
  movedSince,
  openRow,
  readAtOneMoment,
  skipReasonOf,
  varianceByBasis,
} from "../../reports/reports.ts";

/**
 * Why a row of a report is what it is, and what a deploy would do with it. Shopify is not asked.
 * @throws ApiError NOT_FOUND, also for a SKU that the session does not have, SESSION_ACTIVE.
 */
export function explainRowOf(
  database: Database,
  caller: AdminCaller,
  wanted: { readonly sessionId: string; readonly sku: string },
  page: PageRequest,
): Promise<CallAnswer<typeof explainRow>> {
  return readAtOneMoment(database, async (reader) => {
    const session = await findEndedSession(reader, caller, wanted.sessionId);
    const row = await openRow(reader, session, wanted.sku);
    return {
      ...(await explainReportRow(reader, row, page)),
      deploy: await explainDeploy(reader, row),
    };
  });
}

async function explainDeploy(
  reader: Transaction,
  { session, context, row }: ExplainedRow,
): Promise<RowDeploy> {
  const movedByOthers = movedSince(row, context);
  const skipReason = skipReasonOf(row, context, { movedByOthers });
  const { deployed: isMoved } = context;
  return {
    basis: session.basis,
    variance: varianceByBasis(row, context),
    moved: row.booked,
    movedByOthers,
    wouldMove: isMoved || skipReason !== null ? null : deployDelta(row, context, movedByOthers),
    skipReason: isMoved && row.booked !== 0 ? null : skipReason,
    rows: await readRowsOf(reader, session.id, row.sku),
  };
}

async function readRowsOf(reader: Database, sessionId: string, sku: string): Promise<RowDeploy["rows"]> {
  const rows = await reader
    .selectFrom("adjustmentRows as moved")
    .innerJoin("adjustments", "adjustments.id", "moved.adjustmentId")
    .select(["moved.adjustmentId", "moved.delta", "moved.state", "moved.direction", "moved.note"])
    .select(["moved.settledAt", "adjustments.appliedAt"])
    .select(["adjustments.rollbackRequestedAt", "adjustments.rolledBackAt"])
    .where("adjustments.sessionId", "=", sessionId)
    .where("moved.sku", "=", sku)
    .orderBy("adjustments.appliedAt")
    .orderBy("moved.direction")
    .execute();
  return rows.map(({ settledAt, appliedAt, rollbackRequestedAt, rolledBackAt, ...row }) => {
    const rolledBack = rolledBackAt ?? rollbackRequestedAt ?? appliedAt;
    const at = row.direction === "rollback" ? rolledBack : appliedAt;
    return { ...row, settled: settledAt !== null, appliedAt: at.toISOString() };
  });
}
