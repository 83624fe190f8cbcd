import { reopenArea } from "@stocktake/contract";
import { callApi } from "./call.ts";
import { staleAfter } from "./query-roots.ts";
import { useChange } from "./use-change.ts";

interface RecountRequest {
  readonly areaId: string;
  /** Empty where none is given. */
  readonly reason: string;
  readonly alsoInProgress?: boolean;
}

/** Has an area counted again from zero; its counters are told at once. */
export function useRecount() {
  return useChange(({ areaId, reason, alsoInProgress }: RecountRequest) => {
    const given = reason.trim() === "" ? {} : { reason };
    const also = alsoInProgress === true ? { alsoInProgress } : {};
    return callApi(reopenArea, { body: { areaId, eraseScans: true, ...given, ...also } });
  }, staleAfter.pass);
}
