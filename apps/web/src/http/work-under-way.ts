import { listOperations, type Operation } from "@stocktake/contract";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callApi } from "./call.ts";
import { failureOf } from "./long-change.ts";
import { queryRoots, staleAfter } from "./query-roots.ts";
import { operationQuery } from "./shared-queries.ts";
import { readAgain } from "./use-change.ts";

const pollMs = 1_000;

/** Long work that somebody has begun: on this page, before it was loaded again, or on another one. */
interface WorkUnderWay {
  /** How far it has come; null where there is none, or none any more. */
  readonly operation: Operation | null;
  /** Why it failed; null unless it did while it was followed. */
  readonly error: Error | null;
  readonly forget: () => void;
}

const anybodysWorkPollMs = 5_000;
const workPollMs = 1_000;

/** The long work that is under way, whoever began it and wherever; what is begun elsewhere shows within seconds. */
const operationsQuery = queryOptions({
  queryKey: [queryRoots.operation, "under way"],
  queryFn: ({ signal }) => callApi(listOperations, { signal }),
  select: (answer) => answer.operations,
  refetchInterval: (query) =>
    (query.state.data?.operations.length ?? 0) > 0 ? workPollMs : anybodysWorkPollMs,
});

/** Finds the long work that is about something and follows it to its end, whoever began it. */
export function useWorkUnderWay(isAbout: (operation: Operation) => boolean): WorkUnderWay {
  const client = useQueryClient();
  const found = useQuery(operationsQuery).data?.find(isAbout)?._id ?? null;
  const [followed, setFollowed] = useState<string | null>(null);
  if (found !== null && found !== followed) setFollowed(found);
  const { data } = useQuery({
    ...operationQuery(followed ?? ""),
    enabled: followed !== null,
    refetchInterval: ({ state }) => (state.data?.operation.status === "running" ? pollMs : false),
  });
  const operation = followed === null ? undefined : data?.operation;
  const isDone = operation?.status === "done";
  useEffect(() => {
    if (isDone) void readAgain(client, staleAfter.session);
  }, [isDone, client]);
  return {
    operation: operation?.status === "running" ? operation : null,
    error: operation?.status === "failed" ? failureOf(operation) : null,
    forget: () => setFollowed(null),
  };
}
