import {
  askSecondCount,
  type CallInput,
  cancelSecondCount,
  drawSample,
  secondCounts,
  settleDifference,
  voidSample,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callAllPages, callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { secondCountStale as stale } from "../../http/second-counts.ts";
import { useChange } from "../../http/use-change.ts";

/** Every attempt at a second or third count of a session. */
export function secondCountsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "second-counts"],
    queryFn: ({ signal }) => callAllPages(secondCounts, { params: { id: sessionId }, signal }),
    select: (answer) => answer.secondCounts,
  });
}

export function useAsk() {
  return useChange((areaId: string) => callApi(askSecondCount, { body: { areaId } }), stale);
}

export function useCancel() {
  return useChange((areaId: string) => callApi(cancelSecondCount, { body: { areaId } }), stale);
}

type Choice = CallInput<typeof settleDifference>["body"];

/** Chooses which count of a SKU is right. */
export function useSettle(sessionId: string) {
  return useChange((body: Choice) => callApi(settleDifference, { params: { id: sessionId }, body }), stale);
}

type Draw = CallInput<typeof drawSample>["body"];

/** Draws a control sample. */
export function useDraw(sessionId: string) {
  return useChange((body: Draw) => callApi(drawSample, { params: { id: sessionId }, body }), stale);
}

type Voided = CallInput<typeof voidSample>["body"];

/** Declares a control sample void. */
export function useVoid(sessionId: string) {
  return useChange((body: Voided) => callApi(voidSample, { params: { id: sessionId }, body }), stale);
}
