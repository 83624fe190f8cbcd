import type { Database } from "../database/pool.ts";
import { leastDifference, limitsExceeded, toleranceSoFar } from "./beyond-tolerance.ts";
import { readCountedDifferences, readListedAreas, type Session } from "./material-queries.ts";
import { readHeldTolerance } from "./tolerance-queries.ts";
import { withAreas } from "./with-areas.ts";

/** A SKU that is beyond tolerance, and that nobody has counted again. */
export interface OwedCount {
  readonly sku: string;
  readonly counted: number;
  /** The least that it differs by. */
  readonly difference: number;
}

/**
 * The SKUs beyond the session's tolerance, as far as that can be judged by now, that nobody has counted again: not in each area where they
 * were counted with a result that was settled or chosen, nor by hand after the end. In the order of their characters; none where no tolerance
 * holds.
 */
export async function readOwedCounts(reader: Database, session: Session): Promise<readonly OwedCount[]> {
  const held = await readHeldTolerance(reader, session);
  if (held === null) return [];
  const tolerance = toleranceSoFar(held, session, await readListedAreas(reader, session));
  const exceeding = (await readCountedDifferences(reader, session)).filter(
    (sku) => limitsExceeded(tolerance, sku).length > 0,
  );
  const owed = await withAreas(reader, session, exceeding);
  return owed
    .map((each) => ({ sku: each.sku, counted: each.counted, difference: leastDifference(each) }))
    .toSorted((one, other) => (one.sku < other.sku ? -1 : 1));
}
