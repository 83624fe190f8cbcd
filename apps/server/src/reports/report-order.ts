import { compareSizes, groupBy, naturalOrder } from "@stocktake/contract";

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

/**
 * The rows in `reportOrder`. Comparing text as people order it is the dear part of sorting a large report, so that each
 * title is placed once however many SKUs it has.
 */
export function inReportOrder<Row extends ReportOrderKey>(rows: readonly Row[]): Row[] {
  const titles = alphabet();
  const ranks = ranksOf(
    rows.map(({ productTitle }) => productTitle),
    titles,
  );
  const products: Row[][] = [];
  for (const row of rows) {
    const rank = ranks.get(row.productTitle) ?? 0;
    const product = products[rank];
    if (product === undefined) products[rank] = [row];
    else product.push(row);
  }
  const within = withinProduct(titles);
  return products.flatMap((product) => product.sort(within));
}

/** The rank of each text among all of them; those that compare as equal ("A1" and "A01") share one. */
function ranksOf(texts: readonly string[], { compare }: Intl.Collator): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  let rank = 0;
  let before: string | undefined;
  for (const text of [...new Set(texts)].sort(compare)) {
    if (before !== undefined && compare(before, text) !== 0) rank += 1;
    ranks.set(text, rank);
    before = text;
  }
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
