import { compareSizes } from "./size-order.ts";

/** What the report's order looks at. */
export interface ReportOrderKey {
  readonly productTitle: string;
  readonly size: string | null;
  readonly sku: string;
}

/**
 * The order of the report (specification, section 2): products alphabetically by title, within a product by size, then
 * SKU. The same in the page and in the CSV.
 */
export function reportOrder(): (left: ReportOrderKey, right: ReportOrderKey) => number {
  const titles = new Intl.Collator("en", { numeric: true });
  return (left, right) =>
    titles.compare(left.productTitle, right.productTitle) ||
    compareSizes(left.size, right.size) ||
    titles.compare(left.sku, right.sku);
}
