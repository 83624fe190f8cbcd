import { readJoinRequest } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { ApiError } from "../../../http/errors.ts";

const askEveryMs = 2_000;

/**
 * The request is gone with its session, its code was closed, or its invitation was revoked. The server's own word alone: a proxy has
 * pages of its own under 404 while the server is started, and the phone's key is its only way back in as the same counter.
 */
export function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "NOT_FOUND";
}

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
