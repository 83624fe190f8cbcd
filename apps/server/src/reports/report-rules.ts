import type { ReportItem, ReportView, SkipReason } from "@stocktake/contract";
import { costOfUnits, moneyOf } from "../kernel/money.ts";
import { countingTimeOf, hasLainStill, type ReportContext, readingsOf } from "./counting-time.ts";
import { movedSince } from "./moved-by-others.ts";
import { countOfRow, type ReportRow } from "./rows/report-row-queries.ts";
import { type Doubt, doubtOf, openReasonOf, uncertainReasonOf } from "./uncertain.ts";
import { type VarianceRange, varianceAtCount, varianceOf } from "./variance.ts";

/** The variance at the time of counting. */
export function rangeAtCount(row: ReportRow, context: ReportContext): VarianceRange {
  if (hasLainStill(row)) {
    const { variance } = varianceOf(row);
    return { low: variance, high: variance };
  }
  return varianceAtCount(row.counted, countingTimeOf(row, context), readingsOf(row, context));
}

/** What a deploy has found out besides the report. */
interface DeployFacts {
  /** Whether what nobody counted goes to zero although areas were left open: as the report was deployed, unless given. */
  readonly zeroUncounted?: boolean;
  /** Whether so does, of what nobody counted, what was searched for and is not there. */
  readonly zeroSearched?: boolean;
  /**
   * Units that other sessions have moved since the stock was read for the row; null where nobody can tell. What the report
   * knows of it, unless given.
   */
  readonly movedByOthers?: number | null;
  /** What is uncertain about the row's figure, where that was worked out already. */
  readonly figure?: Doubt | null;
  /** Why Shopify can't move it any more. */
  readonly unmovable?: SkipReason | null;
  /** The deploy stocks it at the location where it was found. */
  readonly stocking?: boolean;
}

/** By how many units a deploy moves the row's stock, unless the row is skipped: what is missing of its variance. */
export function deployDelta(
  row: ReportRow,
  context: ReportContext,
  movedByOthers: number | null = movedSince(row, context),
): number {
  return varianceByBasis(row, context).low - row.booked - (movedByOthers ?? 0);
}

/** The variance that a deploy applies; uncertain only at the time of counting. */
export function varianceByBasis(row: ReportRow, context: ReportContext): VarianceRange {
  if (context.basis === "count") return rangeAtCount(row, context);
  const { variance } = varianceOf(row);
  return { low: variance, high: variance };
}

/**
 * Why a deploy leaves the row's stock alone; null where it moves it, or where there is nothing to move
 * (docs/API.md, "Deploy and rollback"). What Shopify can't move comes before what we should not.
 */
export function skipReasonOf(
  row: ReportRow,
  context: ReportContext,
  {
    zeroUncounted = context.zeroUncounted,
    zeroSearched = context.zeroSearched,
    movedByOthers = movedSince(row, context),
    figure = doubtOf(row, context),
    unmovable = null,
    stocking = false,
  }: DeployFacts = {},
): SkipReason | null {
  const { low, high } = varianceByBasis(row, context);
  const varies = low !== 0 || high !== 0 || isHiddenAtEnd(row);
  const nothingToMove = movedByOthers !== null && deployDelta(row, context, movedByOthers) === 0;
  const doubt = openReasonOf(figure);
  if (!varies && nothingToMove && doubt === null) return null;
  const unmovableAtEnd = varies || doubt !== null ? unmovableAtEndOf(row) : null;
  const leftOut = unmovableAtEnd === "NOT_STOCKED" && stocking ? null : unmovableAtEnd;
  if (leftOut !== null) return leftOut;
  // Also of what is as at the start and another session has moved: where the location is there again, its stock is another by now.
  if (context.withoutEndStock) return "NOT_STOCKED";
  if (row.countedLater) return "COUNTED_LATER";
  if (isLeftAlone(row)) return "LEFT_ALONE";
  const everywhereLooked = context.everyAreaClosed && !mayBeThere(row);
  const zeroes = everywhereLooked || zeroUncounted || (zeroSearched && isNotThere(row));
  if (!row.hasCount && !zeroes) return "NOT_COUNTED";
  // Named even where nothing would be moved: the figure may be wrong all the same.
  if (doubt !== null) return doubt;
  if (low !== high || movedByOthers === null) return "AMBIGUOUS_MOVEMENT";
  return nothingToMove ? null : unmovable;
}

