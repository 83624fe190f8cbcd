import type { Transaction } from "../../database/pool.ts";
import { clockToleranceMs } from "../../kernel/clock.ts";
import { attemptsOf, type NamedByPass } from "../../passes/passes.ts";
import type { IncomingScan } from "./incoming-scan.ts";
import type { AreaState, AreasByCode, SessionForScans } from "./queries.ts";

/** A second count that a scan names, of an area that the scan may mean. */
export interface NamedAttempt {
  readonly area: AreaState;
  /** It is open to whoever made the scan, and was asked for by then. */
  readonly takes: (scan: IncomingScan) => boolean;
  /** Why it counts nothing more, once it doesn't: the same as of an area's own pass. */
  readonly late: "AREA_CLOSED" | "PASS_OVER";
}

/** The second counts that scans name by their pass, and who may count in each. */
export interface Attempts {
  /** Undefined for a pass of an area itself. */
  readonly of: (areas: readonly AreaState[], sentPass: number | null) => NamedAttempt | undefined;
}

interface Group {
  readonly session: SessionForScans;
  readonly areasOf: AreasByCode;
  readonly scans: readonly IncomingScan[];
}

/**
 * A device that goes on offline after a reset gives its scans the number of the area's next pass, which a second count may have taken
 * meanwhile: what was made before that was asked for is of no count of somebody else's. A time that the server can't take for known keeps nobody out.
 */
function isTakenBy(
  { scannedById, scannedAtMs, isTimeUnknown }: IncomingScan,
  { takers, openFrom }: NamedByPass,
  { startSnapshotAt }: SessionForScans,
): boolean {
  if (!takers.includes(scannedById)) return false;
  if (openFrom === null || scannedAtMs === null || isTimeUnknown) return true;
  return scannedAtMs >= openFrom.getTime() || scannedAtMs < startSnapshotAt.getTime() - clockToleranceMs;
}

const keyOf = (areaId: string, pass: number) => `${areaId} ${pass}`;

/**
 * Only a scan that names a pass which is not its area's may be of a second count. Nothing is read for the others. The areas are
 * locked, so that no attempt ends in between.
 */
export async function findAttempts(
  transaction: Transaction,
  { session, areasOf, scans }: Group,
): Promise<Attempts> {
  const named = scans.flatMap((scan) =>
    areasOf(scan).flatMap(({ id, pass }) =>
      scan.sentPass === null || scan.sentPass === pass ? [] : [{ areaId: id, pass: scan.sentPass }],
    ),
  );
  const passes = [...new Map(named.map((pass) => [keyOf(pass.areaId, pass.pass), pass])).values()];
  const people = [...new Set(scans.map(({ scannedById }) => scannedById))];
  const found = await attemptsOf(transaction, session.id, passes, people);
  const attempts = new Map(found.map((attempt) => [keyOf(attempt.areaId, attempt.pass), attempt]));
  return {
    of(areas, sentPass) {
      if (sentPass === null) return undefined;
      for (const area of areas) {
        const known = attempts.get(keyOf(area.id, sentPass));
        if (known === undefined) continue;
        const isRestarted =
          area.status !== "closed" || known.endedAs === "reset" || known.endedAs === "mismatched";
        const late = isRestarted ? "PASS_OVER" : "AREA_CLOSED";
        return { area, takes: (scan) => isTakenBy(scan, known, session), late };
      }
      return undefined;
    },
  };
}
