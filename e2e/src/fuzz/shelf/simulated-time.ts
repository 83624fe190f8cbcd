/** What keeps simulated time besides this process: the databases. */
interface TimeKeeper {
  setTime(now: number): void;
}

/**
 * The true time of a simulated count, in milliseconds since 1970. It passes only as the simulation lets it; every clock is
 * this one and an error.
 */
export class SimulatedTime {
  #now: number;
  readonly #keeper: TimeKeeper;
  #keeperAhead = 0;
  readonly #listeners = new Set<(milliseconds: number) => void>();

  constructor(start: number, keeper: TimeKeeper) {
    this.#now = start;
    this.#keeper = keeper;
    keeper.setTime(start);
  }

  now(): number {
    return this.#now;
  }

  /** Calls the listener with each bit of time that has passed. */
  listen(listener: (milliseconds: number) => void): void {
    this.#listeners.add(listener);
  }

  move(milliseconds: number): void {
    this.#now += milliseconds;
    this.#tellKeeper();
    for (const listener of this.#listeners) listener(milliseconds);
  }

  /** Sets the databases' clock by so much. */
  setKeeperBy(milliseconds: number): void {
    this.#keeperAhead += milliseconds;
    this.#tellKeeper();
  }

  #tellKeeper(): void {
    this.#keeper.setTime(this.#now + this.#keeperAhead);
  }
}
