import { type QueryClient, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";

/** Ends when what the page shows of `staleRoots` has been read again, or could not be. */
export async function readAgain(client: QueryClient, staleRoots: readonly string[]): Promise<void> {
  await Promise.all(staleRoots.map((root) => client.invalidateQueries({ queryKey: [root] })));
}

/**
 * A change on the server. Afterwards, refused or not, the queries under `staleRoots` are read again: a refusal often means
 * that what the page shows is no longer so. A change that was made counts as done once they are, so that the page never
 * says so beside the figures of before.
 */
export function useChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  staleRoots: readonly string[],
): UseMutationResult<Answer, Error, Input> {
  const client = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: change,
    onSuccess: () => readAgain(client, staleRoots),
    onError: () => void readAgain(client, staleRoots),
  });
}
