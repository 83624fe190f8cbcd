import type { CallAnswer, ReportView, varianceReport } from "@stocktake/contract";
import { isDeployed } from "../adjustments/deployed.ts";
import { readLastHash } from "../audit/queries.ts";
import type { AdminCaller } from "../auth/caller.ts";
import type { Database } from "../database/pool.ts";
import { presentSession } from "../sessions/present.ts";
import { countExceptions, findEndedSession } from "./ended-session.ts";
import { readAtOneMoment } from "./one-moment.ts";
import { readOverview } from "./overview.ts";
import { reportContextOf, reportItems } from "./report.ts";
import { readReportRows } from "./report-rows.ts";

/** The variance report of an ended session. @throws ApiError NOT_FOUND, SESSION_ACTIVE. */
export function readReport(
  database: Database,
  caller: AdminCaller,
  sessionId: string,
  view: ReportView,
): Promise<CallAnswer<typeof varianceReport>> {
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
