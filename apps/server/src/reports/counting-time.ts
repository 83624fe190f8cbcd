import type { Basis } from "@stocktake/contract";
import { deviceErrorMs } from "../kernel/clock.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import type { ReportRow } from "./report-row-queries.ts";
import type { CountingTime, OnHandReading } from "./variance.ts";

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
    "basis" | "areaCount" | "openAreas" | "startSnapshotAt" | "endSnapshotAt" | "endedAt"
  >,
): ReportContext {
  return {
    basis: session.basis,
    everyAreaClosed: session.areaCount > 0 && session.openAreas.length === 0,
    startedAt: session.startSnapshotAt,
    endedAt: session.endSnapshotAt ?? session.endedAt ?? session.startSnapshotAt,
  };
}

/**
 * When a row was counted by scans, as far as their devices' clocks can tell. Null where nobody scanned it, and for a
 * manual count: it is made after the end and is about it, so nothing about it is uncertain.
 */
export function countingTimeOf(
  { manual, firstCountedAt, lastCountedAt, unknownTimes }: ReportRow,
  { startedAt, endedAt }: ReportContext,
): CountingTime | null {
  if (manual) return null;
  const known = [firstCountedAt, lastCountedAt].flatMap((at) => at?.getTime() ?? []);
  // A scan whose time can't be may have been made at any moment of the session.
  const times = unknownTimes > 0 ? [startedAt.getTime(), endedAt.getTime(), ...known] : known;
  if (times.length === 0) return null;
  return { first: Math.min(...times) - deviceErrorMs, last: Math.max(...times) + deviceErrorMs };
}

/** What was on hand through the session, as far as it was read. */
export function readingsOf(row: ReportRow, context: ReportContext): OnHandReading[] {
  return [
    { at: context.startedAt.getTime(), onHand: row.startOnHand },
    ...row.readings,
    { at: Math.max(context.endedAt.getTime(), row.readings.at(-1)?.at ?? 0), onHand: row.endOnHand },
  ];
}
