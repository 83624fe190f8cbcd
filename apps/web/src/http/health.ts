import { type Health, health } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** The state of the database, Shopify, the sync and the mail; read again every minute while shown. */
export const healthQuery = queryOptions({
  queryKey: [queryRoots.health],
  queryFn: ({ signal }): Promise<Health> => callApi(health, { signal }),
  refetchInterval: 60_000,
});

/** False where the installation has no mail server: then an invitation's link is passed on by hand. */
export function useSendsMail(): boolean {
  const { data } = useQuery(healthQuery);
  return data?.mail.status !== "not_configured";
}
