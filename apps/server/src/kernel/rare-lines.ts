/** So long after a line another of the same kind is left out. */
const pauseMs = 10_000;
/** Kinds that are kept in mind; whoever makes up more of them makes all of them be written again. */
const mostKinds = 1_000;

interface Kind {
  readonly until: number;
  omitted: number;
}

/**
 * Keeps what strangers can cause as often as they like from filling the log: one line of a kind each ten seconds, which says how
 * many were left out since the one before.
 */
export class RareLines {
  private readonly now: () => number;
  private readonly kinds = new Map<string, Kind>();

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** `write` is called at once or not at all. */
  add(kind: string, write: (facts: { readonly omitted?: number }) => void): void {
    const last = this.kinds.get(kind);
    if (last !== undefined && this.now() < last.until) {
      last.omitted += 1;
      return;
    }
    if (last === undefined && this.kinds.size >= mostKinds) this.kinds.clear();
    this.kinds.set(kind, { until: this.now() + pauseMs, omitted: 0 });
    const omitted = last?.omitted ?? 0;
    write(omitted === 0 ? {} : { omitted });
  }
}
