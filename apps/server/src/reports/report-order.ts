import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { compareSizes, groupBy, naturalOrder } from "@stocktake/contract";
import { forEachInSlices, sortInSlices } from "../kernel/slices.ts";

/** What the report's order looks at. */
export interface ReportOrderKey {
  readonly productTitle: string;
  readonly size: string | null;
  readonly sku: string;
}

type Order = (left: ReportOrderKey, right: ReportOrderKey) => number;

function alphabet(): Intl.Collator {
  return new Intl.Collator("en", { numeric: true });
}

function withinProduct({ compare }: Intl.Collator): Order {
  return (left, right) => compareSizes(left.size, right.size) || compare(left.sku, right.sku);
}

/**
 * The order of the report (specification, section 2): products alphabetically by title, within a product by size, then
 * SKU. The same in the page and in the CSV.
 */
export function reportOrder(): Order {
  const titles = alphabet();
  const within = withinProduct(titles);
  return (left, right) => titles.compare(left.productTitle, right.productTitle) || within(left, right);
}

/** Rows that are looked at, or sorted, before others go on: a millisecond or two to look at them, nearer ten to sort as many titles. */
const atOnce = 1_000;

/**
 * The rows in `reportOrder`. Comparing text as people order it is the dear part of sorting a large report, so that each
 * title is placed once however many SKUs it has.
 */
export async function inReportOrder<Row extends ReportOrderKey>(rows: readonly Row[]): Promise<Row[]> {
  const titles = alphabet();
  const named = new Set<string>();
  await forEachInSlices(rows, atOnce, ({ productTitle }) => named.add(productTitle));
  const ranks = await ranksOf(named, titles);
  const products: Row[][] = [];
  await forEachInSlices(rows, atOnce, (row) => {
    const rank = ranks.get(row.productTitle) ?? 0;
    const product = products[rank];
    if (product === undefined) products[rank] = [row];
    else product.push(row);
  });
  const within = withinProduct(titles);
  const sorted: Row[] = [];
  let sinceOthers = 0;
  for (const product of products) {
    sinceOthers += product.length;
    // A product of many SKUs lets others go on by itself; one of a few, as nearly all are, has nothing to wait for.
    const inOrder =
      product.length <= atOnce ? product.sort(within) : await sortInSlices(product, atOnce, within);
    for (const row of inOrder) sorted.push(row);
    if (sinceOthers < atOnce) continue;
    sinceOthers = 0;
    await letOthersGoOn();
  }
  return sorted;
}

/** The rank of each text among all of them; those that compare as equal ("A1" and "A01") share one. */
async function ranksOf(
  texts: ReadonlySet<string>,
  { compare }: Intl.Collator,
): Promise<ReadonlyMap<string, number>> {
  const ranks = new Map<string, number>();
  let rank = 0;
  let before: string | undefined;
  await forEachInSlices(await sortInSlices([...texts], atOnce, compare), atOnce, (text) => {
    if (before !== undefined && compare(before, text) !== 0) rank += 1;
    ranks.set(text, rank);
    before = text;
  });
  return ranks;
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
