import type { CountedArea, ReportItem } from "@stocktake/contract";

/** How well an area was counted. */
export interface AreaFigures {
  /** What the report's rows call it. */
  readonly name: string;
  /** Its code and its location; of areas that share the name, all of them. */
  readonly codes: readonly string[];
  readonly locations: readonly string[];
  /** SKUs that were counted in it; of areas that share the name their sum, with a SKU of two of them twice. */
  readonly skus: number;
  /** SKUs found in it that have a variance, each once. */
  readonly varying: number;
  /** What these variances are worth, up or down, each at its cost; of `unknown` it is not known. */
  readonly atStake: number;
  readonly unknown: number;
  /** So many times as fast as usual it was scanned; null where that is not much faster. */
  readonly fast: number | null;
}

interface Varying {
  varying: number;
  cents: number;
  unknown: number;
}

/** By area, what of a report's rows was found in it with a variance. A SKU that was found in several is in each of them. */
function varyingByArea(items: readonly ReportItem[]): ReadonlyMap<string, Varying> {
  const found = new Map<string, Varying>();
  for (const { variance, costImpact, areas } of items) {
    if (variance === 0) continue;
    for (const name of areas) {
      const area = found.get(name) ?? { varying: 0, cents: 0, unknown: 0 };
      found.set(name, area);
      area.varying += 1;
      if (costImpact === null) area.unknown += 1;
      else area.cents += Math.round(Math.abs(costImpact) * 100);
    }
  }
  return found;
}

/**
 * The areas that were counted, the most money at stake first. The report's rows name areas by their names alone, so that areas that share
 * one are one here.
 */
export function areaFigures(
  items: readonly ReportItem[],
  areas: readonly CountedArea[],
): readonly AreaFigures[] {
  if (areas.length === 0) return [];
  const found = varyingByArea(items);
  const byName = new Map<string, AreaFigures>();
  for (const { name, code, locationName, skus, fast } of areas) {
    const before = byName.get(name);
    const { varying, cents, unknown } = found.get(name) ?? { varying: 0, cents: 0, unknown: 0 };
    byName.set(name, {
      ...{ name, varying, unknown, atStake: cents / 100 },
      codes: [...(before?.codes ?? []), code],
      locations: [...new Set([...(before?.locations ?? []), locationName])],
      skus: (before?.skus ?? 0) + skus,
      fast: before?.fast == null ? fast : Math.max(before.fast, fast ?? 0),
    });
  }
  return [...byName.values()].sort(
    (left, right) => right.atStake - left.atStake || right.varying - left.varying,
  );
}
