import type { Basis, ReportItem, ReportView, SkipReason } from "@stocktake/contract";
import type { SessionRow } from "../sessions/sessions.ts";
import { inReportOrder } from "./report-order.ts";
import type { ReportRow } from "./report-row-queries.ts";
import {
  type CountingTime,
  costImpactCents,
  type OnHandReading,
  type VarianceRange,
  varianceAtCount,
  varianceOf,
} from "./variance.ts";

/** What the rules need of a session besides its rows. */
export interface ReportContext {
  readonly basis: Basis;
  /** The store had areas and every one was closed at the end: then what nobody scanned is really not there. */
  readonly everyAreaClosed: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

export function reportContextOf(
  session: Pick<
    SessionRow,
    "basis" | "area_count" | "open_areas" | "start_snapshot_at" | "end_snapshot_at" | "ended_at"
  >,
): ReportContext {
  return {
    basis: session.basis,
    everyAreaClosed: session.area_count > 0 && session.open_areas.length === 0,
    startedAt: session.start_snapshot_at,
    endedAt: session.end_snapshot_at ?? session.ended_at ?? session.start_snapshot_at,
  };
}

/**
 * When a row was counted by scans. Null where nobody scanned it, and for a manual count: it is made after the end and
 * speaks of it, so nothing about it is uncertain.
 */
export function countingTimeOf({ manual, firstCountedAt, lastCountedAt }: ReportRow): CountingTime | null {
  if (manual || firstCountedAt === null || lastCountedAt === null) return null;
  return { first: firstCountedAt.getTime(), last: lastCountedAt.getTime() };
}

/** What was on hand through the session, as far as it was read. */
export function readingsOf(row: ReportRow, context: ReportContext): OnHandReading[] {
  return [
    { at: context.startedAt.getTime(), onHand: row.startOnHand },
    ...row.readings,
    { at: context.endedAt.getTime(), onHand: row.endOnHand },
  ];
}

/** The variance at the time of counting. */
export function rangeAtCount(row: ReportRow, context: ReportContext): VarianceRange {
  return varianceAtCount(row.counted, countingTimeOf(row), readingsOf(row, context));
}

/** By how many units a deploy would move the row's stock, were it not skipped. */
export function deployDelta(row: ReportRow, context: ReportContext): number {
  return context.basis === "end" ? varianceOf(row).variance : rangeAtCount(row, context).low;
}

function isAmbiguous(row: ReportRow, context: ReportContext): boolean {
  if (context.basis === "end") return false;
  const range = rangeAtCount(row, context);
  return range.low !== range.high;
}

/**
 * Why a deploy leaves the row's stock alone; null where it moves it, or where there is nothing to move
 * (contract, "Deploy and rollback"). What Shopify can't move comes before what we should not.
 */
export function skipReasonOf(
  row: ReportRow,
  context: ReportContext,
  zeroUncounted: boolean = false,
): SkipReason | null {
  const ambiguous = isAmbiguous(row, context);
  if (!ambiguous && deployDelta(row, context) === 0) return null;
  if (row.gone) return "DELETED";
  if (!row.tracked) return "UNTRACKED";
  if (row.bundle) return "BUNDLE";
  if (!row.stocked) return "NOT_STOCKED";
  if (row.countedLater) return "COUNTED_LATER";
  if (!row.hasCount && !context.everyAreaClosed && !zeroUncounted) return "NOT_COUNTED";
  return ambiguous ? "AMBIGUOUS_MOVEMENT" : null;
}

function dollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

function presentRow(row: ReportRow, context: ReportContext): ReportItem {
  const { variance, naturalMovement } = varianceOf(row);
  return {
    productTitle: row.productTitle,
    image: row.image,
    size: row.size,
    sku: row.sku,
    startOnHand: row.startOnHand,
    endOnHand: row.endOnHand,
    naturalMovement,
    counted: row.counted,
    variance,
    unitCost: dollars(row.unitCostCents),
    costImpact: dollars(costImpactCents(variance, row.unitCostCents)),
    areas: [...(row.areas ?? [])],
    manual: row.manual,
    skipReason: row.booked === 0 ? skipReasonOf(row, context) : null,
    deployed: row.booked,
    firstCountedAt: row.firstCountedAt?.toISOString() ?? null,
    lastCountedAt: row.lastCountedAt?.toISOString() ?? null,
    varianceAtCount: rangeAtCount(row, context),
  };
}

/**
 * Whether the view of variances shows the row: it has a variance, a manual count, or, where the variance at the moment
 * of counting is what a deploy applies, one of those.
 */
function hasVariance(row: ReportRow, context: ReportContext): boolean {
  if (row.manual || varianceOf(row).variance !== 0) return true;
  if (context.basis === "end") return false;
  const { low, high } = rangeAtCount(row, context);
  return low !== 0 || high !== 0;
}

/** The rows of a view in the report's order, each made as its readers get it when it is asked for. */
export function* reportItems(
  rows: readonly ReportRow[],
  context: ReportContext,
  view: ReportView,
): Generator<ReportItem> {
  const shown = view === "all" ? rows : rows.filter((row) => hasVariance(row, context));
  for (const row of inReportOrder(shown)) yield presentRow(row, context);
}
