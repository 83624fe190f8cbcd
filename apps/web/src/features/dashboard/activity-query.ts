import { type CallAnswer, scanActivity } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";

const refetchMs = 60_000;

export type Activity = CallAnswer<typeof scanActivity>;

/** Read again every minute while shown, not at every scan: an hour's column need not grow by ones. */
export const activityQuery = queryOptions({
  queryKey: ["activity"],
  queryFn: ({ signal }): Promise<Activity> => callApi(scanActivity, { signal }),
  refetchInterval: refetchMs,
});
