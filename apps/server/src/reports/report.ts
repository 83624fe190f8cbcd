import {
  type Basis,
  costImpactCents,
  type ReportItem,
  type ReportSummary,
  type ReportView,
  reportOrder,
  type SkipReason,
  type VarianceRange,
  varianceAtCount,
  varianceOf,
} from "@stocktake/contract";
import type { SessionRow } from "../sessions/queries.ts";
import type { ReportRow } from "./report-rows.ts";

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
 * The variance at the time of counting. A manual count is made after the end and speaks of it, so nothing about it is
 * uncertain.
 */
export function rangeAtCount(row: ReportRow, context: ReportContext): VarianceRange {
  const { variance } = varianceOf(row);
  if (row.manual) return { low: variance, high: variance };
  return varianceAtCount(row.counted, time(row.firstCountedAt), time(row.lastCountedAt), [
    { at: context.startedAt.getTime(), onHand: row.startOnHand },
    ...row.readings,
    { at: context.endedAt.getTime(), onHand: row.endOnHand },
  ]);
}

function time(date: Date | null): number | null {
  return date === null ? null : date.getTime();
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
    skipReason: skipReasonOf(row, context),
    firstCountedAt: row.firstCountedAt?.toISOString() ?? null,
    lastCountedAt: row.lastCountedAt?.toISOString() ?? null,
    varianceAtCount: rangeAtCount(row, context),
  };
}

/** The rows of a view, in the report's order. `variances` are those with a variance or a manual count. */
export function reportItems(
  rows: readonly ReportRow[],
  context: ReportContext,
  view: ReportView,
): ReportItem[] {
  const wanted = view === "all" ? rows : rows.filter((row) => row.manual || varianceOf(row).variance !== 0);
  return wanted.toSorted(reportOrder()).map((row) => presentRow(row, context));
}

function notCountedOf(rows: readonly ReportRow[]): ReportSummary["notCounted"] {
  const left = rows.filter((row) => !row.hasCount && row.endOnHand !== 0);
  const cents = left.map((row) => costImpactCents(varianceOf(row).variance, row.unitCostCents) ?? 0);
  return {
    items: left.length,
    units: left.reduce((sum, row) => sum + row.endOnHand, 0),
    cost: cents.reduce((sum, cost) => sum + cost, 0) / 100,
  };
}

/** Speaks of every row in scope, whatever the view shows. */
export function reportSummary(rows: readonly ReportRow[], currency: string): ReportSummary {
  const variances = rows.map((row) => varianceOf(row).variance);
  const costs = rows.map((row, index) => costImpactCents(variances[index] ?? 0, row.unitCostCents));
  return {
    totalItems: rows.length,
    shortages: variances.filter((variance) => variance < 0).length,
    overages: variances.filter((variance) => variance > 0).length,
    matches: variances.filter((variance) => variance === 0).length,
    totalCostImpact: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) / 100,
    withoutCost: costs.filter((cost) => cost === null).length,
    currency,
    notCounted: notCountedOf(rows),
  };
}
