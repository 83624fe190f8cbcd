import type { CallAnswer, ReportItem, ReportSummary, ReportView, varianceReport } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { readLastHash } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { costOfUnits, largestCents, moneyOf, sumOfCents } from "../kernel/money.ts";
import { forEachInSlices } from "../kernel/slices.ts";
import { presentSession, type SessionRow } from "../sessions/sessions.ts";
import { countedStock, hasMoved, mayVary } from "./counted-stock-queries.ts";
import { type ReportContext, readReportContext } from "./counting-time.ts";
import { readCover } from "./cover.ts";
import { findEndedSession } from "./ended-session.ts";
import { readAtOneMoment } from "./queries.ts";
import { inAreaOrder, inReportOrder } from "./report-order.ts";
import { type ReportRow, readReportRows } from "./report-row-queries.ts";
import { isShown, movedAfterCount, presentRow } from "./report-rules.ts";
import { openDoubtOf } from "./uncertain.ts";
import { varianceOf } from "./variance.ts";

/** The response, its rows yet to be made: those of a whole shop at once, and their text, need as much memory again. */
type Report = Omit<CallAnswer<typeof varianceReport>, "items"> & {
  readonly items: Iterable<ReportItem>;
};

/** The variance report of an ended session. @throws ApiError NOT_FOUND, SESSION_ACTIVE. */
export async function readReport(
  database: Database,
  caller: AdminCaller,
  sessionId: string,
  view: ReportView,
): Promise<Report> {
  const { session, context, overview, rows, ...rest } = await readAtOneMoment(database, (transaction) =>
    readMaterial(transaction, { caller, sessionId, view }),
  );
  // Both views read every row whose figure is uncertain, and every one that moved after it was counted.
  const waiting = await rowsThat(rows, (row) => isWaiting(row, context));
  const shown = await rowsThat(rows, (row) => isShown(row, context, view));
  return {
    session: presentSession(session),
    items: itemsOf(await inReportOrder(shown), context),
    summary: {
      ...(overview?.summary ?? (await sumUp(rows, session.currency))),
      uncertain: waiting.length,
      ...(await movedAfterCount(rows, context)),
    },
    basis: session.basis,
    deployed: context.deployed,
    ...rest,
  };
}

interface Wanted {
  readonly caller: AdminCaller;
  readonly sessionId: string;
  readonly view: ReportView;
}

/** What a report is made of. Where all rows are read anyway their sums are made of them, and not a second time where they lie. */
async function readMaterial(transaction: Transaction, { caller, sessionId, view }: Wanted) {
  const session = await findEndedSession(transaction, caller, sessionId);
  const context = await readReportContext(transaction, session);
  const overview = view === "all" ? null : await readOverview(transaction, session, context);
  return {
    ...{ session, context, overview },
    rows: await readReportRows(transaction, session, overview?.skus ?? null),
    exceptions: await countExceptions(transaction, session.id),
    stockGaps: await readStockGaps(transaction, session.id),
    cover: await readCover(transaction, session),
    areaOrder: await readAreaOrder(transaction, session.storeId),
    auditHash: await readLastHash(transaction, session.id),
  };
}

/** Rows that are looked at before others go on: some milliseconds' work. */
const rowsAtOnce = 1_000;

async function rowsThat(
  rows: readonly ReportRow[],
  isWanted: (row: ReportRow) => boolean,
): Promise<ReportRow[]> {
  const wanted: ReportRow[] = [];
  await forEachInSlices(rows, rowsAtOnce, (row) => {
    if (isWanted(row)) wanted.push(row);
  });
  return wanted;
}

/** Each is made as its readers get it when it is asked for. */
function* itemsOf(rows: readonly ReportRow[], context: ReportContext): Generator<ReportItem> {
  for (const row of rows) yield presentRow(row, context);
}

/** Whether its figure waits for somebody to decide: what has moved stock already is past that. */
function isWaiting(row: ReportRow, context: ReportContext): boolean {
  return openDoubtOf(row, context) !== null && !(context.deployed && row.booked !== 0);
}

/** Some hundred kilobytes. */
const rowsPerPiece = 500;

