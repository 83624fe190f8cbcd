import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import * as z from "zod/mini";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { useSignedIn } from "../../identity/identity.ts";
import { type Ticking, tickedAfter } from "../ticking/ticking.ts";

const Skus = z.array(z.string());
const keyPrefix = "markedSkus";

/** Whose marks of which session: the next administrator at a shared computer begins with none of somebody else's. */
interface Whose {
  readonly userId: string;
  readonly sessionId: string;
}

interface Marked {
  readonly skus: readonly string[];
  /** Whether the browser took them. If not, they last as long as the page is open, and what it holds is older. */
  readonly kept: boolean;
}

const storageKeyOf = ({ userId, sessionId }: Whose) => `${keyPrefix} ${userId} ${sessionId}`;

/** Throws where the browser gives nothing out, or what it keeps is none of ours. */
function readKept(whose: Whose): readonly string[] {
  const kept: unknown = JSON.parse(localStorage.getItem(storageKeyOf(whose)) ?? "[]");
  return z.parse(Skus, kept);
}

function keep(whose: Whose, skus: readonly string[]): boolean {
  try {
    if (skus.length === 0) localStorage.removeItem(storageKeyOf(whose));
    else localStorage.setItem(storageKeyOf(whose), JSON.stringify(skus));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the marks of sessions that are gone or archived, once this page knows which there are. */
function forgetOldMarks(client: QueryClient): void {
  const sessions = client.getQueryData(sessionsQuery.queryKey)?.sessions;
  if (sessions === undefined) return;
  const present = new Set(sessions.filter(({ archived }) => archived === undefined).map(({ _id }) => _id));
  for (const key of Object.keys(localStorage)) {
    const [prefix, , sessionId = ""] = key.split(" ");
    if (prefix === keyPrefix && !present.has(sessionId)) localStorage.removeItem(key);
  }
}

function markedQuery(whose: Whose) {
  const queryKey = ["marked-skus", whose.userId, whose.sessionId] as const;
  return queryOptions({
    queryKey,
    queryFn: ({ client }): Marked => {
      const before = client.getQueryData<Marked>(queryKey);
      if (before?.kept === false) return before;
      forgetOldMarks(client);
      return { skus: readKept(whose), kept: true };
    },
    staleTime: 0,
    retry: false,
  });
}

/** What is marked at this moment: another window may have marked something that this one has not heard of yet. */
function markedNow(client: QueryClient, whose: Whose): readonly string[] {
  const known = client.getQueryData(markedQuery(whose).queryKey);
  if (known?.kept === false) return known.skus;
  try {
    return readKept(whose);
  } catch {
    return known?.skus ?? [];
  }
}

/** Reads the marks again when another window has changed them; a null key is a browser that was cleared. */
function useOtherWindows({ userId, sessionId }: Whose): void {
  const client = useQueryClient();
  useEffect(() => {
    const whose = { userId, sessionId };
    const hear = ({ key }: StorageEvent) => {
      if (key !== null && key !== storageKeyOf(whose)) return;
      void client.invalidateQueries({ queryKey: markedQuery(whose).queryKey });
    };
    globalThis.addEventListener("storage", hear);
    return () => globalThis.removeEventListener("storage", hear);
  }, [client, userId, sessionId]);
}

/**
 * The SKUs of an ended session that are to be counted again: marked in its report or ticked on its list, which is the same. This browser
 * keeps them for the person who marked them until a follow-up of them starts.
 */
export function useMarkedSkus(sessionId: string): Ticking {
  const client = useQueryClient();
  const whose = { userId: useSignedIn().user._id, sessionId };
  const query = markedQuery(whose);
  const { data } = useQuery(query);
  useOtherWindows(whose);
  const mark = (skus: readonly string[]) =>
    client.setQueryData(query.queryKey, { skus, kept: keep(whose, skus) });
  return {
    ticked: new Set(data?.skus ?? []),
    tick: (skus, isTicked) => mark([...tickedAfter(new Set(markedNow(client, whose)), skus, isTicked)]),
    clear: () => mark([]),
  };
}
