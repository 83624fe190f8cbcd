import { GuessingNotice, listNotices, WorkNotice } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";

/** No event tells of guessing, which strangers cause, nor of a device that falls silent. */
const readEachMs = 60_000;

const { login: guessingKinds } = GuessingNotice.shape;
const { kind: workKinds } = WorkNotice.shape;

export const noticesQuery = queryOptions({
  queryKey: [queryRoots.notices],
  queryFn: async ({ signal }) => {
    const answer = await callApi(listNotices, { signal });
    const { notices, furtherNotices = [], work = [], furtherWork = [] } = answer;
    // A server of a later release may tell of what this page has no words for.
    return {
      notices: [...notices, ...furtherNotices].filter(({ login }) => guessingKinds.safeParse(login).success),
      work: [...work, ...furtherWork].filter(({ kind }) => workKinds.safeParse(kind).success),
    };
  },
  refetchInterval: readEachMs,
});
