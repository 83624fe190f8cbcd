import { allSteps, eachInSteps, type Steps, sortedInSteps } from "../in-steps.ts";
import { type AreaOrder, areasBeside } from "./areas-beside.ts";
import { keep, keptUnder, keysOf, lookAlike, markedKeys, shortestCode } from "./look-alikes.ts";
import { nextSizesAmong } from "./size-order.ts";

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

interface RankedSwap<Sku> extends LikelySwap<Sku> {
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
  return allSteps(likelySwapsInSteps(skus, areaOrder));
}

/** The same, in steps. */
export function* likelySwapsInSteps<Sku extends CountedSku>(
  skus: readonly Sku[],
  areaOrder: AreaOrder,
): Steps<LikelySwap<Sku>[]> {
  const pairing: Pairing<Sku> = { distance: distanceOf(areaOrder), paired: new Set(), swaps: [] };
  const varying: Sku[] = [];
  yield* eachInSteps(skus, (sku) => {
    if (sku.variance !== 0) varying.push(sku);
  });
  const rivals = yield* rivalsAmong(varying);
  yield* pairNeighbours(rivals, pairing);
  yield* pairLookAlikes(varying, pairing);
  yield* pairWithNowhere(rivals, pairing);
  const sorted = yield* sortedInSteps(
    pairing.swaps,
    (one, other) => one.rank - other.rank || other.units - one.units || bySku(one.over, other.over),
  );
  return sorted.map(({ over, short, units, why }) => ({ over, short, units, why }));
}

