import { errorStatuses, type Operation } from "@stocktake/contract";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, NoAnswerError } from "./errors.ts";
import type { FollowQuestion } from "./proof.ts";
import { operationQuery } from "./shared-queries.ts";
import { readAgain, useSending } from "./use-change.ts";

const pollMs = 1_000;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, milliseconds));
}

async function readOnce(client: QueryClient, id: string): Promise<Operation | null> {
  try {
    return (await client.fetchQuery({ ...operationQuery(id), staleTime: 0 })).operation;
  } catch (error) {
    // The work goes on without us; only a refusal ends the watching.
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
}

/** Waits for a piece of work to end; one that failed is thrown as the refusal it would have been. */
async function followOperation(client: QueryClient, id: string): Promise<void> {
  for (;;) {
    const operation = await readOnce(client, id);
    if (operation?.status === "done") return;
    if (operation?.status === "failed") throw failureOf(operation);
    await pause(pollMs);
  }
}

/** The refusal that a failed piece of work would have been, had it been answered at once. */
export function failureOf(operation: Operation): Error {
  if (operation.error === null) return new Error("The server gave no reason.");
  return new ApiError(errorStatuses[operation.error.code], operation.error);
}

/**
 * A change that may take longer than one call: answered in full, or with an operation that is then followed to its end.
 * `operation` is how far it has come, null while it isn't known to be long.
 * While `change` waits for the person to say who they are, it is not under way.
 */
export function useLongChange<Input, Answer>(
  change: (input: Input, follow: FollowQuestion) => Promise<Answer>,
  operationOf: (answer: Answer) => string | null,
  staleRoots: readonly string[],
) {
  const client = useQueryClient();
  const [operationId, setOperationId] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const mutation = useMutation<Answer, Error, Input>({
    mutationFn: async (input) => {
      const answer = await change(input, setAsking);
      const id = operationOf(answer);
      setOperationId(id);
      if (id !== null) await followOperation(client, id);
      return answer;
    },
    onSuccess: () => readAgain(client, staleRoots),
    onError: () => void readAgain(client, staleRoots),
    onSettled: () => setOperationId(null),
  });
  const { data } = useQuery({ ...operationQuery(operationId ?? ""), enabled: false });
  const sending = useSending(mutation);
  return {
    ...sending,
    isPending: sending.isPending && !isAsking,
    isLong: operationId !== null,
    operation: operationId === null ? null : (data?.operation ?? null),
  };
}
