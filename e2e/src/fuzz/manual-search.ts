import assert from "node:assert/strict";
import { type Product, productMap } from "@stocktake/contract";
import {
  type ProductSearch,
  readProductSearch,
} from "../../../apps/web/src/features/counting/finding/product-search.ts";
import { holdProducts, packProducts } from "../../../apps/web/src/offline/products/packed-products.ts";
import type { RunningCount } from "../running-count.ts";
import type { Article } from "../stock.ts";

/** As many as a phone shows. */
const shown = 20;

/** Manual Entry's search over everything that the shop has, as a phone has it. */
export class ManualSearch {
  readonly #search: ProductSearch;

  private constructor(search: ProductSearch) {
    this.#search = search;
  }

  static async of({ admin, storeId }: RunningCount): Promise<ManualSearch> {
    const answer = await admin.call(productMap, { query: { storeId } });
    const held = holdProducts(packProducts(answer.products, answer.etag), storeId);
    return new ManualSearch(await readProductSearch(held, async () => {}));
  }

  /** The product that somebody taps who has typed its title and size, its SKU, or the end of that; it has to be among those shown. */
  find({ title, size, sku }: Article, pick: number): Product {
    const typed = [`${title} ${size}`, sku, `${size} ${title.split(" ")[0]} ${sku.slice(-4)}`];
    const text = typed[pick % typed.length] ?? sku;
    const found = this.#search.find(text, shown).find((product) => product.sku === sku);
    assert.ok(found !== undefined, `"${text}" does not find ${sku}`);
    return found;
  }
}
