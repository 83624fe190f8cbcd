import {
  areaScans,
  decidedExceptions,
  decideExceptions,
  deviceKeyHeader,
  deviceMaxSequence,
  exceptionGroups,
  finishArea,
  postScan,
  postScanBatch,
  reopenArea,
  reportQueue,
  resetArea,
  resolveScan,
  restorePass,
  sessionExceptions,
  takeBackDecisions,
  undoScan,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import { route, succeeded } from "../kernel/route.ts";
import { listAreaScans } from "./area-scans.ts";
import { hearQueue, keyedReportOf, nothingReported, withReport } from "./devices/queue-report.ts";
import { findMaxSequence, openingReport } from "./devices/sequence-numbers.ts";
import { finish } from "./endings/finish.ts";
import { reopen } from "./endings/reopen.ts";
import { reset } from "./endings/reset.ts";
import { restore } from "./endings/restore.ts";
import { decide } from "./exceptions/decide.ts";
import { listDecided } from "./exceptions/decided.ts";
import { listGroups } from "./exceptions/groups.ts";
import { listExceptions } from "./exceptions/list.ts";
import { resolve } from "./exceptions/resolve.ts";
import { takeBack } from "./exceptions/take-back.ts";
import { sampleRoutes } from "./samples/routes.ts";
import { secondCountRoutes } from "./second-counts/routes.ts";
import type { ScanningServices } from "./services.ts";
import { readScan } from "./storing/incoming-scan.ts";
import { ScanIntake, storeBatch } from "./storing/scan-intake.ts";
import { undo } from "./undo.ts";

/** Everything that a counting device sends, and what an administrator does about scans and passes. */
export function scanningRoutes(app: FastifyInstance, context: ScanningServices): void {
  const intake = new ScanIntake(context);
  app.addHook("onClose", () => intake.heartbeats.settled());
  scanRoutes(app, context, intake);
  areaRoutes(app, context, intake);
  exceptionRoutes(app, context);
  passRoutes(app, context);
  secondCountRoutes(app, context);
  sampleRoutes(app, context);
}

function scanRoutes(app: FastifyInstance, context: ScanningServices, intake: ScanIntake): void {
  route(
    app,
    postScan,
    async ({ caller, body, request, reply }) => {
      intake.rate.charge(caller.loginHash, 1);
      const { confirmCaller } = request;
      const sending = { report: nothingReported, confirmCaller };
      const [result] = await intake.store([readScan(caller, body)], sending);
      if (result === undefined) throw new Error("A scan was left without a result.");
      if (result instanceof ApiError) throw result;
      if ("failed" in result) throw result.failed;
      if (result.duplicate) reply.code(200);
      return result;
    },
    { confirmsCaller: true, isSmall: true },
  );

  route(
    app,
    postScanBatch,
    async ({ caller, body: { scans, ...told }, request }) => {
      intake.rate.charge(caller.loginHash, scans.length);
      return { results: await storeBatch(intake, { caller, scans, report: keyedReportOf(told), request }) };
    },
    { beforeBody: () => intake.requireRoomForBatch(), isBatch: true },
  );

  const { database, events, logger } = context;
  const opening = { database, events, logger, heartbeats: intake.heartbeats };
  route(app, deviceMaxSequence, async ({ caller, query, headers }) => {
    const hasReport = openingReport(query).pending !== null;
    if (hasReport) intake.rate.charge(caller.loginHash, 1);
    const maxSeq = await findMaxSequence(opening, caller, {
      ...query,
      deviceKey: headers[deviceKeyHeader] ?? null,
    });
    return { maxSeq, ...(hasReport ? { reportHeard: true } : {}) };
  });
}

function areaRoutes(app: FastifyInstance, context: ScanningServices, intake: ScanIntake): void {
  const { rate } = intake;
  const { database, events } = context;
  const hearing = { database, events, heartbeats: intake.heartbeats };

  route(app, undoScan, async ({ caller, body }) => {
    rate.charge(caller.loginHash, 1);
    return withReport(hearing, caller, body, () => undo(context, caller, body));
  });

  route(app, resetArea, async ({ caller, body }) => {
    rate.charge(caller.loginHash, 1);
    return withReport(hearing, caller, body, () => reset(context, caller, body));
  });

  route(app, finishArea, async ({ caller, body }) => {
    rate.charge(caller.loginHash, 1);
    return withReport(hearing, caller, body, () => finish(context, caller, body));
  });

  route(app, reportQueue, async ({ caller, body }) => {
    rate.charge(caller.loginHash, 1);
    await hearQueue(hearing, caller, body);
    return succeeded;
  });

  route(app, areaScans, async ({ caller, params, query }) =>
    listAreaScans(context.database, caller, { ...params, ...query }, query),
  );
}

function exceptionRoutes(app: FastifyInstance, context: ScanningServices): void {
  route(app, sessionExceptions, async ({ params, query }) => {
    const { items: scans, ...page } = await listExceptions(context.database, params.id, query);
    return { scans, ...page };
  });

  route(app, resolveScan, async ({ caller, params, body }) => ({
    scan: await resolve(context, caller, params.id, body),
  }));

  route(app, exceptionGroups, async ({ params, query }) => listGroups(context.database, params.id, query));

  route(app, decideExceptions, async ({ caller, params, body }) => ({
    scans: await decide(context, caller, params.id, body),
  }));

  route(app, takeBackDecisions, async ({ caller, params, body }) => ({
    scans: await takeBack(context, caller, params.id, body.scanIds),
  }));

  route(app, decidedExceptions, async ({ params, query }) => {
    const { items: scans, ...page } = await listDecided(context.database, params.id, query);
    return { scans, ...page };
  });
}

function passRoutes(app: FastifyInstance, context: ScanningServices): void {
  route(app, reopenArea, async ({ caller, body }) => ({ area: await reopen(context, caller, body) }));

  route(app, restorePass, async ({ caller, body }) => ({ area: await restore(context, caller, body) }));
}
