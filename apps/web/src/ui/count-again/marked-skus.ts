import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import * as z from "zod/mini";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { useSignedIn } from "../../identity/identity.ts";
import { type Ticking, tickedAfter } from "../ticking/ticking.ts";

/** Each with the name of its product, where that was known when it was marked. */
const Names = z.array(z.tuple([z.string(), z.nullable(z.string())]));
type Names = ReadonlyMap<string, string | null>;
const keyPrefix = "markedSkus";

/** Whose marks of which session: the next administrator at a shared computer begins with none of somebody else's. */
interface Whose {
  readonly userId: string;
  readonly sessionId: string;
}

interface Marked {
  readonly names: Names;
  /** Whether the browser took them. If not, they last as long as the page is open, and what it holds is older. */
  readonly kept: boolean;
}

const storageKeyOf = ({ userId, sessionId }: Whose) => `${keyPrefix} ${userId} ${sessionId}`;

/** Throws where the browser gives nothing out, or what it keeps is none of ours. */
function readKept(whose: Whose): Names {
  const kept: unknown = JSON.parse(localStorage.getItem(storageKeyOf(whose)) ?? "[]");
  return new Map(z.parse(Names, kept));
}

function keep(whose: Whose, names: Names): boolean {
  try {
    if (names.size === 0) localStorage.removeItem(storageKeyOf(whose));
    else localStorage.setItem(storageKeyOf(whose), JSON.stringify([...names]));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the marks of sessions that are gone or archived, once this page has read which there are. */
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
      return { names: readKept(whose), kept: true };
    },
    staleTime: 0,
    retry: false,
  });
}

/** What is marked at this moment: another window may have marked something that this one has not heard of yet. */
function markedNow(client: QueryClient, whose: Whose): Names {
  const known = client.getQueryData(markedQuery(whose).queryKey);
  if (known?.kept === false) return known.names;
  try {
    return readKept(whose);
  } catch {
    return known?.names ?? new Map();
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

/** SKUs that are ticked, and of each the name of its product where that is known. */
export interface MarkedSkus extends Ticking {
  readonly names: Names;
}

/**
 * The SKUs of an ended session that are to be counted again: marked in its report or ticked on its list, which is the same. This browser
 * keeps them for the person who marked them until a follow-up of them starts. `nameOf` returns the name of a product on the page,
 * which is kept with its mark: elsewhere its row may not be shown.
 */
export function useMarkedSkus(
  sessionId: string,
  nameOf: (sku: string) => string | null = () => null,
): MarkedSkus {
  const client = useQueryClient();
  const whose = { userId: useSignedIn().user._id, sessionId };
  const query = markedQuery(whose);
  const { data } = useQuery(query);
  useOtherWindows(whose);
  const names: Names = data?.names ?? new Map();
  const mark = (after: Names) =>
    client.setQueryData(query.queryKey, { names: after, kept: keep(whose, after) });
  return {
    names,
    ticked: new Set(names.keys()),
    tick: (skus, isTicked) => {
      const before = markedNow(client, whose);
      const after = tickedAfter(new Set(before.keys()), skus, isTicked);
      mark(new Map([...after].map((sku) => [sku, before.get(sku) ?? nameOf(sku)])));
    },
    clear: () => mark(new Map()),
  };
}
