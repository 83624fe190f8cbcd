import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * A change on the server. Afterwards, refused or not, the queries under `staleRoots` are read again: a refusal often means
 * that what the page shows is no longer so.
 */
export function useChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  staleRoots: readonly string[],
): UseMutationResult<Answer, Error, Input> {
  const client = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: change,
    onSettled: () => {
      for (const root of staleRoots) void client.invalidateQueries({ queryKey: [root] });
    },
  });
}
