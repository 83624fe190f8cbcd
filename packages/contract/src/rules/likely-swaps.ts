import { groupBy } from "../group-by.ts";
import { type AreaOrder, areasBeside } from "./areas-beside.ts";
import { isNextSize } from "./size-order.ts";

/** What the rule looks at of a SKU. */
export interface CountedSku {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly variance: number;
  /** The names of the areas it was found in. */
  readonly areas: readonly string[];
}

/** Two SKUs of which one may have been counted as the other. */
export interface LikelySwap<Sku> {
  /** Has as many units too many as the other has too few. */
  readonly over: Sku;
  readonly short: Sku;
  readonly units: number;
  /** Neighbouring variants of one product, or codes that are easily taken for each other. */
  readonly why: "neighbours" | "look_alike";
}

/** The smaller, the likelier. */
const closeness = { neighbours: 0, look_alike: 2, nowhere: 4 } as const;

interface Candidate<Sku> extends LikelySwap<Sku> {
  readonly rank: number;
}

/**
 * Pairs of SKUs that were likely taken for each other. A pair is one SKU with n units too many and one with n too few that
 * - are of one product and of the same size or of two a step apart, with no other between them that varies, or have SKUs
 *   that differ in one character or in two neighbouring ones exchanged, and
 * - were found in the same area or in adjacent ones; of neighbours the short one may have been found nowhere: then all of
 *   it was counted as the other. Where neither was found, nobody took one for the other.
 * A SKU is in one pair at most. Neighbours come before look-alikes, the same area before adjacent ones, both before
 * nowhere, more units before fewer, and then SKUs in their order, so that the pairs are the same in whatever order the SKUs come.
 * Nothing is changed by it: it says where to look.
 */
export function likelySwaps<Sku extends CountedSku>(
  skus: readonly Sku[],
  areaOrder: AreaOrder,
): LikelySwap<Sku>[] {
  const varying = skus.filter(({ variance }) => variance !== 0);
  const areDistant = distanceOf(areaOrder);
  const candidates = [...neighbours(varying, areDistant), ...lookAlikes(varying, areDistant)].sort(
    (one, other) =>
      one.rank - other.rank ||
      other.units - one.units ||
      inOrder(one.over.sku, other.over.sku) ||
      inOrder(one.short.sku, other.short.sku),
  );
  const paired = new Set<Sku>();
  return candidates.flatMap(({ over, short, units, why }) => {
    if (paired.has(over) || paired.has(short)) return [];
    paired.add(over).add(short);
    return [{ over, short, units, why }];
  });
}

function inOrder(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** 0 where two SKUs share an area, 1 where areas of theirs are adjacent, else null. */
type Distance = (one: CountedSku, other: CountedSku) => 0 | 1 | null;

function distanceOf(areaOrder: AreaOrder): Distance {
  const beside = areasBeside(areaOrder);
  return (one, other) => {
    if (one.areas.some((area) => other.areas.includes(area))) return 0;
    const isBeside = one.areas.some((area) => other.areas.some((next) => beside.get(area)?.has(next)));
    return isBeside ? 1 : null;
  };
}

/** Of one product, n too many and n too few, with no other of its sizes in between. */
function neighbours<Sku extends CountedSku>(skus: readonly Sku[], distance: Distance): Candidate<Sku>[] {
  const titled = skus.filter(({ productTitle }) => productTitle.trim() !== "");
  return [...groupBy(titled, ({ productTitle }) => productTitle.trim()).values()].flatMap((product) => {
    const sizes = product.map(({ size }) => size);
    return product
      .filter(({ variance }) => variance > 0)
      .flatMap((over) =>
        product
          .filter(({ variance, size }) => variance === -over.variance && isNextSize(over.size, size, sizes))
          .flatMap((short) => {
            const isAllTaken = short.areas.length === 0 && over.areas.length > 0;
            const apart = isAllTaken ? closeness.nowhere : distance(over, short);
            if (apart === null) return [];
            return [{ over, short, units: over.variance, why: "neighbours" as const, rank: apart }];
          }),
      );
  });
}

/** Shorter codes differ by a character too often to mean anything. */
const shortestCode = 5;

/**
 * Codes alike but for a place or two, n too many and n too few. Compared are those alone that are the same once a place,
 * or two neighbouring ones, are left out: every code with every other would take minutes.
 */
function lookAlikes<Sku extends CountedSku>(skus: readonly Sku[], distance: Distance): Candidate<Sku>[] {
  const codes = skus.filter(({ sku, areas }) => sku.length >= shortestCode && areas.length > 0);
  const short = underKeys(
    codes.filter(({ variance }) => variance <= 0),
    ({ sku, variance }) => keysOf(sku, variance),
  );
  return codes
    .filter(({ variance }) => variance > 0)
    .flatMap((over) => {
      const found = keptUnder(keysOf(over.sku, over.variance), short);
      return [...found].flatMap((other) => {
        if (other.variance !== -over.variance || !lookAlike(over.sku, other.sku)) return [];
        const apart = distance(over, other);
        if (apart === null) return [];
        const rank = closeness.look_alike + apart;
        return [{ over, short: other, units: over.variance, why: "look_alike" as const, rank }];
      });
    });
}

/** Finds which of some codes look like another one. */
export function lookAlikesAmong(codes: Iterable<string>): (code: string) => string[] {
  const long = [...codes].filter((code) => code.length >= shortestCode);
  const byKey = underKeys(long, (code) => keysOf(code, 0));
  return (code) => [...keptUnder(keysOf(code, 0), byKey)].filter((other) => lookAlike(code, other));
}

/**
 * A number for each place of a code, equal for codes that are alike but for that place, or for it and the next one
 * exchanged, and of as many units: the sum of what every other character is worth at its place. Others may have the same number.
 */
function keysOf(text: string, units: number): number[] {
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

/** Keeps each under every key of its own. */
function underKeys<Kept>(
  all: readonly Kept[],
  keysOfOne: (each: Kept) => readonly number[],
): ReadonlyMap<number, readonly Kept[]> {
  const kept = new Map<number, Kept[]>();
  for (const each of all) {
    for (const key of keysOfOne(each)) {
      const alike = kept.get(key);
      if (alike === undefined) kept.set(key, [each]);
      else alike.push(each);
    }
  }
  return kept;
}

/** All that is kept under any of some keys, each once. */
function keptUnder<Kept>(keys: readonly number[], kept: ReadonlyMap<number, readonly Kept[]>): Set<Kept> {
  const found = new Set<Kept>();
  for (const key of keys) for (const each of kept.get(key) ?? []) found.add(each);
  return found;
}

function worthOf(character: number, place: number): number {
  const mixed = Math.imul(character + 1, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f);
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
