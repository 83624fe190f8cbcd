import type { CallAnswer, ReportItem, ReportView, varianceReport } from "@stocktake/contract";
import { readLastHash } from "../audit/audit.ts";
import type { Database } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { isDeployed, presentSession } from "../sessions/sessions.ts";
import { countExceptions, findEndedSession } from "./ended-session.ts";
import { readOverview } from "./overview.ts";
import { readAtOneMoment } from "./queries.ts";
import { reportContextOf, reportItems } from "./report.ts";
import { readReportRows } from "./report-row-queries.ts";

/** The answer, its rows yet to be made: those of a whole shop at once, and their text, would take as much again. */
type Report = Omit<CallAnswer<typeof varianceReport>, "items"> & {
  readonly items: Iterable<ReportItem>;
};

/** The variance report of an ended session. @throws ApiError NOT_FOUND, SESSION_ACTIVE. */
export function readReport(
  database: Database,
  caller: AdminCaller,
  sessionId: string,
  view: ReportView,
): Promise<Report> {
  return readAtOneMoment(database, async (transaction) => {
    const session = await findEndedSession(transaction, caller, sessionId);
    const { summary, skus } = await readOverview(transaction, session, view);
    const rows = await readReportRows(transaction, session, skus);
    return {
      session: presentSession(session),
      items: reportItems(rows, reportContextOf(session), view),
      summary,
      basis: session.basis,
      deployed: await isDeployed(transaction, session.id),
      exceptions: await countExceptions(transaction, session.id),
      auditHash: await readLastHash(transaction, session.id),
    };
  });
}

/** Some hundred kilobytes. */
const rowsPerPiece = 500;

/** The report as JSON, piece by piece, as its reader takes it. The database is no longer needed. */
export function* reportJson({ items, ...rest }: Report): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"items":[`;
  let piece: string[] = [];
  let separator = "";
  for (const item of items) {
    piece.push(separator + JSON.stringify(item));
    separator = ",";
    if (piece.length < rowsPerPiece) continue;
    yield piece.join("");
    piece = [];
  }
  yield `${piece.join("")}]}`;
}
