import { type Health, health } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** The state of the database, Shopify, the sync and the mail; read again every minute while shown. */
export const healthQuery = queryOptions({
  queryKey: [queryRoots.health],
  queryFn: ({ signal }): Promise<Health> => callApi(health, { signal }),
  refetchInterval: 60_000,
});
