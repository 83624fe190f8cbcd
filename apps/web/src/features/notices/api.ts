import { GuessingNotice, listNotices } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";

/** No event tells of guessing, which strangers cause, nor of a device that falls silent. */
const readEachMs = 60_000;

export const noticesQuery = queryOptions({
  queryKey: [queryRoots.notices],
  queryFn: async ({ signal }) => {
    const { notices, furtherNotices = [], ...rest } = await callApi(listNotices, { signal });
    // A server of a later release may tell of what this page has no words for.
    const isKnown = ({ login }: GuessingNotice) => GuessingNotice.shape.login.safeParse(login).success;
    return { ...rest, notices: [...notices, ...furtherNotices].filter(isKnown) };
  },
  refetchInterval: readEachMs,
});
