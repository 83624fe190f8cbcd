import {
  type Adjustment,
  type CallAnswer,
  deployReport,
  includeFigures,
  previewDeploy,
  previewRollback,
  type ReportItem,
  rollbackReport,
  type varianceReport,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { useLongChange } from "../../http/long-change.ts";
import { withProof } from "../../http/proof.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { adjustmentsQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";

export type Report = CallAnswer<typeof varianceReport>;
export type DeployPreview = CallAnswer<typeof previewDeploy>;
export type RollbackPreview = CallAnswer<typeof previewRollback>;
export type DeployAnswer = CallAnswer<typeof deployReport>;

const pendingPollMs = 2_000;

/** The history; while something in it is under way, or `moving`, it is polled besides the events. */
export function historyQuery(sessionId: string, moving: boolean = false) {
  return queryOptions({
    ...adjustmentsQuery(sessionId),
    refetchInterval: (query) =>
      moving || query.state.data?.adjustments.some(isUnderWay) === true ? pendingPollMs : false,
  });
}

export function isUnderWay(entry: Adjustment): boolean {
  return entry.status === "pending" || entry.rollingBack;
}

// A preview is read when a dialog opens or a person asks, and never cached or repeated by itself.
const neverCached = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false } as const;

/** What a deploy would do now. */
export function deployPreviewQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["deploy-preview", sessionId],
    queryFn: ({ signal }) => callApi(previewDeploy, { params: { sessionId }, signal }),
    ...neverCached,
  });
}

/** What a rollback would find in Shopify now; may take most of a call's timeout. */
export function rollbackPreviewQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["rollback-preview", sessionId],
    queryFn: ({ signal }) => callApi(previewRollback, { params: { sessionId }, signal }),
    ...neverCached,
  });
}

export function operationOf(answer: {
  readonly operation?: { readonly _id: string } | undefined;
}): string | null {
  return answer.operation?._id ?? null;
}

/** Has an uncertain figure deployed as it is, or leaves it out again: the one that is shown, which the server refuses where it is another by now. */
export function useIncludeFigure(sessionId: string) {
  return useChange(
    ({ sku, counted, uncertainReasons, included }: ReportItem) =>
      callApi(includeFigures, {
        params: { sessionId },
        body: {
          skus: [sku],
          included: !included,
          ...(uncertainReasons === undefined ? {} : { seen: [{ sku, counted, uncertainReasons }] }),
        },
      }),
    staleAfter.report,
  );
}

/** What a deploy is asked for with; what is not chosen is not sent. */
export interface DeployOptions {
  readonly zeroUncounted?: true;
  readonly stockFound?: true;
  /** The units that the administrator typed; absent where none are asked for. */
  readonly confirmUnits?: number;
  /** The plan of the preview that was on screen; absent where the server names none. */
  readonly plan?: string;
}

export function useDeploy(sessionId: string) {
  return useLongChange(
    (options: DeployOptions, follow) =>
      withProof(
        () =>
          callApi(deployReport, {
            params: { sessionId },
            ...(Object.keys(options).length > 0 ? { body: options } : {}),
          }),
        follow,
      ),
    operationOf,
    staleAfter.report,
  );
}

export function useRollback(sessionId: string) {
  return useLongChange(
    (plan: string | undefined, follow) =>
      withProof(
        () =>
          callApi(rollbackReport, {
            params: { sessionId },
            ...(plan === undefined ? {} : { body: { plan } }),
          }),
        follow,
      ),
    operationOf,
    staleAfter.report,
  );
}
