import {
  type CallAnswer,
  type ExceptionGroup,
  indexPacks,
  indexProducts,
  matchWithPacks,
  type PackCode,
  productMap,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { createProductSearch, type ProductSearch } from "./product-search.ts";

const catalogueFreshMs = 300_000;

/** The shop's products, as deciding on scans needs them. */
export interface ShopProducts {
  readonly search: ProductSearch;
  /** The pack that the code of a scan is one of by now; null where it is none. */
  readonly packOf: (scan: Pick<ExceptionGroup, "input" | "inputType">) => PackCode | null;
}

function prepare({ products, packs }: CallAnswer<typeof productMap>): ShopProducts {
  const index = indexProducts(products);
  const lookup = indexPacks(packs ?? []);
  return {
    search: createProductSearch(products, index),
    packOf: ({ input, inputType }) => matchWithPacks(index, lookup, input, inputType).pack,
  };
}

/** The shop's products, for resolving scans; large, so read only when a scan is resolved. */
export function shopProductsQuery(storeId: string) {
  return queryOptions({
    queryKey: [queryRoots.products, storeId],
    queryFn: ({ signal }) => callApi(productMap, { query: { storeId }, signal }),
    select: prepare,
    staleTime: catalogueFreshMs,
    gcTime: catalogueFreshMs,
  });
}
