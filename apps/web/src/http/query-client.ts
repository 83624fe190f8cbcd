import { QueryClient } from "@tanstack/react-query";
import { ApiError, NoAnswerError } from "./errors.ts";

const retries = 2;

function isWorthRepeating(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

/** The server state of one page. Networks that say "online" may not be, and the other way round: calls are always tried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 5_000,
        retry: (failures, error) => failures < retries && isWorthRepeating(error),
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
