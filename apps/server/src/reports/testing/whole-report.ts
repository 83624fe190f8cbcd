import { type CallAnswer, type ReportView, varianceReport } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { readAtOneMoment } from "../queries.ts";
import { readReport, reportJson } from "../read-report.ts";

/** A report as whoever asks for it gets it. */
export async function wholeReport(
  database: Database,
  caller: AdminCaller,
  sessionId: string,
  view: ReportView,
): Promise<CallAnswer<typeof varianceReport>> {
  const report = await readReport((read) => readAtOneMoment(database, read), caller, sessionId, view);
  const pieces = Array.from(reportJson(report), (piece) => Buffer.from(piece));
  return varianceReport.answer.parse(JSON.parse(Buffer.concat(pieces).toString()));
}
