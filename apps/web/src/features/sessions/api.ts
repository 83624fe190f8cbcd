import {
  type CallAnswer,
  endSession,
  restorePass,
  type SessionScope,
  sessionPasses,
  sessionProgress,
  startSession,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { useLongChange } from "../../http/long-change.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";

export type SessionProgress = CallAnswer<typeof sessionProgress>;

export function progressQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId],
    queryFn: ({ signal }) => callApi(sessionProgress, { params: { id: sessionId }, signal }),
  });
}

const staleRoots = [queryRoots.sessions, queryRoots.areas, queryRoots.progress, queryRoots.report];

function operationOf(answer: CallAnswer<typeof startSession>): string | null {
  return "operation" in answer ? answer.operation._id : null;
}

export function useStartSession() {
  return useLongChange(
    (body: { storeId: string; scope: SessionScope }) => callApi(startSession, { body }),
    operationOf,
    staleRoots,
  );
}

export function useEndSession() {
  return useLongChange(
    (sessionId: string) => callApi(endSession, { body: { sessionId } }),
    operationOf,
    staleRoots,
  );
}

/** Every count of every area of a session that was begun, and how it ended. */
export function passesQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.passes, sessionId],
    queryFn: ({ signal }) => callApi(sessionPasses, { params: { id: sessionId }, signal }),
    select: (answer) => answer.passes,
  });
}

export function useRestorePass() {
  return useChange(
    (body: { areaId: string; pass: number }) => callApi(restorePass, { body }),
    [queryRoots.passes, ...staleRoots],
  );
}
