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

/** Shopify's on hand as read at a moment (milliseconds since the epoch). */
export interface OnHandReading {
  readonly at: number;
  readonly onHand: number;
  /** The level was changed between the reading before and this one, even where on hand is the same again. */
  readonly touched?: boolean;
}

/** The variance at the time of counting: equal ends where it is certain, in units. */
export interface VarianceRange {
  readonly low: number;
  readonly high: number;
}

/** From when to when a SKU was counted, in milliseconds since the epoch; null where nobody counted it. */
export interface CountingTime {
  readonly first: number;
  readonly last: number;
}

/**
 * Of readings in order of time that span the session: those that tell what was on hand while a SKU was counted, from the
 * last one at or before its first count to the first one at or after its last.
 */
export function readingsAround(
  { first, last }: CountingTime,
  readings: readonly OnHandReading[],
): readonly OnHandReading[] {
  const from = Math.max(
    0,
    readings.findLastIndex((reading) => reading.at <= first),
  );
  const found = readings.findIndex((reading) => reading.at >= last);
  const to = found < 0 ? readings.length - 1 : found;
  return readings.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/**
 * The variance as of the moment of counting: stock may have had any of the values read around it. A SKU that nobody
 * counted has the variance at the end.
 */
export function varianceAtCount(
  counted: number,
  time: CountingTime | null,
  readings: readonly OnHandReading[],
): VarianceRange {
  const around = time === null ? [] : readingsAround(time, readings);
  const [last] = readings.slice(-1);
  const values = (around.length > 0 ? around : [last]).map((reading) => reading?.onHand ?? 0);
  return { low: counted - Math.max(...values), high: counted - Math.min(...values) };
}
