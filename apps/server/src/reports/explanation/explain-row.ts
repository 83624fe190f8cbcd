import type { CallAnswer, explainRow, StockReading, VarianceParts } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import type { PageRequest } from "../../kernel/paging.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { type ReportContext, readingsOf, readReportContext } from "../counting-time.ts";
import { listCountHistory } from "../queries.ts";
import { presentRow, rangeAtCount } from "../report-rules.ts";
import { type ReportRow, readReportRows } from "../rows/report-row-queries.ts";
import { readSaid } from "../searched/searched-queries.ts";
import { uncertainReasonOf } from "../uncertain.ts";
import { varianceOf } from "../variance.ts";
import { readCompared } from "./compared-counts.ts";
import { readOtherCounts } from "./other-counts.ts";
import { readPassesOf } from "./passes-counted.ts";
import { listScansOf, personOf } from "./scan-queries.ts";

/** A row with what its figures are worked out from. */
export interface ExplainedRow {
  readonly session: SessionRow;
  readonly context: ReportContext;
  readonly row: ReportRow;
}

type Explanation = Omit<CallAnswer<typeof explainRow>, "deploy">;

/** The row of a SKU, in the report's scope or not. @throws ApiError NOT_FOUND for one that the session does not have. */
export async function openRow(reader: Database, session: SessionRow, sku: string): Promise<ExplainedRow> {
  const [row] = await readReportRows(reader, session, [sku]);
  if (row === undefined) throw notFound(`The SKU ${sku}`);
  return { session, context: await readReportContext(reader, session, row.inventoryItemId), row };
}

/** Why a row of the report is what it is, all but its deploy. */
export async function explainReportRow(
  reader: Database,
  { session, context, row }: ExplainedRow,
  page: PageRequest,
): Promise<Explanation> {
  const ofSession = { sessionId: session.id, sku: row.sku };
  const counted = await readPassesOf(reader, ofSession);
  const saidOf = await readSaid(reader, session.id, [row.sku]);
  const { items: scans, ...rest } = await listScansOf(reader, ofSession, page, counted.scans);
  return {
    item: presentRow(row, context),
    startedAt: context.startedAt.toISOString(),
    endedAt: context.endedAt.toISOString(),
    currency: session.currency,
    passes: counted.passes,
    passCount: counted.passCount,
    scanned: counted.units,
    counts: await listCountHistory(reader, session.id, [row.sku]),
    compared: await readCompared(reader, ofSession),
    searched: { state: row.search, ...saidOf(row.sku) },
    parts: partsOf(row, context),
    readings: presentReadings(row, context),
    otherCounts: await readOtherCounts(reader, session, row.inventoryItemId),
    costFrom: costFrom(row, context),
    mark: await readMark(reader, session, { row, context }),
    scans,
    ...rest,
  };
}

function partsOf(row: ReportRow, context: ReportContext): VarianceParts {
  const { variance, naturalMovement } = varianceOf(row);
  const atCount = rangeAtCount(row, context);
  return {
    fromStart: row.counted - row.startOnHand,
    naturalMovement,
    variance,
    afterCount: { low: variance - atCount.high, high: variance - atCount.low },
    atCount,
  };
}

function presentReadings(row: ReportRow, context: ReportContext): StockReading[] {
  const readings = readingsOf(row, context);
  return readings.map(({ at, onHand }, index) => ({
    at: new Date(at).toISOString(),
    onHand,
    kind:
      index === 0 ? "start" : index === readings.length - 1 && !context.withoutEndStock ? "end" : "during",
  }));
}

/** The end's snapshot writes its cost on every item that is still there. */
function costFrom(
  { unitCostCents, gone }: ReportRow,
  { withoutEndStock }: ReportContext,
): "start" | "end" | null {
  if (unitCostCents === null) return null;
  return gone || withoutEndStock ? "start" : "end";
}

/** Why the figure is uncertain, and who has decided that it is deployed all the same. */
async function readMark(
  reader: Database,
  session: SessionRow,
  { row, context }: Pick<ExplainedRow, "row" | "context">,
): Promise<Explanation["mark"]> {
  const reason = uncertainReasonOf(row, context);
  if (reason === null) return null;
  const decision = await reader
    .selectFrom("includedFigures as decision")
    .innerJoin("users", "users.id", "decision.includedBy")
    .select(["users.username", "decision.includedAt"])
    .where("decision.sessionId", "=", session.id)
    .where("decision.sku", "=", row.sku)
    .where("decision.reason", "=", reason)
    .where("decision.counted", "=", row.counted)
    .executeTakeFirst();
  return {
    reason,
    includedBy: personOf(decision?.username ?? null),
    includedAt: decision?.includedAt.toISOString() ?? null,
  };
}
