import { createStore, deleteStore, listShopifyLocations, updateStore } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";

export interface StoreEntry {
  readonly name: string;
  readonly shopifyLocationId: string;
}

export const shopifyLocationsQuery = queryOptions({
  queryKey: ["shopify-locations"],
  queryFn: ({ signal }) => callApi(listShopifyLocations, { signal }),
  select: (answer) => answer.locations,
  staleTime: 60_000,
});

const staleRoots = [queryRoots.stores, queryRoots.locations, queryRoots.areas];

export function useCreateStore() {
  return useChange((entry: StoreEntry) => callApi(createStore, { body: entry }), staleRoots);
}

export function useUpdateStore() {
  return useChange(
    ({ id, ...entry }: StoreEntry & { id: string; isActive: boolean }) =>
      callApi(updateStore, { params: { id }, body: entry }),
    staleRoots,
  );
}

export function useDeleteStore() {
  return useChange((id: string) => callApi(deleteStore, { params: { id } }), staleRoots);
}
