import {
  type Adjustment,
  adjustCount,
  type Basis,
  type CallAnswer,
  deployReport,
  exportReport,
  leaveRows,
  listAdjustmentRows,
  listCountAdjustments,
  previewDeploy,
  previewRollback,
  productMap,
  type ReportView,
  resolveScan,
  resumeAdjustment,
  rollbackReport,
  sessionExceptions,
  setBasis,
  settleRow,
  varianceReport,
} from "@stocktake/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi, sendCall } from "../../http/call.ts";
import { useLongChange } from "../../http/long-change.ts";
import { adjustmentsQuery, queryRoots } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { saveFile } from "../../ui/save-file.ts";

export type Report = CallAnswer<typeof varianceReport>;
export type DeployPreview = CallAnswer<typeof previewDeploy>;
export type RollbackPreview = CallAnswer<typeof previewRollback>;
export type DeployAnswer = CallAnswer<typeof deployReport>;

const pendingPollMs = 2_000;
const catalogueFreshMs = 300_000;

export function reportQuery(sessionId: string, view: ReportView) {
  return queryOptions({
    queryKey: [queryRoots.report, sessionId, view],
    queryFn: ({ signal }) => callApi(varianceReport, { params: { sessionId }, query: { view }, signal }),
    // Turning the view keeps the report on the page until the other has come.
    placeholderData: keepPreviousData,
  });
}

/** The history; while something of it is under way, or `moving` says so, it is read again, events or not. */
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

/** The rows that are unclear or were not moved. */
export function openRowsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.adjustments, sessionId, "rows"],
    queryFn: ({ signal }) =>
      callApi(listAdjustmentRows, { params: { sessionId }, query: { view: "open" }, signal }),
    select: (answer) => answer.rows,
  });
}

// A look is of the moment: it is taken when a dialog opens or a person asks, never by itself and never twice.
const ofTheMoment = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false } as const;

/** What a deploy would do now. */
export function deployPreviewQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["deploy-preview", sessionId],
    queryFn: ({ signal }) => callApi(previewDeploy, { params: { sessionId }, signal }),
    ...ofTheMoment,
  });
}

/** What a rollback would meet in Shopify now; may take most of the time that a call has. */
export function rollbackPreviewQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["rollback-preview", sessionId],
    queryFn: ({ signal }) => callApi(previewRollback, { params: { sessionId }, signal }),
    ...ofTheMoment,
  });
}

/** The counts of a SKU that were set by hand, newest first. */
export function countHistoryQuery(sessionId: string, sku: string) {
  return queryOptions({
    queryKey: [queryRoots.adjustments, sessionId, "counts", sku],
    queryFn: ({ signal }) => callApi(listCountAdjustments, { params: { sessionId }, query: { sku }, signal }),
    select: (answer) => answer.counts,
  });
}

export function exceptionsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.exceptions, sessionId],
    queryFn: ({ signal }) => callApi(sessionExceptions, { params: { id: sessionId }, signal }),
    select: (answer) => answer.scans,
  });
}

/** The shop's products, for resolving scans; large, so read only when a scan is resolved. */
export function productsQuery(storeId: string) {
  return queryOptions({
    queryKey: ["products", storeId],
    queryFn: ({ signal }) => callApi(productMap, { query: { storeId }, signal }),
    select: (answer) => answer.products,
    staleTime: catalogueFreshMs,
    gcTime: catalogueFreshMs,
  });
}

const staleRoots = [queryRoots.report, queryRoots.adjustments, queryRoots.exceptions, queryRoots.sessions];

function operationOf(answer: { readonly operation?: { readonly _id: string } | undefined }): string | null {
  return answer.operation?._id ?? null;
}

export function useDeploy(sessionId: string) {
  return useLongChange(
    (zeroUncounted: boolean) =>
      callApi(deployReport, {
        params: { sessionId },
        ...(zeroUncounted ? { body: { zeroUncounted } } : {}),
      }),
    operationOf,
    staleRoots,
  );
}

export function useRollback(sessionId: string) {
  return useLongChange(
    (_: undefined) => callApi(rollbackReport, { params: { sessionId } }),
    operationOf,
    staleRoots,
  );
}

export function useResume() {
  return useLongChange(
    (adjustmentId: string) => callApi(resumeAdjustment, { params: { adjustmentId } }),
    operationOf,
    staleRoots,
  );
}

export function useLeaveRows() {
  return useChange((adjustmentId: string) => callApi(leaveRows, { params: { adjustmentId } }), staleRoots);
}

export interface CountAdjustment {
  readonly sku: string;
  readonly newCount: number;
  readonly reason: string;
}

export function useAdjustCount(sessionId: string) {
  return useChange(
    (body: CountAdjustment) => callApi(adjustCount, { params: { sessionId }, body }),
    staleRoots,
  );
}

export function useSetBasis(sessionId: string) {
  return useChange(
    (basis: Basis) => callApi(setBasis, { params: { sessionId }, body: { basis } }),
    staleRoots,
  );
}

export function useSettleRow() {
  return useChange(
    ({ adjustmentId, ...body }: { adjustmentId: string; sku: string; applied: boolean }) =>
      callApi(settleRow, { params: { adjustmentId }, body }),
    staleRoots,
  );
}

export interface ScanDecision {
  readonly id: string;
  readonly action: "accept" | "dismiss";
  readonly sku?: string;
  readonly areaId?: string;
}

/** Decides on scans one after the other; those before one that is refused stay decided. */
export function useResolveScans() {
  return useChange(async (decisions: readonly ScanDecision[]) => {
    for (const { id, ...body } of decisions) await callApi(resolveScan, { params: { id }, body });
  }, staleRoots);
}

export function useExportCsv(sessionId: string) {
  return useChange(async (view: ReportView) => {
    const response = await sendCall(exportReport, { params: { sessionId }, query: { view } });
    saveFile(await response.blob(), `variance-report-${sessionId}.csv`);
  }, []);
}
