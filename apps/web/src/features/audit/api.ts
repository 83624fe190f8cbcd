import { exportAudit, listAudit } from "@stocktake/contract";
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { callApi, sendCall } from "../../http/call.ts";
import { useChange } from "../../http/use-change.ts";
import { saveFile } from "../../ui/save-file.ts";
import { type AuditFilter, queryOf } from "./filter.ts";

/** The entries that fit, newest first, page after page; the first page's cursor is empty. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ["audit", filter],
    queryFn: ({ signal, pageParam }) =>
      callApi(listAudit, {
        query: { ...queryOf(filter), ...(pageParam === "" ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    // Another filter keeps the entries on the page until the new ones have come.
    placeholderData: keepPreviousData,
    // Whoever comes to the page wants to see what just happened.
    refetchOnMount: "always",
  });
}

export function useExportAudit() {
  return useChange(async (filter: AuditFilter) => {
    const response = await sendCall(exportAudit, { query: queryOf(filter) });
    saveFile(await response.blob(), "audit-log.csv");
  }, []);
}
