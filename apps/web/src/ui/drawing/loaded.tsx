import type { ReactNode } from "react";
import { ErrorBox } from "../error-box.tsx";
import { LoadingState } from "../loading-state.tsx";

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** What the Error box says where the server sent no text. */
  readonly fallback: string;
  /** Nothing says that it is being read: of what there most often is none, so that nothing comes and goes. */
  readonly quiet?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/**
 * What has been read, or that it is being read, or that it can't be. What was read once stays below the Error box when it
 * can't be read again: a server that restarts takes no dialog away, nor what somebody has written in it.
 */
export function Loaded<Data>({ query, fallback, quiet = false, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <>
      <ErrorBox error={error} fallback={fallback} onRetry={refetch} />
      {data === undefined ? error === null && !quiet && <LoadingState /> : children(data)}
    </>
  );
}
