/** Random choices that are the same for the same seed, so that a rehearsal that failed can be run again. */
export interface Dice {
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
  uuid(): string;
}

/** Marsaglia's xorshift on 32 bits; good enough to choose by, and short. */
export function dice(seed: number): Dice {
  let state = seed | 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[below(from.length)];
    if (chosen === undefined) throw new RangeError("Nothing to choose from.");
    return chosen;
  };
  const shuffled = <T>(from: readonly T[]): T[] => {
    const keyed = from.map((value) => ({ value, key: next() }));
    return keyed.sort((left, right) => left.key - right.key).map(({ value }) => value);
  };
  const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join("");
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  return { below, chance: (probability) => next() < probability, pick, shuffled, uuid };
}
