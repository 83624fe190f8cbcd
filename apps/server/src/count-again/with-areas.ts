import { groupBy } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import {
  type CountedDifference,
  type CountedInArea,
  readCountedPlaces,
  type Session,
} from "./material-queries.ts";

/**
 * What differs and where it was counted, without what was counted again and settled wherever it was counted: there is nothing left to
 * find out.
 */
export async function withAreas<Sku extends Pick<CountedDifference, "sku" | "hasCount">>(
  reader: Database,
  session: Session,
  differing: readonly Sku[],
): Promise<(Sku & { readonly places: readonly CountedInArea[] })[]> {
  const skus = differing.filter(({ hasCount }) => hasCount).map(({ sku }) => sku);
  const placesOf = groupBy(await readCountedPlaces(reader, session.id, skus), ({ sku }) => sku);
  return differing.flatMap((row) => {
    const places = placesOf.get(row.sku) ?? [];
    if (places.length > 0 && places.every(({ settled }) => settled)) return [];
    return [{ ...row, places }];
  });
}
