import type { CountingSession } from "@stocktake/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type ReleasePreview, releasePreviewQuery } from "./api.ts";

/** What comparing a session with Shopify's stock has come to. */
export type Compared =
  | { readonly kind: "compared"; readonly preview: ReleasePreview }
  | { readonly kind: "failed"; readonly error: unknown };

export type Comparisons = ReadonlyMap<string, Compared>;

/** Compares sessions one after the other, so that Shopify is asked as by one person, and those that failed again on request. */
export function useComparisons(sessions: readonly CountingSession[]): {
  readonly comparisons: Comparisons;
  readonly compareFailedAgain: () => void;
} {
  const client = useQueryClient();
  const [comparisons, setComparisons] = useState<Comparisons>(new Map());
  const next = sessions.find(({ _id }) => !comparisons.has(_id))?._id;
  useEffect(() => {
    if (next === undefined) return undefined;
    let isOver = false;
    const take = (compared: Compared) => {
      if (!isOver) setComparisons((before) => new Map(before).set(next, compared));
    };
    client.fetchQuery(releasePreviewQuery(next)).then(
      (preview) => take({ kind: "compared", preview }),
      (error: unknown) => take({ kind: "failed", error }),
    );
    return () => {
      isOver = true;
    };
  }, [client, next]);
  const compareFailedAgain = () =>
    setComparisons((before) => new Map([...before].filter(([, { kind }]) => kind !== "failed")));
  return { comparisons, compareFailedAgain };
}

/**
 * Whether a session can be released without a decision: there is nothing that could have been moved since the backup, or
 * every SKU was read and looks not moved. What was under way in the backup is always for a person.
 */
export function movedNothing(compared: Compared | undefined): boolean {
  if (compared?.kind !== "compared") return false;
  const { question, verdict, checked, total, uncounted } = compared.preview;
  if (question === "nothing") return true;
  return question !== "rest" && verdict === "none" && checked === total && uncounted.moved === 0;
}
