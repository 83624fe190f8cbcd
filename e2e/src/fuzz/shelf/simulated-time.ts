/** What keeps simulated time besides this process: a database. */
export interface TimeKeeper {
  setTime(now: number): Promise<void>;
}

/**
 * The true time of a simulated count, in milliseconds since 1970. It passes only as the simulation lets it; every clock is
 * this one and an error.
 */
export class SimulatedTime {
  #now: number;
  #keeper: TimeKeeper | null = null;
  #moving: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<(milliseconds: number) => void>();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** From here on this database tells the time. */
  async keptBy(keeper: TimeKeeper): Promise<void> {
    await this.#moving;
    this.#keeper = keeper;
    await keeper.setTime(this.#now);
  }

  /** Calls the listener with each bit of time that has passed. */
  listen(listener: (milliseconds: number) => void): void {
    this.#listeners.add(listener);
  }

  /** Lets time pass. Whoever asks for it at the same time waits in turn. */
  move(milliseconds: number): Promise<void> {
    this.#moving = this.#moving.then(async () => {
      const now = this.#now + milliseconds;
      await this.#keeper?.setTime(now);
      this.#now = now;
      for (const listener of this.#listeners) listener(milliseconds);
    });
    return this.#moving;
  }
}
