/** Shorter codes differ by a character too often to mean anything. */
export const shortestCode = 5;

/** Finds which of some codes look like another one. */
export function lookAlikesAmong(codes: Iterable<string>): (code: string) => string[] {
  const byKey = new Map<number, string[]>();
  for (const code of codes) {
    if (code.length >= shortestCode) keep(byKey, keysOf(code, 0), code);
  }
  return (code) => [...keptUnder(byKey, keysOf(code, 0))].filter((other) => lookAlike(code, other));
}

/**
 * A number for each place of a code, equal for codes that are alike but for that place, or for it and the next one
 * exchanged, and of as many units: the sum of what every other character is worth at its place. Others may have the same number.
 */
export function keysOf(text: string, units: number): number[] {
  const code = text.toUpperCase();
  const worth: number[] = [];
  let whole = Math.imul(Math.abs(units), 0x9e3779b1);
  for (let place = 0; place < code.length; place += 1) {
    const each = worthOf(code.charCodeAt(place), place);
    worth.push(each);
    whole = (whole + each) | 0;
  }
  // Loops, because ten thousand codes have three hundred thousand keys: a list for each place takes longer than all the rest.
  const keys: number[] = [];
  for (const [place, each] of worth.entries()) {
    const without = (whole - each) | 0;
    const next = worth[place + 1];
    keys.push(without);
    if (next !== undefined) keys.push((without - next) | 0);
  }
  return keys;
}

function worthOf(character: number, place: number): number {
  const mixed = Math.imul(character + 1, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f);
}

/** Keeps something under each of its keys. */
export function keep<Kept>(kept: Map<number, Kept[]>, keys: Iterable<number>, each: Kept): void {
  for (const key of keys) {
    const alike = kept.get(key);
    if (alike === undefined) kept.set(key, [each]);
    else alike.push(each);
  }
}

/** All that is kept under any of some keys, each once. */
export function keptUnder<Kept>(
  kept: ReadonlyMap<number, readonly Kept[]>,
  keys: readonly number[],
): Set<Kept> {
  const found = new Set<Kept>();
  for (const key of keys) for (const each of kept.get(key) ?? []) found.add(each);
  return found;
}

/** Whether two codes differ in one character, or in two neighbouring ones that are exchanged; case makes no difference. */
export function lookAlike(one: string, other: string): boolean {
  const [left, right] = [one.toUpperCase(), other.toUpperCase()];
  if (left.length !== right.length) return false;
  const places: number[] = [];
  for (let place = 0; place < left.length; place += 1) {
    if (left[place] !== right[place]) places.push(place);
    if (places.length > 2) return false;
  }
  const [first = 0, second = 0] = places;
  if (places.length < 2) return places.length === 1;
  return second === first + 1 && left[first] === right[second] && left[second] === right[first];
}

/** Keys that were marked, and few others: most keys that nobody looks for are never kept anywhere. */
interface MarkedKeys {
  mark(key: number): void;
  has(key: number): boolean;
}

/** `keys`: about how many there will be. */
export function markedKeys(keys: number): MarkedKeys {
  const size = 2 ** Math.min(24, Math.max(10, Math.ceil(Math.log2(keys * 8 + 1))));
  const marks = new Uint8Array(size);
  const placeOf = (key: number) => (key ^ (key >>> 15)) & (size - 1);
  return {
    mark: (key) => {
      marks[placeOf(key)] = 1;
    },
    has: (key) => marks[placeOf(key)] === 1,
  };
}
