import { Readable } from "node:stream";
import {
  adjustCount,
  differencesSoFar,
  exportReport,
  exportScans,
  includeFigures,
  listCountAdjustments,
  setBasis,
  varianceReport,
  writeAuditorsFile,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { createExports } from "../kernel/files/exports.ts";
import { route } from "../kernel/route.ts";
import { writeFile } from "./auditors-file/write-file.ts";
import { adjustCountOf } from "./changes/adjust-count.ts";
import { chooseBasis } from "./changes/choose-basis.ts";
import { includeFiguresOf } from "./changes/include-figures.ts";
import { readDifferencesSoFar } from "./differences-so-far.ts";
import { findEndedSession } from "./ended-session.ts";
import { exportReportCsv } from "./export-report.ts";
import { exportScansCsv } from "./export-scans.ts";
import { listCountChanges } from "./queries.ts";
import { readReport, reportJson } from "./read-report.ts";
import type { ReportServices } from "./services.ts";

export function reportRoutes(app: FastifyInstance, services: ReportServices): void {
  const { database, reportReader } = services;
  const exports = createExports(reportReader);

  route(app, varianceReport, async ({ caller, params, query, reply }) => {
    const report = await readReport(reportReader, caller, params.sessionId, query.view);
    // The compiler has checked the answer; checking each of its rows again takes longer than reading them.
    return reply
      .type("application/json; charset=utf-8")
      .send(Readable.from(reportJson(report), { objectMode: false }));
  });

  route(app, exportReport, async ({ caller, params, query, reply }) => {
    const lines = await exportReportCsv(exports, { caller, ...params, view: query.view });
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="variance-report-${params.sessionId}.csv"`)
      .send(lines);
  });

  route(app, exportScans, async ({ caller, params: { sessionId }, reply }) => {
    const lines = await exportScansCsv(exports, caller, sessionId);
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="scans-${sessionId}.csv"`)
      .send(lines);
  });

  route(app, writeAuditorsFile, async ({ caller, params: { sessionId }, reply }) => {
    const lines = await writeFile(services, exports, caller, sessionId);
    return reply
      .type("application/x-ndjson; charset=utf-8")
      .header("content-disposition", `attachment; filename="auditors-file-${sessionId}.jsonl"`)
      .send(lines);
  });

  route(app, differencesSoFar, async ({ caller, params }) =>
    readDifferencesSoFar(database, caller, params.id),
  );

  route(app, adjustCount, async ({ caller, params, body }) => {
    return adjustCountOf(services, caller, params.sessionId, { ...body, reason: body.reason || null });
  });

  route(app, includeFigures, async ({ caller, params, body }) => {
    await includeFiguresOf(services, caller, params.sessionId, body);
    return { skus: body.skus, included: body.included };
  });

  route(app, listCountAdjustments, async ({ caller, params, query }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const skus = query.sku === undefined ? null : [query.sku];
    const { items: counts, ...page } = await listCountChanges(database, session.id, skus, query);
    return { counts, ...page };
  });

  route(app, setBasis, async ({ caller, params, body }) => {
    await chooseBasis(services, caller, params.sessionId, body.basis);
    return { basis: body.basis };
  });
}
