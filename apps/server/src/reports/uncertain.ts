import type { UncertainReason } from "@stocktake/contract";
import { countingTimeOf, hasLainStill, type ReportContext, readingsOf } from "./counting-time.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { type CountingTime, type OnHandReading, readingsAround } from "./variance.ts";

/**
 * Longer than between two polls that came through, with the time by which Shopify's search may lag: over a longer one the
 * polls failed, or Shopify's search was far behind.
 */
const gapMs = 5 * 60_000;

const none: readonly UncertainReason[] = [];

/**
 * Why nobody can say for sure what a row's count is to be compared with, whichever the basis; none where it is certain. A
 * count by hand is made after the end and is about it, and what nobody counted is compared as it was at the end, so nothing
 * about either is uncertain, unless the end was read before a backup and stock has moved since.
 */
export function uncertainReasonsOf(row: ReportRow, context: ReportContext): readonly UncertainReason[] {
  // So are most rows of a large report, which is asked about each several times.
  if (row.found.size === 0 && hasLainStill(row)) return none;
  const reasons: UncertainReason[] = isMovedSinceBackup(row, context) ? ["MOVED_SINCE_BACKUP"] : [];
  if (row.manual) return reasons;
  // Also of what the first count had none of: another may have found it, and it is not missing then.
  if (row.found.has("COUNTS_DIFFER")) reasons.push("COUNTS_DIFFER");
  // Of what came anew and nobody counted as such: the shelf was counted as what has gone.
  if (row.found.has("REPLACED_IN_SHOP")) reasons.push("REPLACED_IN_SHOP");
  if (!row.hasCount) return reasons;
  for (const reason of ["COUNTED_AFTER_END", "UNDONE_AFTER_END", "MOVED_DURING_END"] as const) {
    if (row.found.has(reason)) reasons.push(reason);
  }
  const seen = reasonOfReadings(row, context);
  if (seen !== null) reasons.push(seen);
  return reasons;
}

/** What the readings of a row's stock say against its figure. */
function reasonOfReadings(row: ReportRow, context: ReportContext): UncertainReason | null {
  if (hasLainStill(row)) return null;
  const readings = readingsOf(row, context);
  if (row.unknownTimes > 0 && hasMoved(readings)) return "COUNTED_AT_UNKNOWN_TIME";
  if (context.clockWasSet && hasMoved(readings)) return "CLOCK_WAS_SET";
  const time = countingTimeOf(row, context);
  if (time === null) return null;
  if (isAcrossGap(readingsAround(time, readings))) return "COUNTED_ACROSS_GAP";
  return movedElsewhere(time, readings, context) ? "MOVED_BEFORE_COUNT_ENDED" : null;
}

function isMovedSinceBackup(row: ReportRow, context: ReportContext): boolean {
  if (!row.found.has("MOVED_SINCE_BACKUP")) return false;
  const time = countingTimeOf(row, context);
  return row.movedBefore === null || (time !== null && time.first <= row.movedBefore.getTime());
}

/**
 * By the comparison when counted: whether stock moved that was perhaps not where the row was counted. What left after
 * that may have lain where nobody had counted yet, and what came before it may lie where somebody had. Where the row's
 * own time of counting leaves a range, that says it already.
 */
function movedElsewhere(
  { first, last }: CountingTime,
  readings: readonly OnHandReading[],
  { countedDuring }: ReportContext,
): boolean {
  if (countedDuring === null || hasChanged(readingsAround({ first, last }, readings))) return false;
  const before = readingsAround({ first: Math.min(countedDuring.first, first), last: first }, readings);
  const after = readingsAround({ first: last, last: Math.max(countedDuring.last, last) }, readings);
  return hasRisen(before) || isAcrossGap(before) || hasChanged(after) || isAcrossGap(after);
}

function hasRisen(readings: readonly OnHandReading[]): boolean {
  return readings.some(({ onHand }, index) => onHand > (readings[index - 1]?.onHand ?? onHand));
}

function hasChanged(readings: readonly OnHandReading[]): boolean {
  return readings.some(({ onHand }) => onHand !== readings[0]?.onHand);
}

/** What is uncertain about a row's figure. */
export interface Doubt {
  /** The one to name: the first that is open, else the first of those that are decided. */
  readonly reason: UncertainReason;
  /** All of them. */
  readonly reasons: readonly UncertainReason[];
  /** Administrators have decided to deploy just this count in spite of each of its reasons. */
  readonly isIncluded: boolean;
}

/** Null where the figure is certain. */
export function doubtOf(row: ReportRow, context: ReportContext): Doubt | null {
  const reasons = uncertainReasonsOf(row, context);
  const open = reasons.find((reason) => row.inclusions.get(reason) !== row.counted);
  const reason = open ?? reasons[0];
  return reason === undefined ? null : { reason, reasons, isIncluded: open === undefined };
}

/** The first of the reasons in spite of which no administrator has decided to deploy just this count. */
export function openDoubtOf(row: ReportRow, context: ReportContext): UncertainReason | null {
  return openReasonOf(doubtOf(row, context));
}

/** The same of a doubt that was worked out already. */
export function openReasonOf(doubt: Doubt | null): UncertainReason | null {
  return doubt === null || doubt.isIncluded ? null : doubt.reason;
}

/** The reason to name. */
export function uncertainReasonOf(row: ReportRow, context: ReportContext): UncertainReason | null {
  return doubtOf(row, context)?.reason ?? null;
}

export function isIncluded(row: ReportRow, context: ReportContext): boolean {
  return doubtOf(row, context)?.isIncluded ?? false;
}

function hasMoved(readings: readonly OnHandReading[]): boolean {
  return hasChanged(readings) || readings.some(({ touched }) => touched === true);
}

/**
 * Whether stock may have been anything while it was counted: the level was changed over a long time without a reading, or
 * as much is on hand as before and yet it was changed, as after a sale that came back. An order holds stock and changes no
 * more than what is available; but a sale that came back beside it can't be told from it.
 */
function isAcrossGap(around: readonly OnHandReading[]): boolean {
  return around.some((reading, index) => {
    const before = around[index - 1];
    if (before === undefined || reading.touched !== true) return false;
    return reading.at - before.at > gapMs || reading.onHand === before.onHand;
  });
}
