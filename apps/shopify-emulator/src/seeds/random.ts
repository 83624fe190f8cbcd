/** Numbers that are the same for the same seed, so that a shop made from them can be made again. */
export interface SeededRandom {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number with both ends included. */
  between(lowest: number, highest: number): number;
  /** True with this chance. */
  chance(probability: number): boolean;
}

/** A Weyl sequence whose steps are scrambled by two rounds of multiply and shift. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
  return {
    next,
    between: (lowest, highest) => lowest + Math.floor(next() * (highest - lowest + 1)),
    chance: (probability) => next() < probability,
  };
}
