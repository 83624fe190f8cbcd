/** The time in milliseconds since 1970. */
export type Clock = () => number;

/** A clock that can be set forward, for what lasts a day: keys and tokens. */
export class MovableClock {
  private readonly base: Clock;
  private offset = 0;

  constructor(base: Clock) {
    this.base = base;
  }

  now(): number {
    return this.base() + this.offset;
  }

  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }
}
