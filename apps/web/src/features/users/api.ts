import { updateCounter } from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";

export interface CounterChange {
  readonly id: string;
  readonly username?: string;
  readonly password?: string;
  readonly isActive?: boolean;
}

export const staleRoots = [queryRoots.counters];

export function useUpdateCounter() {
  return useChange(
    ({ id, ...body }: CounterChange) => callApi(updateCounter, { params: { id }, body }),
    staleRoots,
  );
}
