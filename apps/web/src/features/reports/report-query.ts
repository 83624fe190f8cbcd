import { type CountingSession, type ReportView, varianceReport } from "@stocktake/contract";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { type ReportChoice, readChoice } from "./report-choice.ts";

/** The report of a session, with the rows of a view. */
export function reportQuery(sessionId: string, view: ReportView) {
  return queryOptions({
    queryKey: [queryRoots.report, sessionId, view],
    queryFn: ({ signal }) => callApi(varianceReport, { params: { sessionId }, query: { view }, signal }),
    // Turning the view keeps the report on the page until the other has come.
    placeholderData: keepPreviousData,
  });
}

/** Only products without a variance are not among those with one; what moved after it was counted may be either. */
export function viewOf({ filter }: Pick<ReportChoice, "filter">): ReportView {
  return filter === "all" || filter === "moved_after_count" ? "all" : "variances";
}

/** The session that the page shows by an address: the one it names, else the newest; null where that is not there. */
export function sessionShown(completed: readonly CountingSession[], asked: string | null): string | null {
  if (asked === null) return completed[0]?._id ?? null;
  return completed.some(({ _id }) => _id === asked) ? asked : null;
}

/** Those that have a report, newest first. */
export function completedOf(sessions: readonly CountingSession[]): CountingSession[] {
  return sessions.filter(({ status }) => status === "closed");
}

/**
 * Asks for what the page of an address will show, before it is drawn: a large report takes the server as long as the browser
 * takes to draw the page. What fails here fails again, and is shown, where the page asks.
 */
export async function askForReport(client: QueryClient, address: URLSearchParams): Promise<void> {
  void client.prefetchQuery(sessionsQuery);
  const session = address.get("session") ?? (await newestOf(client));
  if (session !== null) await client.prefetchQuery(reportQuery(session, viewOf(readChoice(address))));
}

async function newestOf(client: QueryClient): Promise<string | null> {
  const { sessions } = await client.ensureQueryData(sessionsQuery);
  return sessionShown(completedOf(sessions), null);
}
