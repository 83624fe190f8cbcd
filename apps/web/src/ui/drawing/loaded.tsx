import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorBox } from "../error-box.tsx";
import { LoadingState } from "../loading-state.tsx";

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  /** What the Error box says where the server sent no text. */
  readonly fallback: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * What has been read, or that it is being read, or that it can't be. What was read once stays below the Error box when it
 * can't be read again: a server that restarts takes no dialog away, nor what somebody has written in it.
 */
export function Loaded<Data>({ query: { data, error, refetch }, fallback, children }: LoadedProps<Data>) {
  return (
    <>
      <ErrorBox error={error} fallback={fallback} onRetry={refetch} />
      {data === undefined ? error === null && <LoadingState /> : children(data)}
    </>
  );
}
