import type { ClockOffset } from "./clock-offset.ts";
import { toServerTime } from "./clock-offset.ts";

/** What the device's clocks showed when a row was written (docs/SYNC.md, S5). */
export interface ClockReading {
  /** Which page's elapsed time it is: each begins its own. */
  readonly page: string;
  /** The set clock less elapsed time: changes only where the clock is set or the system sleeps. */
  readonly lead: number;
  readonly elapsed: number;
  readonly offset: ClockOffset | null;
  /** No response of the server's has been measured in this page, or the lead has changed since. */
  readonly isDoubtful: boolean;
}

/** The clocks when the server was heard last. */
export interface Measurement {
  readonly page: string;
  readonly lead: number;
  readonly elapsed: number;
  readonly offset: ClockOffset;
}

// Above what a clock is corrected by without a jump, and below what matters for a movement of stock.
const toleranceMs = 2_000;

/** Whether two bounds of the offset can be the same offset: the clock was not set in between, however long that was. */
function agree(left: ClockOffset, right: ClockOffset): boolean {
  return left.low <= right.high + toleranceMs && right.low <= left.high + toleranceMs;
}

export function isSameLead(left: number, right: number): boolean {
  return Math.abs(left - right) <= toleranceMs;
}

/** When a scan was made, in the server's time; `isKnown` is false where that is only a guess. */
export interface ScanTime {
  readonly at: number;
  readonly isKnown: boolean;
}

/**
 * Whether the server's clock was set between a reading without doubt and its next response, or the server restored on another
 * machine: the offset is another one, and the device's own clock was not set by the difference.
 */
function wasServerSet({ offset, page, lead }: ClockReading, heard: Measurement | null): boolean {
  if (offset === null || heard === null || agree(offset, heard.offset)) return false;
  const setBy = heard.page === page ? heard.lead - lead : 0;
  return !agree({ low: offset.low - setBy, high: offset.high - setBy }, heard.offset);
}

/**
 * Decides when a scan was made. `wall` is the set clock at that moment. A reading without doubt is the set clock corrected
 * by the offset of before. A doubtful one is decided by the next response of the server: where the offset is what it was, the
 * system only slept; where it is not, the clock was set, and the scan was made after that if the lead is that of now.
 */
function timeOf(wall: number, reading: ClockReading, heard: Measurement | null): ScanTime {
  const { offset } = reading;
  const before = toServerTime(wall, offset);
  if (!reading.isDoubtful) return { at: before, isKnown: !wasServerSet(reading, heard) };
  const isOfPage = heard?.page === reading.page;
  if (heard === null || (isOfPage && heard.elapsed < reading.elapsed)) return { at: before, isKnown: false };
  // Set forward and back again in between, the clock was further ahead than it is now; sleep only adds.
  const wasAhead = isOfPage && reading.lead > heard.lead + toleranceMs;
  if (offset !== null && agree(offset, heard.offset) && !wasAhead) return { at: before, isKnown: true };
  if (isOfPage && isSameLead(reading.lead, heard.lead))
    return { at: toServerTime(wall, heard.offset), isKnown: true };
  return { at: before, isKnown: false };
}

/** The time of a scan as it is sent: `timeUnknown` where `scannedAt` is only a guess. */
export function scanTime(
  scan: { readonly timestamp: number; readonly scannedAt: string; readonly reading?: ClockReading },
  heard: Measurement | null,
): { readonly scannedAt: string; readonly timeUnknown?: true } {
  if (scan.reading === undefined) return { scannedAt: scan.scannedAt };
  const { at, isKnown } = timeOf(scan.timestamp, scan.reading, heard);
  const scannedAt = new Date(at).toISOString();
  return isKnown ? { scannedAt } : { scannedAt, timeUnknown: true };
}

/** When an undo, a reset or a finish was made, in the server's time, ISO 8601; null where that would only be a guess. */
export function operationTime(
  {
    createdAt,
    madeAt = createdAt,
    reading,
  }: {
    readonly createdAt: string;
    readonly madeAt?: string;
    readonly reading?: ClockReading;
  },
  heard: Measurement | null,
): string | null {
  const row = { timestamp: Date.parse(createdAt), scannedAt: madeAt };
  const { scannedAt, timeUnknown } = scanTime(reading === undefined ? row : { ...row, reading }, heard);
  return timeUnknown === true ? null : scannedAt;
}
