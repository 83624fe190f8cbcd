import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** So long a page waits at most for what would push its other parts away. */
const longestWaitMs = 1_500;

/** It is known, or it can't be for now. */
export function isSettled({ data, failureCount }: Pick<UseQueryResult, "data" | "failureCount">): boolean {
  return data !== undefined || failureCount > 0;
}

/**
 * Whether a page, or a part of it, may be drawn: once what decides how tall its parts are has settled, so that none of them
 * moves from under a press, or after a while. From then on it stays, whatever is asked again.
 */
export function useReady(settled: boolean): boolean {
  const [isReady, setReady] = useState(settled);
  if (settled && !isReady) setReady(true);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), longestWaitMs);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}
