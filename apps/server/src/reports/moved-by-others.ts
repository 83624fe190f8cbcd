import { countingTimeOf, type ReportContext, readingsOf } from "./counting-time.ts";
import type { Move } from "./moved-queries.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { readingsAround } from "./variance.ts";

/** When stock was read for a row's variance, in milliseconds. */
interface ReadingTime {
  /** When it was counted: at the end, or by scans. */
  readonly first: number;
  readonly last: number;
  /** The readings that tell what was on hand then: the last one before, and the first one after. */
  readonly before: number;
  readonly after: number;
}

/**
 * How much of a row's variance others have moved since the moment that the variance is of: they found the same difference.
 * Null where nobody can tell whether the variance includes it: where they moved the stock at that very moment, or between
 * the readings around it, which are equal where two movements cancelled each other out, and where it is unclear whether
 * they have moved it since.
 */
export function movedSince(row: ReportRow, context: ReportContext): number | null {
  const moves = context.movedByOthers.get(row.inventoryItemId);
  if (moves === undefined) return 0;
  const time = readingTimeOf(row, context);
  const perhaps = movesAfter(moves, time);
  if (perhaps.some(({ from }) => from < time.after || from <= time.last)) return null;
  return perhaps.reduce<number | null>(
    (sum, { delta }) => (sum === null || delta === null ? null : sum + delta),
    0,
  );
}

/** The moves that `movedSince` is the sum of. */
export function movesSince(row: ReportRow, context: ReportContext): readonly Move[] {
  const moves = context.movedByOthers.get(row.inventoryItemId);
  return moves === undefined ? [] : movesAfter(moves, readingTimeOf(row, context));
}

function movesAfter(moves: readonly Move[], { before, first }: ReadingTime): readonly Move[] {
  return moves.filter(({ from, to }) => from >= before || to > first);
}

function readingTimeOf(row: ReportRow, context: ReportContext): ReadingTime {
  const time = context.basis === "count" ? countingTimeOf(row, context) : null;
  const end = context.closedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (time === null) return { first: end, last: end, before: end, after: end };
  const around = readingsAround(time, readingsOf(row, context));
  const [before = time.first, after = time.last] = [around.at(0)?.at, around.at(-1)?.at];
  return { ...time, before, after };
}
