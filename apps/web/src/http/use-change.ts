import { type QueryClient, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

/** A change as components see it: sent by `send` alone. */
export type Change<Input, Answer> = Omit<
  UseMutationResult<Answer, Error, Input>,
  "mutate" | "mutateAsync"
> & {
  /** `onDone` is called with the answer even where what sent it is no longer on the page; a refusal is in `error`. */
  readonly send: (input: Input, onDone?: (answer: Answer) => void) => void;
};

/**
 * The library forgets what `mutate` was to do afterwards as soon as the component is gone, which a live event may bring
 * about: the card of a session that ended leaves the page before the call that ended it is answered.
 * What is sent while a change is under way is not sent: it is the same press again.
 */
export function useSending<Input, Answer>(
  mutation: UseMutationResult<Answer, Error, Input>,
): Change<Input, Answer> {
  const { mutate: _, mutateAsync, ...state } = mutation;
  const sending = useRef(false);
  const send: Change<Input, Answer>["send"] = useCallback(
    (input, onDone) => {
      // `isPending` is drawn a moment later: the second click of a double click may come before.
      if (sending.current) return;
      sending.current = true;
      const release = () => {
        sending.current = false;
      };
      void mutateAsync(input).finally(release).then(onDone, leaveInState);
    },
    [mutateAsync],
  );
  return { ...state, send };
}

/** The mutation keeps its error for the page to show. */
function leaveInState(): void {}

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
): Change<Input, Answer> {
  const client = useQueryClient();
  return useSending(
    useMutation<Answer, Error, Input>({
      mutationFn: change,
      onSuccess: () => readAgain(client, staleRoots),
      onError: () => void readAgain(client, staleRoots),
    }),
  );
}
