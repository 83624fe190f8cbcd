import { compareSizes } from "./size-order.ts";

/** What a product without a title is listed as (specification, section 2). */
const unknownProduct = "Unknown Product";

/** What the order of products looks at. */
export interface OrderedProduct {
  readonly productTitle: string;
  readonly size: string | null;
  readonly sku: string;
}

type Compare<Item> = (left: Item, right: Item) => number;

interface ProductOrder {
  /** Titles as they are listed; 0 for the same title alone, so that no product comes among the rows of another. */
  readonly titles: Compare<string>;
  /** Rows of one product: by size, then by SKU. */
  readonly withinProduct: Compare<OrderedProduct>;
  readonly products: Compare<OrderedProduct>;
}

/** The title that a product is listed under. */
export function listedTitle(productTitle: string): string {
  return productTitle.trim() === "" ? unknownProduct : productTitle;
}

/**
 * The order of products on every page, in every file and on paper (specification, section 2): alphabetically by title, within a
 * product by size, then by SKU. Numbers in a text order by value: Tee 2 before Tee 10.
 */
export function productOrder(): ProductOrder {
  const titles = textOrder();
  const withinProduct: Compare<OrderedProduct> = (left, right) =>
    compareSizes(left.size, right.size) || titles(left.sku, right.sku);
  return {
    titles,
    withinProduct,
    products: (left, right) =>
      titles(listedTitle(left.productTitle), listedTitle(right.productTitle)) || withinProduct(left, right),
  };
}

/** The same in every server and browser, whatever their language. Texts that people read as equal (Tee 1, Tee 01) have an order too. */
function textOrder(): Compare<string> {
  const { compare } = new Intl.Collator("en", { numeric: true });
  return (left, right) => compare(left, right) || Number(left > right) - Number(left < right);
}
