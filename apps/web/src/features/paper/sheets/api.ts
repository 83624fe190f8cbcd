import {
  type CallInput,
  lookUpCode,
  printSheets,
  readSheet,
  returnSheet,
  voidSheet,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";

/** A sheet, its lines, what was keyed from it, and what its area is by now. */
export function sheetQuery(sessionId: string, number: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "sheet", number],
    queryFn: ({ signal }) => callApi(readSheet, { params: { id: sessionId, number }, signal }),
  });
}

/** What a code means; asked while a sheet is keyed. */
export function codeQuery(sessionId: string, code: string) {
  return queryOptions({
    queryKey: ["keyed-code", sessionId, code],
    queryFn: ({ signal }) => callApi(lookUpCode, { params: { id: sessionId }, query: { code }, signal }),
  });
}

type Printing = CallInput<typeof printSheets>["body"];

export function usePrintSheets(sessionId: string) {
  return useChange(
    (body: Printing) => callApi(printSheets, { params: { id: sessionId }, body }),
    [queryRoots.progress],
  );
}

type Returned = CallInput<typeof returnSheet>["body"];

export function useReturnSheet(sessionId: string, number: number) {
  const params = { id: sessionId, number: String(number) };
  return useChange(
    (body: Returned) => callApi(returnSheet, { params, body }),
    [queryRoots.progress, queryRoots.areas, queryRoots.exceptions],
  );
}

export function useVoidSheet(sessionId: string, number: number) {
  const params = { id: sessionId, number: String(number) };
  return useChange(
    (reason: string) => callApi(voidSheet, { params, body: { reason } }),
    [queryRoots.progress],
  );
}
