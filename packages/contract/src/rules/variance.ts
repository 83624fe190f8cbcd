/** Shopify's on hand in the two snapshots and what was counted, in units. */
export interface CountedStock {
  readonly startOnHand: number;
  readonly endOnHand: number;
  readonly counted: number;
}

export interface Variance {
  readonly naturalMovement: number;
  readonly variance: number;
}

/** The specification's variance: counted less (start on hand plus natural movement), which is counted less end on hand. */
export function varianceOf(stock: CountedStock): Variance {
  return {
    naturalMovement: stock.endOnHand - stock.startOnHand,
    variance: stock.counted - stock.endOnHand,
  };
}

/** What a variance costs, in whole cents; null where the unit cost is unknown. */
export function costImpactCents(variance: number, unitCostCents: number | null): number | null {
  return unitCostCents === null ? null : variance * unitCostCents;
}

/** Shopify's on hand as read at a moment (milliseconds since the epoch). */
export interface OnHandReading {
  readonly at: number;
  readonly onHand: number;
}

/** The variance at the time of counting: equal ends where it is certain, in units. */
export interface VarianceRange {
  readonly low: number;
  readonly high: number;
}

/**
 * The variance as of the moment of counting. `readings` are in order of time and span the session; stock may have had
 * any of the values read from the last reading at or before the first count to the first reading at or after the last.
 * A SKU that nobody counted has the variance at the end.
 */
export function varianceAtCount(
  counted: number,
  firstCountedAt: number | null,
  lastCountedAt: number | null,
  readings: readonly OnHandReading[],
): VarianceRange {
  const last = readings.at(-1)?.onHand ?? 0;
  if (firstCountedAt === null || lastCountedAt === null) return { low: counted - last, high: counted - last };
  const from = Math.max(
    0,
    readings.findLastIndex((reading) => reading.at <= firstCountedAt),
  );
  const found = readings.findIndex((reading) => reading.at >= lastCountedAt);
  const to = found < 0 ? readings.length - 1 : found;
  const values = readings.slice(Math.min(from, to), Math.max(from, to) + 1).map((reading) => reading.onHand);
  if (values.length === 0) return { low: counted - last, high: counted - last };
  return { low: counted - Math.max(...values), high: counted - Math.min(...values) };
}
