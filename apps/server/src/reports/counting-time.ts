import type { Basis } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import { comparedErrorMs } from "../kernel/clock.ts";
import { currentDeployOf, endedWithoutStock, type SessionRow } from "../sessions/sessions.ts";
import { readCountedDuring } from "./counted-stock-queries.ts";
import { type MovedByOthers, readMovedByOthers } from "./moved-queries.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import type { CountingTime, OnHandReading } from "./variance.ts";

/** What the rules need of a session besides its rows. */
export interface ReportContext {
  readonly basis: Basis;
  /** The store had areas and every one was closed at the end: then what nobody scanned is really not there. */
  readonly everyAreaClosed: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** When the session was closed, after the stock at the end was read; null while it runs. */
  readonly closedAt: Date | null;
  /** Its Shopify location was gone at the end: counts are compared with the start, and nothing is deployed. */
  readonly withoutEndStock: boolean;
  /** The report's deploy is on its way to Shopify or there. */
  readonly deployed: boolean;
  /** That deploy was to set to zero what nobody counted although areas were left open. */
  readonly zeroUncounted: boolean;
  /** It was to set to zero, of what nobody counted, what was searched for and is not there. */
  readonly zeroSearched: boolean;
  /** The clock that wrote the session's times was set while it counted: what was first is not known. */
  readonly clockWasSet: boolean;
  /** What other sessions of the Shopify location have moved since this one began, once it is deployed until then. */
  readonly movedByOthers: MovedByOthers;
  /** From when to when anything at all was counted; null where nothing was, or where the basis does not ask. */
  readonly countedDuring: CountingTime | null;
}

type ComparedSession = EndedSession &
  Pick<SessionRow, "shopDomain" | "shopifyLocationId" | "startedAt" | "ledgerAtStart" | "ledgerAtEnd">;

type EndedSession = Pick<
  SessionRow,
  "id" | "basis" | "areaCount" | "openAreas" | "startSnapshotAt" | "endSnapshotAt" | "endedAt" | "clockSetAt"
>;

/** The store had areas and every one was closed when the session ended. */
export function wasEveryAreaClosed({ areaCount, openAreas }: EndedSession): boolean {
  return areaCount > 0 && openAreas.length === 0;
}

/** What of it the session itself tells. */
type SessionContext = Omit<
  ReportContext,
  "countedDuring" | "deployed" | "zeroUncounted" | "zeroSearched" | "movedByOthers"
>;

export function reportContextOf(session: EndedSession): SessionContext {
  return {
    basis: session.basis,
    everyAreaClosed: wasEveryAreaClosed(session),
    startedAt: session.startSnapshotAt,
    closedAt: session.endedAt,
    withoutEndStock: endedWithoutStock(session),
    endedAt: session.endSnapshotAt ?? session.endedAt ?? session.startSnapshotAt,
    clockWasSet: session.clockSetAt !== null,
  };
}

/** @param inventoryItemId the one that a report's row is of, where no other is asked for; it saves reading the others */
export async function readReportContext(
  reader: Database,
  session: ComparedSession,
  inventoryItemId: string | null = null,
): Promise<ReportContext> {
  const deploy = await currentDeployOf(reader, session.id);
  const deployedAt = deploy?.deployedAt ?? null;
  const context = {
    ...reportContextOf(session),
    deployed: deploy !== null,
    zeroUncounted: deploy?.zeroUncounted ?? false,
    zeroSearched: deploy?.zeroSearched ?? false,
    movedByOthers: await readMovedByOthers(reader, session, { inventoryItemId, deployedAt }),
  };
  if (context.basis === "end") return { ...context, countedDuring: null };
  const { first, last, unknownTimes } = await readCountedDuring(reader, session.id);
  const whole = { first: context.startedAt.getTime(), last: context.endedAt.getTime() };
  if (unknownTimes || context.clockWasSet) return { ...context, countedDuring: whole };
  const known = first === null || last === null ? null : withDeviceErrors([first.getTime(), last.getTime()]);
  return { ...context, countedDuring: known };
}

/** As far as the devices' clocks can tell: from the first of the times (milliseconds since 1970) to the last. */
function withDeviceErrors(times: readonly number[]): CountingTime {
  return { first: Math.min(...times) - comparedErrorMs, last: Math.max(...times) + comparedErrorMs };
}

/**
 * When a row was counted by scans, as far as their devices' clocks can tell. Null where nobody scanned it, and for a
 * manual count: it is made after the end and is about it, so nothing about it is uncertain.
 */
export function countingTimeOf(
  { manual, firstCountedAt, lastCountedAt, unknownTimes, readings }: ReportRow,
  { startedAt, endedAt, clockWasSet }: ReportContext,
): CountingTime | null {
  if (manual) return null;
  const known = [firstCountedAt, lastCountedAt].flatMap((at) => at?.getTime() ?? []);
  if (unknownTimes === 0 && known.length === 0) return null;
  if (unknownTimes === 0 && !clockWasSet) return withDeviceErrors(known);
  // It may have been made at any moment of the session, beside any of its readings, in whatever order their times are.
  const read = readings.map(({ at }) => at);
  return withDeviceErrors([startedAt.getTime(), endedAt.getTime(), ...read, ...known]);
}

/**
 * Its stock was never seen to move: whenever it was counted, on hand was what it is at the end. So are most rows of a large
 * report, and for them nothing has to be made of times and readings.
 */
export function hasLainStill({ startOnHand, endOnHand, readings }: ReportRow): boolean {
  return startOnHand === endOnHand && readings.length === 0;
}

/** What was on hand through the session, as far as it was read. */
export function readingsOf(row: ReportRow, context: ReportContext): OnHandReading[] {
  const untilEnd = [{ at: context.startedAt.getTime(), onHand: row.startOnHand }, ...row.readings];
  if (context.withoutEndStock) return untilEnd;
  return [
    ...untilEnd,
    { at: Math.max(context.endedAt.getTime(), row.readings.at(-1)?.at ?? 0), onHand: row.endOnHand },
  ];
}
