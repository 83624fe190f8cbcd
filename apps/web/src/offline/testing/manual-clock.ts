import type { Clock, Randomness, Timers } from "../ports.ts";

/** Time that passes only when a test advances it. */
export interface ManualClock extends Clock, Timers {
  /** Advances time and runs the timers that fall due, in order. */
  advance(milliseconds: number): void;
  /** Time passes while the system sleeps: no timer runs, and what measures elapsed time stops. */
  sleep(milliseconds: number): void;
  /** Sets the clock forward or back, as a person or the network does. Timers go by elapsed time and are not affected. */
  setBy(milliseconds: number): void;
  /** How far the clock is ahead of elapsed time; negative where it was set back. */
  setAhead(): number;
  /** The time until the next timer; null where there is none. */
  nextIn(): number | null;
}

export function createManualClock(start = Date.parse("2026-03-01T08:00:00.000Z")): ManualClock {
  let now = start;
  let ahead = 0;
  let asleep = 0;
  const due = new Set<{ at: number; work: () => void }>();
  const first = () => [...due].sort((left, right) => left.at - right.at)[0];
  return {
    now: () => now + ahead,
    elapsed: () => now - start - asleep,
    after(milliseconds, work) {
      const timer = { at: now + milliseconds, work };
      due.add(timer);
      return () => due.delete(timer);
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (let timer = first(); timer !== undefined && timer.at <= end; timer = first()) {
        due.delete(timer);
        now = timer.at;
        timer.work();
      }
      now = end;
    },
    sleep(milliseconds) {
      now += milliseconds;
      asleep += milliseconds;
    },
    setBy(milliseconds) {
      ahead += milliseconds;
    },
    setAhead: () => ahead,
    nextIn() {
      const timer = first();
      return timer === undefined ? null : timer.at - now;
    },
  };
}

/** Repeatable randomness: the same seed gives the same bytes and fractions (mulberry32). */
export function createSeededRandomness(seed = 1): Randomness {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)),
  };
}
