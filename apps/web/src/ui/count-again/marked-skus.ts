import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type Ticking, tickedAfter } from "../ticking/ticking.ts";

const Skus = z.array(z.string());

const storageKeyOf = (sessionId: string) => `markedSkus ${sessionId}`;

function keep(sessionId: string, skus: readonly string[]): void {
  try {
    if (skus.length === 0) localStorage.removeItem(storageKeyOf(sessionId));
    else localStorage.setItem(storageKeyOf(sessionId), JSON.stringify(skus));
  } catch {
    // A browser that keeps nothing has them as long as the page is open: a reading that fails leaves what is known.
  }
}

function markedQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["marked-skus", sessionId],
    queryFn: () => {
      const kept: unknown = JSON.parse(localStorage.getItem(storageKeyOf(sessionId)) ?? "[]");
      return z.parse(Skus, kept);
    },
    // Another tab may have marked something, and reading them costs nothing.
    staleTime: 0,
    retry: false,
  });
}

/**
 * The SKUs of an ended session that are to be counted again: marked in its report or ticked on its list, which is the same. This browser
 * keeps them until a follow-up of them starts.
 */
export function useMarkedSkus(sessionId: string): Ticking {
  const client = useQueryClient();
  const query = markedQuery(sessionId);
  const { data: marked = [] } = useQuery(query);
  const ticked = new Set(marked);
  const mark = (skus: readonly string[]) => {
    keep(sessionId, skus);
    client.setQueryData(query.queryKey, [...skus]);
  };
  return {
    ticked,
    tick: (skus, isTicked) => mark([...tickedAfter(ticked, skus, isTicked)]),
    clear: () => mark([]),
  };
}
