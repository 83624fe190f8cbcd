import { type CallAnswer, explainRow } from "@stocktake/contract";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { callApi, pageOf } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";

export type Explanation = CallAnswer<typeof explainRow>;

/** As many scans as a person reads at once; the others come when they are asked for. */
const scansAtOnce = 50;

/** Why a row is what it is, with the scans that were asked for so far. */
export function explanationQuery(sessionId: string, sku: string) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.report, sessionId, "row", sku],
    queryFn: ({ signal, pageParam }) =>
      callApi(explainRow, {
        params: { sessionId },
        query: { sku, ...pageOf(scansAtOnce, pageParam) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    select: ({ pages }): Explanation | undefined => {
      const [first] = pages;
      return first && { ...first, scans: pages.flatMap((page) => page.scans) };
    },
  });
}
