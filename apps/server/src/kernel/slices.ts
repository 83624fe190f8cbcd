import { setImmediate as letOthersGoOn } from "node:timers/promises";

/** Works on a long list slice by slice, so that what others ask for meanwhile does not wait for all of it. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let begin = 0; begin < items.length; begin += atOnce) {
    if (begin > 0) await letOthersGoOn();
    for (const item of items.slice(begin, begin + atOnce)) results.push(work(item));
  }
  return results;
}
