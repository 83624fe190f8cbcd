/** The middle of the values; the upper of two. NaN of none. */
export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

/** What a share of the values is at most; of values in rising order. NaN of none. */
export function percentile(rising: readonly number[], share: number): number {
  return rising[Math.floor(rising.length * share)] ?? Number.NaN;
}

/** Does a piece of work so many times, one after the other; returns the milliseconds that each took. */
export async function timesOf(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    await work();
    took.push(performance.now() - begun);
  }
  return took;
}
