import { createCounter, deleteCounter, listCounters, updateCounter } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";

export const countersQuery = queryOptions({
  queryKey: [queryRoots.counters],
  queryFn: ({ signal }) => callApi(listCounters, { signal }),
  select: (answer) => answer.counters,
});

export interface CounterChange {
  readonly id: string;
  readonly username?: string;
  readonly password?: string;
  readonly isActive?: boolean;
}

const staleRoots = [queryRoots.counters];

export function useCreateCounter() {
  return useChange(
    (body: { username: string; password: string }) => callApi(createCounter, { body }),
    staleRoots,
  );
}

export function useUpdateCounter() {
  return useChange(
    ({ id, ...body }: CounterChange) => callApi(updateCounter, { params: { id }, body }),
    staleRoots,
  );
}

export function useDeleteCounter() {
  return useChange((id: string) => callApi(deleteCounter, { params: { id } }), staleRoots);
}
