/** Something is not known more closely than between these two, in milliseconds. */
export interface Bounds {
  readonly earliest: number;
  readonly latest: number;
}

/** Another clock was read: what it showed, and what ours did before and after, in milliseconds. */
export interface ClockReading {
  readonly showed: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** How far another clock is ahead of ours. */
export interface ClockDifference {
  read(reading: ClockReading): void;
  /** Null before the first reading. */
  bounds(): Bounds | null;
}

/** Clocks drift: what was measured longer ago says little of now. */
const forgottenAfterMs = 10 * 60_000;

interface Measured extends Bounds {
  readonly at: number;
}

/**
 * Each reading bounds the difference by how long it took and by how coarsely the other clock shows its time; together they
 * leave what all of them allow. Where they contradict each other a clock was set, and only the newest is right.
 *
 * @param resolutionMs the other clock shows its time cut off to as much
 */
export function measureDifference(resolutionMs: number): ClockDifference {
  let measured: Measured[] = [];

  function bounds(): Bounds | null {
    if (measured.length === 0) return null;
    const earliest = Math.max(...measured.map((one) => one.earliest));
    const latest = Math.min(...measured.map((one) => one.latest));
    return earliest <= latest ? { earliest, latest } : (measured.at(-1) ?? null);
  }

  return {
    read({ showed, askedAt, answeredAt: at }) {
      const newest = { at, earliest: showed - at, latest: showed + resolutionMs - askedAt };
      const agreeing = measured.filter(
        (one) => at - one.at < forgottenAfterMs && one.at <= at && overlap(one, newest),
      );
      measured = tightest([...agreeing, newest]);
    },
    bounds,
  };
}

function overlap(one: Bounds, other: Bounds): boolean {
  return one.earliest <= other.latest && other.earliest <= one.latest;
}

/** The one or two that bound the difference most closely, besides the newest, which comes last. */
function tightest(all: readonly Measured[]): Measured[] {
  const newest = all.slice(-1);
  const byEarliest = all.toSorted((one, other) => other.earliest - one.earliest).slice(0, 1);
  const byLatest = all.toSorted((one, other) => one.latest - other.latest).slice(0, 1);
  return [...new Set([...byEarliest, ...byLatest])].filter((one) => !newest.includes(one)).concat(newest);
}
