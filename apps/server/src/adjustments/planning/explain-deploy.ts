import type { CallAnswer, explainRow, MoveByOther, RowDeploy } from "@stocktake/contract";
import type { Database, Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { PageRequest } from "../../kernel/paging.ts";
import {
  deployDelta,
  type ExplainedRow,
  explainReportRow,
  findEndedSession,
  type Move,
  movedSince,
  movesSince,
  openRow,
  readAtOneMoment,
  readReasonsLeftOut,
  skipReasonOf,
  varianceByBasis,
} from "../../reports/reports.ts";
import { isActiveAdjustment } from "../../sessions/sessions.ts";

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
  const { deployed: isMoved } = context;
  const known = skipReasonOf(row, context, { movedByOthers });
  const rows = await readRowsOf(reader, session.id, row);
  // What the deploy was to move and Shopify refused was not left out.
  const isInDeploy = isMoved && (row.booked !== 0 || rows.some(({ isCurrent }) => isCurrent));
  const skipReason = known ?? (await readReasonsLeftOut(reader, session.id)).get(row.sku) ?? null;
  return {
    basis: session.basis,
    variance: varianceByBasis(row, context),
    moved: row.booked,
    movedByOthers,
    ...(await listMoves(reader, movesSince(row, context))),
    wouldMove: isMoved || skipReason !== null ? null : deployDelta(row, context, movedByOthers),
    skipReason: isInDeploy ? null : skipReason,
    rows: rows.map(({ isCurrent: _, ...told }) => told),
  };
}

const listedMoves = 20;

/** The newest moves, each with its session, and the sum of those before them. */
async function listMoves(
  reader: Database,
  moves: readonly Move[],
): Promise<Pick<RowDeploy, "movesByOthers" | "earlierByOthers">> {
  const newestFirst = moves.toSorted((one, other) => other.to - one.to);
  const listed = newestFirst.slice(0, listedMoves);
  const earlier = newestFirst.slice(listedMoves);
  const sessionOf = await readSessionsOf(
    reader,
    listed.map(({ adjustmentId }) => adjustmentId),
  );
  const movesByOthers = listed.map(({ adjustmentId, direction, to, delta }): MoveByOther => {
    const session = sessionOf.get(adjustmentId);
    if (session === undefined) throw new Error(`The adjustment ${adjustmentId} is of no session.`);
    return { session, direction, at: new Date(to).toISOString(), delta };
  });
  if (earlier.length === 0) return { movesByOthers };
  const delta = earlier.reduce<number | null>(
    (sum, move) => (sum === null || move.delta === null ? null : sum + move.delta),
    0,
  );
  return { movesByOthers, earlierByOthers: { moves: earlier.length, delta } };
}

/** The sessions of adjustments, by the adjustments' ids. */
async function readSessionsOf(
  reader: Database,
  adjustmentIds: readonly string[],
): Promise<ReadonlyMap<string, MoveByOther["session"]>> {
  if (adjustmentIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("adjustments")
    .innerJoin("sessions", "sessions.id", "adjustments.sessionId")
    .innerJoin("stores", "stores.id", "sessions.storeId")
    .select(["adjustments.id as adjustmentId", "sessions.id", "stores.name as storeName"])
    .select(["sessions.startedAt", "sessions.endedAt"])
    .where("adjustments.id", "in", adjustmentIds)
    .execute();
  return new Map(
    rows.map(({ adjustmentId, id, storeName, startedAt, endedAt }) => [
      adjustmentId,
      {
        ...{ _id: id, storeName, status: "closed" },
        ...{ startedAt: startedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null },
      },
    ]),
  );
}

/** A row of one of the session's adjustments; current in the one by which the report is deployed. */
type OwnRow = RowDeploy["rows"][number] & { readonly isCurrent: boolean };

async function readRowsOf(
  reader: Database,
  sessionId: string,
  { sku, stocked }: Pick<ExplainedRow["row"], "sku" | "stocked">,
): Promise<OwnRow[]> {
  const rows = await reader
    .selectFrom("adjustmentRows as moved")
    .innerJoin("adjustments", "adjustments.id", "moved.adjustmentId")
    .select(["moved.adjustmentId", "moved.delta", "moved.state", "moved.direction", "moved.note"])
    .select([
      "moved.settledAt",
      "moved.keptOnHand",
      "adjustments.appliedAt",
      isActiveAdjustment("adjustments").as("isCurrent"),
    ])
    .select(["adjustments.rollbackRequestedAt", "adjustments.rolledBackAt"])
    .where("adjustments.sessionId", "=", sessionId)
    .where("moved.sku", "=", sku)
    .orderBy("adjustments.appliedAt")
    .orderBy("moved.direction")
    .execute();
  return rows.map(({ settledAt, keptOnHand, appliedAt, rollbackRequestedAt, rolledBackAt, ...row }) => {
    const rolledBack = rolledBackAt ?? rollbackRequestedAt ?? appliedAt;
    const at = row.direction === "rollback" ? rolledBack : appliedAt;
    const own = { ...row, settled: settledAt !== null, appliedAt: at.toISOString() };
    // What was stocked when the session ended is in the report, whatever has become of its level since.
    return stocked || keptOnHand === null || keptOnHand === 0 ? own : { ...own, keptUnseen: keptOnHand };
  });
}