function bySku(one: CountedSku, other: CountedSku): number {
  if (one.sku === other.sku) return 0;
  return one.sku < other.sku ? -1 : 1;
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

/** How far the pairs are found. */
interface Pairing<Sku> {
  readonly distance: Distance;
  readonly paired: Set<Sku>;
  readonly swaps: RankedSwap<Sku>[];
}

function pair<Sku extends CountedSku>(
  { paired, swaps }: Pairing<Sku>,
  swap: Pick<RankedSwap<Sku>, "over" | "short" | "why" | "rank">,
): void {
  paired.add(swap.over).add(swap.short);
  swaps.push({ ...swap, units: swap.over.variance });
}

/** Variants of one product that are over and short by as many units, each in the order of its SKU. */
interface Rivals<Sku> {
  readonly overs: readonly Sku[];
  readonly shorts: readonly Sku[];
  readonly isNext: (left: string | null, right: string | null) => boolean;
}

function* rivalsAmong<Sku extends CountedSku>(varying: readonly Sku[]): Steps<readonly Rivals<Sku>[]> {
  const products = new Map<string, Sku[]>();
  yield* eachInSteps(varying, (sku) => {
    const title = sku.productTitle.trim();
    const product = products.get(title);
    if (title === "") return;
    if (product === undefined) products.set(title, [sku]);
    else product.push(sku);
  });
  const rivals: Rivals<Sku>[] = [];
  yield* eachInSteps([...products.values()], (product) => rivals.push(...rivalsOf(product)));
  return rivals;
}

function rivalsOf<Sku extends CountedSku>(product: readonly Sku[]): Rivals<Sku>[] {
  if (product.length < 2) return [];
  const byUnits = new Map<number, { readonly overs: Sku[]; readonly shorts: Sku[] }>();
  for (const sku of product) {
    const units = Math.abs(sku.variance);
    const those = byUnits.get(units) ?? { overs: [], shorts: [] };
    byUnits.set(units, those);
    (sku.variance > 0 ? those.overs : those.shorts).push(sku);
  }
  const both = [...byUnits.values()].filter(({ overs, shorts }) => overs.length * shorts.length > 0);
  if (both.length === 0) return [];
  const isNext = nextSizesAmong(product.map(({ size }) => size));
  return both.map(({ overs, shorts }) => ({ overs: overs.sort(bySku), shorts: shorts.sort(bySku), isNext }));
}

/** Each of the rivals that are over, with the first of those still free that are short and fit it. */
function* pairRivals<Sku extends CountedSku>(
  { overs, shorts, isNext }: Rivals<Sku>,
  pairing: Pairing<Sku>,
  rank: number,
  fits: (over: Sku, short: Sku) => boolean,
): Steps<void> {
  const { paired } = pairing;
  let free = shorts.filter((short) => !paired.has(short));
  for (const over of overs) {
    if (free.length === 0) return;
    if (paired.has(over)) continue;
    const short = free.find((each) => isNext(over.size, each.size) && fits(over, each));
    if (short !== undefined) {
      pair(pairing, { over, short, why: "neighbours", rank });
      free = free.filter((each) => each !== short);
    }
    yield;
  }
}

/** Of one product, n too many and n too few, with no other of its sizes in between. */
function* pairNeighbours<Sku extends CountedSku>(
  rivals: readonly Rivals<Sku>[],
  pairing: Pairing<Sku>,
): Steps<void> {
  for (const those of rivals) {
    for (const apart of [0, 1]) {
      yield* pairRivals(
        those,
        pairing,
        closeness.neighbours + apart,
        (over, short) => pairing.distance(over, short) === apart,
      );
    }
  }
}

/** Neighbours again: all of the short one was counted as the other, so that it was found nowhere. */
function* pairWithNowhere<Sku extends CountedSku>(
  rivals: readonly Rivals<Sku>[],
  pairing: Pairing<Sku>,
): Steps<void> {
  for (const those of rivals) {
    yield* pairRivals(
      those,
      pairing,
      closeness.nowhere,
      (over, short) => short.areas.length === 0 && over.areas.length > 0,
    );
  }
}

/**
 * Codes alike but for a place or two, n too many and n too few. Compared are those alone that are the same once a place,
 * or two neighbouring ones, are left out: every code with every other would take minutes.
 */
function* pairLookAlikes<Sku extends CountedSku>(
  varying: readonly Sku[],
  pairing: Pairing<Sku>,
): Steps<void> {
  const { paired } = pairing;
  const overs: Sku[] = [];
  const shorts: Sku[] = [];
  let keys = 0;
  yield* eachInSteps(varying, (each) => {
    if (paired.has(each) || each.areas.length === 0 || each.sku.length < shortestCode) return;
    (each.variance > 0 ? overs : shorts).push(each);
    if (each.variance > 0) keys += 2 * each.sku.length;
  });
  const alikeTo = yield* shortLookAlikes(overs, shorts, keys);
  const alike: { readonly over: Sku; readonly shorts: readonly (readonly [Sku, 0 | 1])[] }[] = [];
  yield* eachInSteps(overs, (over) => {
    const found = alikeTo(over).flatMap((short): [Sku, 0 | 1][] => {
      const apart = pairing.distance(over, short);
      return apart === null ? [] : [[short, apart]];
    });
    if (found.length > 0) alike.push({ over, shorts: found });
  });
  const inOrder = yield* sortedInSteps(alike, (one, other) => bySku(one.over, other.over));
  for (const apart of [0, 1]) {
    yield* eachInSteps(inOrder, ({ over, shorts: found }) => {
      if (paired.has(over)) return;
      const free = found.flatMap(([short, at]) => (at === apart && !paired.has(short) ? [short] : []));
      const [short] = free.sort(bySku);
      if (short !== undefined) {
        pair(pairing, { over, short, why: "look_alike", rank: closeness.look_alike + apart });
      }
    });
  }
}

/** Finds the codes that are short by as many units as one is over and look like it. */
function* shortLookAlikes<Sku extends CountedSku>(
  overs: readonly Sku[],
  shorts: readonly Sku[],
  keys: number,
): Steps<(over: Sku) => Sku[]> {
  const wanted = markedKeys(keys);
  yield* eachInSteps(overs, ({ sku, variance }) => {
    for (const key of keysOf(sku, variance)) wanted.mark(key);
  });
  const kept = new Map<number, Sku[]>();
  yield* eachInSteps(shorts, (short) =>
    keep(
      kept,
      keysOf(short.sku, short.variance).filter((key) => wanted.has(key)),
      short,
    ),
  );
  return (over) =>
    [...keptUnder(kept, keysOf(over.sku, over.variance))].filter(
      (short) => short.variance === -over.variance && lookAlike(over.sku, short.sku),
    );
}
