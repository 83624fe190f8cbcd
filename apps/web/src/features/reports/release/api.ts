import { type CallAnswer, previewRelease, releaseSession } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";

export type ReleasePreview = CallAnswer<typeof previewRelease>;

/** What of a restored session looks moved in Shopify now; may take most of a call's timeout, and is never cached. */
export function releasePreviewQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["release-preview", sessionId],
    queryFn: ({ signal }) => callApi(previewRelease, { params: { id: sessionId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

/** What the release records as moved since the backup; nothing where `alreadyMoved` is absent. */
export interface Release {
  readonly alreadyMoved?: "all" | string[];
  readonly zeroUncounted?: boolean;
}

export function useRelease(sessionId: string) {
  return useChange(
    (body: Release) => callApi(releaseSession, { params: { id: sessionId }, body }),
    staleAfter.report,
  );
}
