import type { Transaction } from "../../database/pool.ts";
import { attemptsOf } from "../../passes/passes.ts";
import type { IncomingScan } from "./incoming-scan.ts";
import type { AreaState, AreasByCode, SessionForScans } from "./queries.ts";

/** A second count that a scan names, of an area that the scan may mean. */
export interface NamedAttempt {
  readonly area: AreaState;
  readonly takers: readonly string[];
  /** Why it counts nothing more, once it doesn't: the same as of an area's own pass. */
  readonly late: "AREA_CLOSED" | "PASS_OVER";
}

/** The second counts that scans name by their pass, and who may count in each. */
export interface Attempts {
  /** Undefined for a pass of an area itself. */
  readonly of: (areas: readonly AreaState[], sentPass: number | null) => NamedAttempt | undefined;
  /** To the person the area is open by a second count in another pass than the one that is named: see `attemptOpenTo`. */
  readonly isPassOver: (area: AreaState, sentPass: number | null, personId: string) => boolean;
}

interface Group {
  readonly session: SessionForScans;
  readonly areasOf: AreasByCode;
  readonly scans: readonly IncomingScan[];
}

const keyOf = (areaId: string, pass: number) => `${areaId} ${pass}`;

/**
 * Only a scan that names a pass which is not its area's may be of a second count, and only one that names a pass of a closed area may
 * be told of another. Nothing is read for the others. The areas are locked, so that no attempt ends in between.
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
  const closed = scans.flatMap((scan) =>
    areasOf(scan).flatMap(({ id, status }) => (scan.sentPass !== null && status === "closed" ? [id] : [])),
  );
  const found = await attemptsOf(transaction, session.id, {
    passes,
    closedAreaIds: [...new Set(closed)],
    people: [...new Set(scans.flatMap(({ scannedById, sentBy }) => [scannedById, sentBy.userId]))],
  });
  const attempts = new Map(found.map((attempt) => [keyOf(attempt.areaId, attempt.pass), attempt]));
  const open = new Map(
    found.filter(({ endedAs }) => endedAs === null).map((attempt) => [attempt.areaId, attempt]),
  );
  return {
    isPassOver({ id, status }, sentPass, personId) {
      const offered = status === "closed" && sentPass !== null ? open.get(id) : undefined;
      return offered !== undefined && offered.pass !== sentPass && offered.takers.includes(personId);
    },
    of(areas, sentPass) {
      if (sentPass === null) return undefined;
      for (const area of areas) {
        const known = attempts.get(keyOf(area.id, sentPass));
        if (known === undefined) continue;
        const isRestarted =
          area.status !== "closed" || known.endedAs === "reset" || known.endedAs === "mismatched";
        return { area, takers: known.takers, late: isRestarted ? "PASS_OVER" : "AREA_CLOSED" };
      }
      return undefined;
    },
  };
}
