import { type CountSheet, listSheets } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callAllPages } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** The count sheets of a session, in the order of their numbers. */
export function sheetsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "sheets"],
    queryFn: ({ signal }) => callAllPages(listSheets, { params: { id: sessionId }, signal }),
    select: (answer) => answer.sheets,
  });
}

/** The numbers of those that are neither keyed nor void. */
export function sheetsOut(sheets: readonly CountSheet[]): number[] {
  return sheets.filter(({ state }) => state === "out").map(({ number }) => number);
}

/** The numbers of those that were keyed and are not stored whole: what is missing of them is in no figure. */
export function sheetsUnstored(sheets: readonly CountSheet[]): number[] {
  return sheets.filter(({ keyed }) => keyed?.isStored === false).map(({ number }) => number);
}

/** Where an administrator prints a session's count sheets and keys them back. */
export function sheetsPath(sessionId: string): string {
  return `/admin/sessions/${encodeURIComponent(sessionId)}/sheets`;
}
