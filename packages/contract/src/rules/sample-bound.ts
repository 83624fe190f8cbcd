/** A sample of areas that was counted again: how many were drawn of how many, and in how many of them the first count was wrong. */
export interface SampleResult {
  readonly areas: number;
  readonly drawn: number;
  readonly differing: number;
}

/**
 * With 95% confidence at most so many of all areas differ: the smallest number K such that, if K + 1 differed, a draw would show
 * as few as this one, or fewer, in less than one of twenty cases. Exact (hypergeometric, in whole numbers), for draws without
 * replacement, each set of areas as likely as any other.
 */
export function atMostDiffering({ areas, drawn, differing }: SampleResult): number {
  // If more than this differed, more would have been drawn.
  let [least, most] = [differing, areas - (drawn - differing)];
  const draws = choose(BigInt(areas), BigInt(drawn));
  while (least < most) {
    const tried = Math.floor((least + most) / 2);
    if (drawsAsLow({ areas, drawn, differing }, tried + 1) * 20n < draws) most = tried;
    else least = tried + 1;
  }
  return least;
}

/** What a finished sample came to, in areas and in the units that lie in them. */
export interface SampleFindings {
  readonly areas: number;
  readonly drawn: readonly unknown[];
  readonly differing: number;
  readonly units: number;
  readonly drawnUnits: number;
  readonly differingUnits: number;
  readonly atMost: { readonly areas: number; readonly units: number } | null;
}

const text = (count: number) => count.toLocaleString("en-US");

/** What a finished sample says, a sentence of areas and one of units; none while it is not finished. */
export function sampleStatement(found: SampleFindings): readonly string[] {
  const { areas, drawn, differing, units, drawnUnits, differingUnits, atMost } = found;
  if (atMost === null) return [];
  return [
    `${text(drawn.length)} of ${text(areas)} areas drawn, ${text(differing)} differed: with 95% confidence at most ` +
      `${text(atMost.areas)} of ${text(areas)} differ.`,
    `${text(drawnUnits)} of ${text(units)} units counted again, ${text(differingUnits)} in areas that differed: with 95% ` +
      `confidence at most ${text(atMost.units)} of ${text(units)} are in areas that differ.`,
  ];
}

/** In how many of all draws so few are drawn, where so many truly differ. */
function drawsAsLow({ areas, drawn, differing }: SampleResult, truly: number): bigint {
  const [among, different] = [BigInt(drawn), BigInt(truly)];
  const alike = BigInt(areas) - different;
  // The fewest that a draw can show.
  const fewest = among > alike ? among - alike : 0n;
  let ways = choose(different, fewest) * choose(alike, among - fewest);
  let asFew = 0n;
  for (let shown = fewest; shown <= BigInt(differing); shown += 1n) {
    asFew += ways;
    ways = (ways * (different - shown) * (among - shown)) / ((shown + 1n) * (alike - among + shown + 1n));
  }
  return asFew;
}

/** In how many ways so many can be chosen from all. */
function choose(all: bigint, chosen: bigint): bigint {
  let ways = 1n;
  for (let one = 1n; one <= chosen; one += 1n) ways = (ways * (all - chosen + one)) / one;
  return ways;
}