/** The report as JSON, piece by piece, as its reader takes it. The database is no longer needed. */
export function* reportJson({ items, ...rest }: Report): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"items":[`;
  let piece: string[] = [];
  let separator = "";
  for (const item of items) {
    piece.push(separator + JSON.stringify(item));
    separator = ",";
    if (piece.length < rowsPerPiece) continue;
    yield piece.join("");
    piece = [];
  }
  yield `${piece.join("")}]}`;
}

/** What of a summary is summed up of every SKU in scope, whatever the view. */
type OfEverySku = Omit<ReportSummary, "uncertain" | "movedAfterCount">;

/** A report of variances in brief. */
interface ReportOverview {
  readonly summary: OfEverySku;
  /** The SKUs that the view may show, and those that the summary's other figures are of, in no order. */
  readonly skus: readonly string[];
}

interface OverviewRow {
  readonly totalItems: number;
  readonly shortages: number;
  readonly overages: number;
  readonly matches: number;
  readonly costCents: number | null;
  readonly withoutCost: number;
  readonly notCountedItems: number;
  readonly notCountedUnits: number;
  readonly notCountedCents: number | null;
  readonly varying: string[];
}

/** An amount in hundredths as `exactCents` takes it: null where a number does not hold it exactly. */
function exactly(cents: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`case when abs(${cents}) <= ${largestCents}::numeric then (${cents})::bigint end`;
}

/**
 * Sums up a report where its rows lie: what a summary of every SKU needs of them is not worth sending here. The sums are
 * those of `varianceOf` and `costOfUnits`, unknown costs left out; what does not vary, as most rows, is not multiplied.
 */
async function readOverview(
  reader: Database,
  session: SessionRow,
  context: ReportContext,
): Promise<ReportOverview> {
  const { rows } = await sql<OverviewRow>`
    with ${countedStock(session, null)}, costed as (
      select stock.*, case when stock.variance = 0 then 0 * stock.unit_cost_cents
          else ${exactly(sql`stock.variance::numeric * stock.unit_cost_cents`)} end as cost_cents,
        not stock.has_count and stock.end_on_hand <> 0 as not_counted
      from stock
    )
    select count(*) as total_items,
      count(*) filter (where variance < 0) as shortages,
      count(*) filter (where variance > 0) as overages,
      count(*) filter (where variance = 0) as matches,
      ${exactly(sql`coalesce(sum(cost_cents), 0)`)} as cost_cents,
      count(*) filter (where cost_cents is null) as without_cost,
      count(*) filter (where not_counted) as not_counted_items,
      coalesce(sum(end_on_hand) filter (where not_counted), 0) as not_counted_units,
      ${exactly(sql`coalesce(sum(cost_cents) filter (where not_counted), 0)`)} as not_counted_cents,
      coalesce(array_agg(sku) filter (where ${mayVary(session, context.movedByOthers.keys())}
        or ${session.basis === "end" && !context.deployed} and ${hasMoved(session)}), '{}') as varying
    from costed stock`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new Error("The sums of a report came without a row.");
  return { summary: presentSummary(row, session.currency), skus: row.varying };
}

function presentSummary(row: OverviewRow, currency: string): OfEverySku {
  return {
    totalItems: row.totalItems,
    shortages: row.shortages,
    overages: row.overages,
    matches: row.matches,
    totalCostImpact: moneyOf(row.costCents),
    withoutCost: row.withoutCost,
    currency,
    notCounted: {
      items: row.notCountedItems,
      units: row.notCountedUnits,
      cost: moneyOf(row.notCountedCents),
    },
  };
}

/** Some milliseconds' work. */
const addedAtOnce = 2_000;

/** The sums of `readOverview`, where every row in scope was read anyway. */
async function sumUp(rows: readonly ReportRow[], currency: string): Promise<OfEverySku> {
  const sums = { shortages: 0, overages: 0, matches: 0 };
  let withoutCost = 0;
  const notCounted = { items: 0, units: 0 };
  const [costs, costsNotCounted]: [number[], number[]] = [[], []];
  await forEachInSlices(rows, addedAtOnce, (row) => {
    const { variance } = varianceOf(row);
    sums[variance < 0 ? "shortages" : variance > 0 ? "overages" : "matches"] += 1;
    const cost = costOfUnits(variance, row.unitCostCents);
    if (cost === null) withoutCost += 1;
    // Most rows do not vary: nothing is to be added.
    else if (cost !== 0) costs.push(cost);
    if (row.hasCount || row.endOnHand === 0) return;
    notCounted.items += 1;
    notCounted.units += row.endOnHand;
    if (cost !== null) costsNotCounted.push(cost);
  });
  return {
    totalItems: rows.length,
    ...sums,
    totalCostImpact: moneyOf(sumOfCents(costs)),
    withoutCost,
    currency,
    notCounted: { ...notCounted, cost: moneyOf(sumOfCents(costsNotCounted)) },
  };
}

async function readStockGaps(reader: Database, sessionId: string): Promise<{ from: string; to: string }[]> {
  const gaps = await reader
    .selectFrom("stockGaps")
    .select(["beganAt", "endedAt"])
    .where("sessionId", "=", sessionId)
    .orderBy("beganAt")
    .execute();
  return gaps.map(({ beganAt, endedAt }) => ({ from: beganAt.toISOString(), to: endedAt.toISOString() }));
}

async function readAreaOrder(reader: Database, storeId: string): Promise<string[][]> {
  const areas = await reader
    .selectFrom("areas as area")
    .innerJoin("locations as location", "location.id", "area.locationId")
    .select(["area.locationId", "area.code", "area.name"])
    .where("location.storeId", "=", storeId)
    .where("area.deletedAt", "is", null)
    .execute();
  return inAreaOrder(areas).map((those) => those.map(({ name }) => name));
}

/** Unresolved and late scans that still wait for an administrator. */
async function countExceptions(
  reader: Database,
  sessionId: string,
): Promise<{ unresolved: number; late: number }> {
  return reader
    .selectFrom("scans")
    .select([
      sql<number>`count(*) filter (where status = 'unresolved')::integer`.as("unresolved"),
      sql<number>`count(*) filter (where status = 'late')::integer`.as("late"),
    ])
    .where("sessionId", "=", sessionId)
    .where("status", "in", ["unresolved", "late"])
    .executeTakeFirstOrThrow();
}
