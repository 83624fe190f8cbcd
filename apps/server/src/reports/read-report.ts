import type { CallAnswer, ReportView, varianceReport } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { readLastHash } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { largestCents, moneyOf } from "../kernel/money.ts";
import { presentSession, type SessionRow } from "../sessions/sessions.ts";
import { ItemTexts } from "./answer/item-texts.ts";
import { MovedAfterCount } from "./answer/moved-after-count.ts";
import { type OfEverySku, presentNotCounted, ReportSums } from "./answer/report-sums.ts";
import { countedStock, hasMoved, mayVary } from "./counted-stock-queries.ts";
import { type ReportContext, readReportContext } from "./counting-time.ts";
import { readCover } from "./cover.ts";
import { findEndedSession } from "./ended-session.ts";
import type { ReportReader } from "./replica/report-reader.ts";
import { inAreaOrder } from "./report-order.ts";
import { isShown, presentRow } from "./report-rules.ts";
import { type ReportRow, readReportRowsInTurn } from "./rows/report-row-queries.ts";
import { openDoubtOf } from "./uncertain.ts";

/** The response, its rows as they are sent: those of a whole shop at once, and their text, need several times the memory. */
type Report = Omit<CallAnswer<typeof varianceReport>, "items"> & {
  /** Their JSON, in the report's order and separated by commas, to be gone through once. */
  readonly items: Iterable<Buffer>;
};

interface Wanted {
  readonly caller: AdminCaller;
  readonly sessionId: string;
  readonly view: ReportView;
}

/** The variance report of an ended session. @throws ApiError NOT_FOUND, SESSION_ACTIVE. */
export async function readReport(
  reportReader: ReportReader,
  caller: AdminCaller,
  sessionId: string,
  view: ReportView,
): Promise<Report> {
  const { session, context, rows, ...rest } = await reportReader((transaction) =>
    readMaterial(transaction, { caller, sessionId, view }),
  );
  return {
    session: presentSession(session),
    items: await rows.items.pieces(),
    summary: { ...rows.sums, uncertain: rows.uncertain, ...(await rows.moved.summary()) },
    basis: session.basis,
    deployed: context.deployed,
    ...rest,
  };
}

async function readMaterial(transaction: Transaction, { caller, sessionId, view }: Wanted) {
  const session = await findEndedSession(transaction, caller, sessionId);
  const context = await readReportContext(transaction, session);
  return {
    ...{ session, context },
    rows: await readRows(transaction, session, { context, view }),
    exceptions: await countExceptions(transaction, session.id),
    stockGaps: await readStockGaps(transaction, session.id),
    cover: await readCover(transaction, session),
    areaOrder: await readAreaOrder(transaction, session.storeId),
    auditHash: await readLastHash(transaction, session.id),
  };
}

/**
 * Goes through the rows as they are read. Where all are read anyway the sums are made of them, and not a second time where they lie; both
 * views read every row whose figure is uncertain, and every one that moved after it was counted.
 */
async function readRows(
  transaction: Transaction,
  session: SessionRow,
  { context, view }: { readonly context: ReportContext; readonly view: ReportView },
) {
  const overview = view === "all" ? null : await readOverview(transaction, session, context);
  const [items, sums, moved] = [new ItemTexts(), new ReportSums(), new MovedAfterCount(context)];
  let uncertain = 0;
  for await (const rows of readReportRowsInTurn(transaction, session, overview?.skus ?? null)) {
    for (const row of rows) {
      if (overview === null) sums.add(row);
      moved.add(row);
      if (isWaiting(row, context)) uncertain += 1;
      if (isShown(row, context, view)) items.add(presentRow(row, context));
    }
  }
  return { items, sums: overview?.summary ?? sums.of(session.currency), moved, uncertain };
}

/** Whether its figure waits for somebody to decide: what has moved stock already is past that. */
function isWaiting(row: ReportRow, context: ReportContext): boolean {
  return openDoubtOf(row, context) !== null && !(context.deployed && row.booked !== 0);
}

/** The report as JSON, piece by piece, as its reader takes it. The database is no longer needed. */
export function* reportJson({ items, ...rest }: Report): Generator<string | Buffer> {
  yield `${JSON.stringify(rest).slice(0, -1)},"items":[`;
  yield* items;
  yield "]}";
}

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
  readonly notCountedBelowZero: number;
  readonly notCountedCents: number | null;
  readonly varying: string[];
}

/** An amount in hundredths as `exactCents` takes it: null where a number does not hold it exactly. */
function exactly(cents: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`case when abs(${cents}) <= ${largestCents}::numeric then (${cents})::bigint end`;
}

/**
 * Sums up a report where its rows lie: what a summary of every SKU needs of them is not worth sending here. The sums are
 * those of `ReportSums`, unknown costs left out; what does not vary, as most rows, is not multiplied.
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
      coalesce(sum(end_on_hand) filter (where not_counted and end_on_hand > 0), 0) as not_counted_units,
      count(*) filter (where not_counted and end_on_hand < 0) as not_counted_below_zero,
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
    notCounted: presentNotCounted({
      items: row.notCountedItems,
      units: row.notCountedUnits,
      belowZero: row.notCountedBelowZero,
      cents: row.notCountedCents,
    }),
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
