import {
  areaScans,
  deviceMaxSequence,
  finishArea,
  postScan,
  postScanBatch,
  resetArea,
  resolveScan,
  restorePass,
  sessionExceptions,
  undoScan,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import { route } from "../kernel/route.ts";
import { listAreaScans } from "./area-scans.ts";
import { storeBatch } from "./batch.ts";
import { listExceptions } from "./exceptions.ts";
import { finish } from "./finish.ts";
import { incomingScan } from "./incoming-scan.ts";
import { findMaxSequence } from "./max-sequence.ts";
import { reset } from "./reset.ts";
import { resolve } from "./resolve.ts";
import { restore } from "./restore.ts";
import { ScanIntake } from "./scan-intake.ts";
import type { ScanningServices } from "./services.ts";
import { undo } from "./undo.ts";

/** Everything that a counting device sends, and what an administrator does about scans and passes. */
export function scanningRoutes(app: FastifyInstance, context: ScanningServices): void {
  const intake = new ScanIntake(context);
  scanRoutes(app, context, intake);
  areaRoutes(app, context, intake);
  exceptionRoutes(app, context);
}

function scanRoutes(app: FastifyInstance, context: ScanningServices, intake: ScanIntake): void {
  route(app, postScan, async ({ caller, body, reply }) => {
    intake.rate.take(caller.loginHash, 1);
    const [result] = await intake.store([incomingScan(caller, body)], null);
    if (result === undefined) throw new Error("A scan was left without a result.");
    if (result instanceof ApiError) throw result;
    if ("failed" in result) throw result.failed;
    if (result.duplicate) reply.code(200);
    return result;
  });

  route(app, postScanBatch, async ({ caller, body: { scans, pending = null }, request }) => {
    intake.rate.take(caller.loginHash, scans.length);
    return { results: await storeBatch(intake, { caller, scans, pending, request }) };
  });

  route(app, deviceMaxSequence, async ({ caller, query }) => ({
    maxSeq: await findMaxSequence(context.database, caller, query),
  }));
}

function areaRoutes(app: FastifyInstance, context: ScanningServices, { rate }: ScanIntake): void {
  route(app, undoScan, async ({ caller, body }) => {
    rate.take(caller.loginHash, 1);
    return undo(context, caller, body);
  });

  route(app, resetArea, async ({ caller, body }) => reset(context, caller, body));

  route(app, finishArea, async ({ caller, body }) => {
    rate.take(caller.loginHash, 1);
    return finish(context, caller, body);
  });

  route(app, areaScans, async ({ caller, params, query }) =>
    listAreaScans(context.database, caller, { ...params, ...query }),
  );
}

function exceptionRoutes(app: FastifyInstance, context: ScanningServices): void {
  route(app, sessionExceptions, async ({ params }) => ({
    scans: await listExceptions(context.database, params.id),
  }));

  route(app, resolveScan, async ({ caller, params, body }) => ({
    scan: await resolve(context, caller, params.id, body),
  }));

  route(app, restorePass, async ({ caller, body }) => ({ area: await restore(context, caller, body) }));
}
