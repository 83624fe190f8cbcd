import { type CallAnswer, endSession, type sessionProgress, type startSession } from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { useLongChange } from "../../http/long-change.ts";
import { staleAfter } from "../../http/query-roots.ts";

export type SessionProgress = CallAnswer<typeof sessionProgress>;

export function operationOf(answer: CallAnswer<typeof startSession>): string | null {
  return "operation" in answer ? answer.operation._id : null;
}

export function useEndSession() {
  return useLongChange(
    (body: { readonly sessionId: string; readonly withoutEndStock?: true }) => callApi(endSession, { body }),
    operationOf,
    staleAfter.session,
  );
}
