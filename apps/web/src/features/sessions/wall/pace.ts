/** How many units had been counted at a moment, in milliseconds since the epoch. */
export interface Sample {
  readonly at: number;
  readonly scans: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A pace is of the last ten minutes: longer would hide that people went home, shorter leaps at every pause. */
const windowMs = 10 * minuteMs;
/** Fewer areas than this say nothing of the others. */
const areasToGoBy = 3;

/** The samples that a pace is of, with a new one; after a recount, where less counts than before, it begins anew. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.scans < last.scans) return [sample];
  const inWindow = samples.filter(({ at }) => at > sample.at - windowMs);
  // The newest before the window is where the window's own units begin.
  const before = samples.filter(({ at }) => at <= sample.at - windowMs).at(-1);
  return [...(before === undefined ? [] : [before]), ...inWindow, sample];
}

/** Units an hour; null until the samples span a minute. */
export function hourlyPace(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < minuteMs) return null;
  return Math.round(((last.scans - first.scans) * hourMs) / (last.at - first.at));
}

/**
 * When the last area will be closed if areas go on being closed as they have been since the start, in milliseconds since the
 * epoch; null where too few are closed to tell, or none is left.
 */
export function expectedEnd(startedAt: string, now: number, areas: number, closed: number): number | null {
  if (closed < areasToGoBy || closed >= areas) return null;
  return now + ((now - Date.parse(startedAt)) / closed) * (areas - closed);
}
