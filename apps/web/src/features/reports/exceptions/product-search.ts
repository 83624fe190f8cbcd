import { indexProducts, matchProduct, type Product, type ProductIndex } from "@stocktake/contract";
import { folded, searchedWords } from "../../../ui/search/holds-words.ts";

/** How many products a search offers. */
const searchLimit = 20;

function matchesOf(search: string, index: ProductIndex<Product>): readonly Product[] {
  const match = matchProduct(index, search);
  if (match.kind === "none") return [];
  return match.kind === "one" ? [match.product] : match.products;
}

export type ProductSearch = (search: string) => readonly Product[];

/**
 * A search over the shop's products: what a scan of the text would find comes first, then those whose title, size, SKU
 * and barcode hold every word of it, in any order. Made once for a catalogue, because its look-up tables take a moment; the last search is remembered, as what
 * was found is drawn again and again.
 */
export function createProductSearch(
  products: readonly Product[],
  index: ProductIndex<Product> = indexProducts(products),
): ProductSearch {
  const searchable = products.map((product) => ({
    product,
    text: folded(`${product.productTitle} ${product.size ?? ""} ${product.sku} ${product.barcode ?? ""}`),
  }));
  const searchFor = (search: string) => {
    if (search === "") return [];
    const found = new Set(matchesOf(search, index));
    const words = searchedWords(search);
    for (const { product, text } of searchable) {
      if (found.size >= searchLimit) break;
      if (words.every((word) => text.includes(word))) found.add(product);
    }
    return [...found].slice(0, searchLimit);
  };
  let last = { search: "", found: searchFor("") };
  return (entry) => {
    const search = entry.trim();
    if (search !== last.search) last = { search, found: searchFor(search) };
    return last.found;
  };
}
