import { startFollowUp } from "@stocktake/contract";
import { callApi } from "./call.ts";
import { useLongChange } from "./long-change.ts";
import { staleAfter } from "./query-roots.ts";

/** Starts a session of some SKUs of one that has ended. */
export function useStartFollowUp(sessionId: string) {
  return useLongChange(
    (skus: readonly string[]) =>
      callApi(startFollowUp, { params: { id: sessionId }, body: { skus: [...skus] } }),
    (answer) => ("operation" in answer ? answer.operation._id : null),
    staleAfter.session,
  );
}
