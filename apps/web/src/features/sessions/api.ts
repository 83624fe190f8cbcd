import { type CallAnswer, endSession, sessionProgress, type startSession } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { useLongChange } from "../../http/long-change.ts";
import { queryRoots, staleAfter } from "../../http/shared-queries.ts";

export type SessionProgress = CallAnswer<typeof sessionProgress>;

export function progressQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId],
    queryFn: ({ signal }) => callApi(sessionProgress, { params: { id: sessionId }, signal }),
  });
}

export function operationOf(answer: CallAnswer<typeof startSession>): string | null {
  return "operation" in answer ? answer.operation._id : null;
}

export function useEndSession() {
  return useLongChange(
    (sessionId: string) => callApi(endSession, { body: { sessionId } }),
    operationOf,
    staleAfter.session,
  );
}