/** Nobody counted it, and whoever looked for it says that it is not there. */
export function isNotThere({ search }: Pick<ReportRow, "search">): boolean {
  return search === "not_there";
}

/**
 * Nobody counted it, and somebody has found it, or it is contradicted that it is not there: that every area was closed says no more that it is gone.
 */
export function mayBeThere({ search }: Pick<ReportRow, "search">): boolean {
  return search === "found" || search === "contradicted";
}

/** Nobody counted it, and on purpose: whatever a deploy does with the rest, its stock stays as it is. */
export function isLeftAlone({ hasCount, leftAlone }: Pick<ReportRow, "hasCount" | "leftAlone">): boolean {
  return !hasCount && leftAlone !== null;
}

/**
 * Shopify stopped stocking it at the location while the session ran. An inactive level keeps its stock and shows none, so that
 * the end says nothing of what is on the shelf, although nothing looks missing.
 */
function isHiddenAtEnd({ gone, tracked, bundle, stocked, startOnHand }: ReportRow): boolean {
  return !gone && tracked && !bundle && !stocked && startOnHand !== 0;
}

/** Why Shopify could not move the row's stock when the session ended. */
function unmovableAtEndOf({ gone, tracked, bundle, stocked }: ReportRow): SkipReason | null {
  if (gone) return "DELETED";
  if (!tracked) return "UNTRACKED";
  if (bundle) return "BUNDLE";
  return stocked ? null : "NOT_STOCKED";
}

export function presentRow(row: ReportRow, context: ReportContext): ReportItem {
  const { variance, naturalMovement } = varianceOf(row);
  const movedByOthers = movedSince(row, context);
  const isMoved = context.deployed && row.booked !== 0;
  const doubt = doubtOf(row, context);
  const skipReason = isMoved ? null : skipReasonOf(row, context, { movedByOthers, figure: doubt });
  const item: ReportItem = {
    productTitle: row.productTitle,
    image: row.image,
    size: row.size,
    sku: row.sku,
    startOnHand: row.startOnHand,
    endOnHand: row.endOnHand,
    naturalMovement,
    counted: row.counted,
    variance,
    unitCost: moneyOf(row.unitCostCents),
    costImpact: moneyOf(costOfUnits(variance, row.unitCostCents)),
    areas: [...(row.areas ?? [])],
    manual: row.manual,
    skipReason,
    wouldMove: context.deployed || skipReason !== null ? null : deployDelta(row, context, movedByOthers),
    movedByOthers,
    deployed: row.booked,
    firstCountedAt: row.firstCountedAt?.toISOString() ?? null,
    lastCountedAt: row.lastCountedAt?.toISOString() ?? null,
    varianceAtCount: rangeAtCount(row, context),
    uncertain: doubt?.reason ?? null,
    included: doubt?.isIncluded ?? false,
  };
  // Of most rows it says nothing, and a large report is long enough.
  if (doubt !== null) item.uncertainReasons = [...doubt.reasons];
  if (row.search !== null) item.search = row.search;
  if (!row.hasCount && row.leftAlone !== null) item.leftAlone = row.leftAlone;
  if (countOfRow(row) === "none") item.countedNone = true;
  if (context.withoutEndStock) item.withoutEndStock = true;
  return item;
}

/**
 * Whether the view of variances shows the row: it has a variance, a manual count, an uncertain figure, or, where the variance at the moment
 * of counting is what a deploy applies, one of those; or this session's deploy has moved it; or a deploy would move it back by what another
 * session has moved.
 */
function hasVariance(row: ReportRow, context: ReportContext): boolean {
  if (row.manual || row.booked !== 0 || varianceOf(row).variance !== 0) return true;
  if (isHiddenAtEnd(row) && !context.withoutEndStock) return true;
  const { low, high } = varianceByBasis(row, context);
  if (low !== 0 || high !== 0 || uncertainReasonOf(row, context) !== null) return true;
  if (context.deployed || !context.movedByOthers.has(row.inventoryItemId)) return false;
  return skipReasonOf(row, context) === null && deployDelta(row, context) !== 0;
}

/** Whether a view shows the row. */
export function isShown(row: ReportRow, context: ReportContext, view: ReportView): boolean {
  return view === "all" || hasVariance(row, context);
}
