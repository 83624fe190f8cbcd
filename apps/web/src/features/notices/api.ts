import { listNotices } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";

/** No event tells of guessing, which strangers cause, nor of a device that falls silent. */
const readEachMs = 60_000;

export const noticesQuery = queryOptions({
  queryKey: [queryRoots.notices],
  queryFn: ({ signal }) => callApi(listNotices, { signal }),
  refetchInterval: readEachMs,
});
