import { percentile } from "../times.ts";

/** What is timed in a night, and what of it is counted besides. */
export type Work = "scan" | "kept scans after a drop" | "finish" | "report" | "progress";

/** Collects the milliseconds that each kind of work took, and how often it was done. */
export class Figures {
  readonly #took = new Map<Work, number[]>();
  /** Scans that were answered as stored. */
  stored = 0;
  /** Connections that the bench dropped. */
  drops = 0;

  async timed<Result>(work: Work, run: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const result = await run();
    const took = this.#took.get(work) ?? [];
    took.push(performance.now() - began);
    this.#took.set(work, took);
    return result;
  }

  /** A line for each kind of work. */
  lines(): string[] {
    return Array.from(this.#took, ([work, took]) => {
      const rising = took.toSorted((left, right) => left - right);
      const at = (share: number) => percentile(rising, share).toFixed(1);
      return `${work}: ${took.length} times, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${rising.at(-1)?.toFixed(0)} ms`;
    });
  }
}
