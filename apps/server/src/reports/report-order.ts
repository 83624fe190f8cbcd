import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { groupBy, listedTitle, naturalOrder, type OrderedProduct, productOrder } from "@stocktake/contract";
import { forEachInSlices, sortInSlices } from "../kernel/slices.ts";

/** Rows that are looked at, or sorted, before others go on: a millisecond or two to look at them, nearer ten to sort as many titles. */
const atOnce = 1_000;

/**
 * The rows in the order of products, as the page has them. Comparing text as people order it is the dear part of sorting a large
 * report, so that each title is placed once however many SKUs it has.
 */
export async function inReportOrder<Row extends OrderedProduct>(rows: readonly Row[]): Promise<Row[]> {
  const { titles, withinProduct } = productOrder();
  const products = new Map<string, Row[]>();
  await forEachInSlices(rows, atOnce, (row) => {
    const title = listedTitle(row.productTitle);
    const product = products.get(title);
    if (product === undefined) products.set(title, [row]);
    else product.push(row);
  });
  const sorted: Row[] = [];
  let sinceOthers = 0;
  for (const title of await sortInSlices([...products.keys()], atOnce, titles)) {
    const product = products.get(title) ?? [];
    sinceOthers += product.length;
    // A product of many SKUs lets others go on by itself; one of a few, as nearly all are, has nothing to wait for.
    const inOrder =
      product.length <= atOnce
        ? product.sort(withinProduct)
        : await sortInSlices(product, atOnce, withinProduct);
    for (const row of inOrder) sorted.push(row);
    if (sinceOthers < atOnce) continue;
    sinceOthers = 0;
    await letOthersGoOn();
  }
  return sorted;
}

/** Areas by their codes, a list a location: those after each other are beside each other. */
export function inAreaOrder<Area extends { readonly locationId: string; readonly code: string }>(
  areas: readonly Area[],
): Area[][] {
  const compare = naturalOrder();
  return Array.from(groupBy(areas, ({ locationId }) => locationId).values(), (those) =>
    those.toSorted((left, right) => compare(left.code, right.code)),
  );
}
