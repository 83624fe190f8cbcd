import {
  type CallInput,
  createSearches,
  listNeverCounted,
  listSearches,
  type NeverCountedState,
  readSearch,
  withdrawSearch,
} from "@stocktake/contract";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callAllPages, callApi, pageOf } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";

/** What is shown of what nobody counted; empty texts say nothing. */
export interface Shown {
  readonly vendor: string;
  readonly productType: string;
  readonly words: string;
  /** The area in which it is expected. */
  readonly areaId: string;
  readonly state: NeverCountedState;
}

const rowsAPage = 50;
const listsAPage = 20;

/** What fits, as the calls take it. */
export function filterOf({ vendor, productType, words, areaId }: Shown) {
  return {
    ...(vendor === "" ? {} : { vendor }),
    ...(productType === "" ? {} : { productType }),
    ...(words.trim() === "" ? {} : { words }),
    ...(areaId === "" ? {} : { areaId }),
  };
}

export function neverCountedQuery(sessionId: string, shown: Shown) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.searches, sessionId, "never-counted", shown],
    queryFn: ({ signal, pageParam }) =>
      callApi(listNeverCounted, {
        params: { id: sessionId },
        query: { ...filterOf(shown), state: shown.state, ...pageOf(rowsAPage, pageParam) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function searchListsQuery(sessionId: string) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.searches, sessionId, "lists"],
    queryFn: ({ signal, pageParam }) =>
      callApi(listSearches, { params: { id: sessionId }, query: pageOf(listsAPage, pageParam), signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** A list with what was said of each of its products. */
export function searchQuery(sessionId: string, number: number) {
  const params = { id: sessionId, number: String(number) };
  return queryOptions({
    queryKey: [queryRoots.searches, sessionId, "list", number],
    queryFn: ({ signal }) => callAllPages(readSearch, { params, signal }),
  });
}

const stale = [queryRoots.searches] as const;

type NewLists = CallInput<typeof createSearches>["body"];

export function useMakeLists(sessionId: string) {
  return useChange((body: NewLists) => callApi(createSearches, { params: { id: sessionId }, body }), stale);
}

export function useTakeBack(sessionId: string) {
  return useChange(
    (number: number) => callApi(withdrawSearch, { params: { id: sessionId, number: String(number) } }),
    stale,
  );
}
