import { groupBy } from "../group-by.ts";
import { allSteps, eachInSteps, type Steps, sortedInSteps } from "../in-steps.ts";
import { type AreaOrder, areasBeside } from "./areas-beside.ts";
import type { CountedSku, LikelySwap } from "./likely-swaps.ts";
import { compareSizes } from "./size-order.ts";

/**
 * Sizes of one product whose variances cancel out: some of them were likely counted as others of them. They are two or more that
 * - were counted, vary, and are in no likely swapped pair,
 * - lie in the same area or in adjacent ones, so that each lies with or beside another of them, and
 * - come to 0 together. Of the sizes that lie so none is left out: among many differences some of them come to 0 by chance.
 * Groups of most units come first, then by SKU; each is in the order of its sizes. Nothing is changed by it: it says where to look.
 * Takes n log n.
 */
export function cancellingSizes<Sku extends CountedSku>(
  skus: readonly Sku[],
  areaOrder: AreaOrder,
  pairs: readonly LikelySwap<Sku>[],
): (readonly Sku[])[] {
  return allSteps(cancellingSizesInSteps(skus, areaOrder, pairs));
}

/** The same, in steps. */
export function* cancellingSizesInSteps<Sku extends CountedSku>(
  skus: readonly Sku[],
  areaOrder: AreaOrder,
  pairs: readonly LikelySwap<Sku>[],
): Steps<(readonly Sku[])[]> {
  const paired = new Set(pairs.flatMap(({ over, short }) => [over, short]));
  const products = new Map<string, Sku[]>();
  yield* eachInSteps(skus, (sku) => {
    const title = sku.productTitle.trim();
    if (title === "" || sku.variance === 0 || sku.areas.length === 0 || paired.has(sku)) return;
    const product = products.get(title);
    if (product === undefined) products.set(title, [sku]);
    else product.push(sku);
  });
  const beside = areasBeside(areaOrder);
  const groups: (readonly Sku[])[] = [];
  yield* eachInSteps([...products.values()], (product) => {
    for (const sizes of lyingTogether(product, beside)) {
      if (sizes.reduce((sum, { variance }) => sum + variance, 0) !== 0) continue;
      groups.push(sizes.toSorted((one, other) => compareSizes(one.size, other.size) || bySku(one, other)));
    }
  });
  const sorted = yield* sortedInSteps(
    groups,
    (one, other) => unitsOver(other) - unitsOver(one) || bySku(one[0], other[0]),
  );
  return [...sorted];
}

function bySku(one: CountedSku | undefined, other: CountedSku | undefined): number {
  const [left, right] = [one?.sku ?? "", other?.sku ?? ""];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function unitsOver(sizes: readonly CountedSku[]): number {
  return sizes.reduce((sum, { variance }) => sum + Math.max(variance, 0), 0);
}

/** The sizes of a product, as far as one leads to the next by areas that they share or that are beside each other. */
function lyingTogether<Sku extends CountedSku>(
  product: readonly Sku[],
  beside: ReadonlyMap<string, ReadonlySet<string>>,
): Sku[][] {
  if (product.length < 2) return [];
  const leadsTo = new Map(product.flatMap(({ areas }) => areas.map((area) => [area, area] as const)));
  const join = (one: string, other: string) => leadsTo.set(rootOf(one, leadsTo), rootOf(other, leadsTo));
  for (const { areas } of product) {
    for (const area of areas) join(area, areas[0] ?? area);
  }
  for (const area of leadsTo.keys()) {
    for (const next of beside.get(area) ?? []) {
      if (leadsTo.has(next)) join(area, next);
    }
  }
  return [...groupBy(product, ({ areas }) => rootOf(areas[0] ?? "", leadsTo)).values()];
}

/** Where an area leads to in the end; the way there is made shorter for the next time. */
function rootOf(area: string, leadsTo: Map<string, string>): string {
  let at = area;
  for (let next = leadsTo.get(at); next !== undefined && next !== at; next = leadsTo.get(at)) {
    leadsTo.set(at, leadsTo.get(next) ?? next);
    at = next;
  }
  return at;
}
