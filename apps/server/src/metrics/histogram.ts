import type { Labels, Metric, Sample } from "./exposition.ts";

/** Seconds: a scan takes milliseconds, a deploy up to the 25 s after which a call names an operation instead. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

interface Series {
  readonly labels: Labels;
  /** How many were at most the bound of the same place; the last for those above every bound. */
  readonly counts: number[];
  sum: number;
}

/** How long things took, by labels. Labels must come from a closed set, or memory grows without end. */
export class Histogram {
  private readonly named: Pick<Metric, "name" | "help">;
  private readonly series = new Map<string, Series>();

  constructor(named: Pick<Metric, "name" | "help">) {
    this.named = named;
  }

  observe(labels: Labels, seconds: number): void {
    const key = JSON.stringify(labels);
    const series = this.series.get(key) ?? { labels, counts: new Array(bounds.length + 1).fill(0), sum: 0 };
    this.series.set(key, series);
    const place = bounds.findIndex((bound) => seconds <= bound);
    const index = place === -1 ? bounds.length : place;
    series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.sum += seconds;
  }

  metric(): Metric {
    return { ...this.named, type: "histogram", samples: [...this.series.values()].flatMap(samplesOf) };
  }
}

/** Prometheus' buckets hold what is in those below them too. */
function samplesOf({ labels, counts, sum }: Series): Sample[] {
  let below = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index): Sample => {
    below += counts[index] ?? 0;
    const le = Number.isFinite(bound) ? String(bound) : "+Inf";
    return { suffix: "_bucket", labels: { ...labels, le }, value: below };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
}
