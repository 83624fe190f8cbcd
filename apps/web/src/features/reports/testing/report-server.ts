import {
  type Adjustment,
  type CallAnswer,
  listAdjustmentRows,
  listAdjustments,
  listCountAdjustments,
  listSessions,
  sessionExceptions,
  varianceReport,
} from "@stocktake/contract";
import { admin, reportItem, reportSummary, session } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";

export type Report = CallAnswer<typeof varianceReport>;

const ended = session();
/** The address of the ended session's report. */
export const address = `/admin/reports?session=${ended._id}`;

/** The ended session's report, with what a test cares about changed. */
export function report(changes: Partial<Report> = {}): Report {
  return {
    session: ended,
    items: [
      reportItem({ sku: "LIN-S", size: "S", variance: 3, image: "https://img.example/1.jpg" }),
      reportItem({ sku: "LIN-M", size: "M", variance: -2, areas: ["Window", "Back"] }),
    ],
    summary: reportSummary(),
    basis: "end",
    deployed: false,
    exceptions: { unresolved: 0, late: 0 },
    ...changes,
  };
}

export function adjustment(changes: Partial<Adjustment> = {}): Adjustment {
  return {
    _id: "adjustment-1",
    appliedAt: "2026-03-02T08:00:00.000Z",
    totalAdjustments: 2,
    status: "applied",
    rolledBackAt: null,
    appliedBy: { username: "admin" },
    rollingBack: false,
    note: null,
    ...changes,
  };
}

/** A server with one ended session, its report and its history. */
export function reportServer(changes: Partial<Report> = {}, history: Adjustment[] = []): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [ended, session({ _id: "running", status: "active" })] });
  server.answer(varianceReport, report(changes));
  server.answer(listAdjustments, { adjustments: history });
  server.answer(listAdjustmentRows, { rows: [] });
  server.answer(listCountAdjustments, { counts: [] });
  server.answer(sessionExceptions, { scans: [] });
  return server;
}
