/** What the rehearsal measured on the way; times in milliseconds. */
export class Measures {
  readonly #scans: number[] = [];
  readonly #steps = new Map<string, number>();
  #batched = 0;
  #lost = 0;

  scan(milliseconds: number): void {
    this.#scans.push(milliseconds);
  }

  batch(scans: number): void {
    this.#batched += scans;
  }

  lost(): void {
    this.#lost += 1;
  }

  async step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const result = await work();
    this.#steps.set(name, performance.now() - began);
    return result;
  }

  /** One line a figure. */
  lines(): string[] {
    const ordered = this.#scans.toSorted((left, right) => left - right);
    const at = (share: number) =>
      ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? 0;
    return [
      `scans sent one by one: ${ordered.length} (p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms)`,
      `scans sent in batches: ${this.#batched}`,
      `responses lost or discarded: ${this.#lost}`,
      ...Array.from(this.#steps, ([name, milliseconds]) => `${name}: ${(milliseconds / 1000).toFixed(2)} s`),
    ];
  }
}
