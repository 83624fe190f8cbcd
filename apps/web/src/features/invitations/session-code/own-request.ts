import { readJoinRequest } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { isGone } from "../../../http/errors.ts";

const askEveryMs = 2_000;

/** One's own request, asked for until it is decided; nobody who is not signed in hears of events. */
export function ownRequestQuery(key: string) {
  return queryOptions({
    queryKey: ["join-request", key],
    queryFn: ({ signal }) => callApi(readJoinRequest, { params: { key }, signal }),
    select: (answer) => answer.request,
    retry: false,
    refetchInterval: ({ state }) => {
      if (isGone(state.error)) return false;
      return state.data === undefined || state.data.request.status === "waiting" ? askEveryMs : false;
    },
  });
}
