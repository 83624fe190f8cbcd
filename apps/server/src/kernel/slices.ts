import { setImmediate as letOthersGoOn } from "node:timers/promises";

/** Goes through a long list slice by slice, so that what others ask for meanwhile does not wait for all of it. */
export async function forEachInSlices<Item>(
  items: readonly Item[],
  atOnce: number,
  visit: (item: Item) => void,
): Promise<void> {
  for (let begin = 0; begin < items.length; begin += atOnce) {
    if (begin > 0) await letOthersGoOn();
    for (const item of items.slice(begin, begin + atOnce)) visit(item);
  }
}

/** What the work on each of a long list comes to; see `forEachInSlices`. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, atOnce, (item) => results.push(work(item)));
  return results;
}

/**
 * As `toSorted`, slice by slice: slices are sorted by themselves, and then merged two by two.
 * @param atOnce items that are sorted, or comparisons that are made, before others go on
 */
export async function sortInSlices<Item extends object | string>(
  items: readonly Item[],
  atOnce: number,
  compare: (left: Item, right: Item) => number,
): Promise<Item[]> {
  const starts = Array.from({ length: Math.ceil(items.length / atOnce) }, (_none, slice) => slice * atOnce);
  let runs = await inSlices(starts, 1, (start) => items.slice(start, start + atOnce).sort(compare));
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let run = 0; run < runs.length; run += 2) {
      merged.push(await mergeInSlices(runs[run] ?? [], runs[run + 1] ?? [], { atOnce, compare }));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

interface Merging<Item> {
  readonly atOnce: number;
  readonly compare: (left: Item, right: Item) => number;
}

/** Of two that compare as equal the one on the left comes first, as it did before. */
async function mergeInSlices<Item extends object | string>(
  left: readonly Item[],
  right: readonly Item[],
  { atOnce, compare }: Merging<Item>,
): Promise<Item[]> {
  const merged: Item[] = [];
  let fromLeft = 0;
  let fromRight = 0;
  for (;;) {
    const one = left[fromLeft];
    const other = right[fromRight];
    if (one === undefined || other === undefined) break;
    if (compare(one, other) <= 0) {
      merged.push(one);
      fromLeft += 1;
    } else {
      merged.push(other);
      fromRight += 1;
    }
    if (merged.length % atOnce === 0) await letOthersGoOn();
  }
  return merged.concat(left.slice(fromLeft), right.slice(fromRight));
}
