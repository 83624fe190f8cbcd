import { type CallAnswer, scanActivity } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";

const refetchMs = 60_000;
const hourMs = 3_600_000;

type Activity = CallAnswer<typeof scanActivity>;

/** One hour and how many scans were made in it. */
export interface HourOfScans {
  readonly startsAt: string;
  readonly scans: number;
}

/** Read again every minute while shown, not at every scan: an hour's column need not grow by ones. */
export const activityQuery = queryOptions({
  queryKey: ["activity"],
  queryFn: ({ signal }): Promise<Activity> => callApi(scanActivity, { signal }),
  refetchInterval: refetchMs,
});

/** The counts of an answer, each with the hour it speaks of. */
export function hoursOf({ since, hours }: Activity): HourOfScans[] {
  const start = Date.parse(since);
  return hours.map((scans, index) => ({ startsAt: new Date(start + index * hourMs).toISOString(), scans }));
}
