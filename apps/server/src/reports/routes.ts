import {
  adjustCount,
  exportReport,
  listCountAdjustments,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { isDeployed } from "../adjustments/deployed.ts";
import type { AppContext } from "../context.ts";
import { route } from "../http/route.ts";
import { presentSession } from "../sessions/present.ts";
import { adjustCountOf, chooseBasis } from "./change-report.ts";
import { listCountHistory } from "./count-history.ts";
import { reportCsv } from "./csv.ts";
import { countExceptions, findEndedSession } from "./ended-session.ts";
import { reportContextOf, reportItems, reportSummary } from "./report.ts";
import { readReportRows } from "./report-rows.ts";

export function reportRoutes(app: FastifyInstance, { database, events }: AppContext): void {
  // Everything in one report is read at one moment.
  const atOneMoment = () =>
    database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");

  route(app, varianceReport, async ({ caller, params, query }) =>
    atOneMoment().execute(async (transaction) => {
      const session = await findEndedSession(transaction, caller, params.sessionId);
      const rows = await readReportRows(transaction, session);
      return {
        session: presentSession(session),
        items: reportItems(rows, reportContextOf(session), query.view),
        summary: reportSummary(rows, session.currency),
        basis: session.basis,
        deployed: await isDeployed(transaction, session.id),
        exceptions: await countExceptions(transaction, session.id),
      };
    }),
  );

  route(app, exportReport, async ({ caller, params, query, reply }) => {
    const items = await atOneMoment().execute(async (transaction) => {
      const session = await findEndedSession(transaction, caller, params.sessionId);
      return reportItems(await readReportRows(transaction, session), reportContextOf(session), query.view);
    });
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="variance-report-${params.sessionId}.csv"`)
      .send(reportCsv(items));
  });

  route(app, adjustCount, async ({ caller, params, body }) => {
    const change = { sku: body.sku, newCount: body.newCount, reason: body.reason || null };
    const counts = await database
      .transaction()
      .execute((transaction) => adjustCountOf(transaction, caller, params.sessionId, change));
    events.publish({ type: "adjustment", sessionId: params.sessionId });
    return counts;
  });

  route(app, listCountAdjustments, async ({ caller, params, query }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    return { counts: await listCountHistory(database, session.id, query.sku ?? null) };
  });

  route(app, setBasis, async ({ caller, params, body }) => {
    await database
      .transaction()
      .execute((transaction) => chooseBasis(transaction, caller, params.sessionId, body.basis));
    events.publish({ type: "adjustment", sessionId: params.sessionId });
    return { basis: body.basis };
  });
}
