import { checkCountRows, limits, storeCountRows } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { ScanIntake, type ScanningServices } from "../scanning/scanning.ts";
import { checkRows } from "./count-rows/check-rows.ts";
import { storeRows } from "./count-rows/store-rows.ts";
import { sheetRoutes } from "./sheets/routes.ts";

/** A file's rows and a sheet's lines are stored a call at a time: fewer and larger groups than scans that come as they are made. */
const intakeLimits = {
  maximumWaiting: 4 * limits.countRowsPerCall,
  maximumGroup: limits.countRowsPerCall,
  groupsAtOnce: 2,
  keptForSingles: 0,
  isOfDevices: false,
};

/** Counts that were made elsewhere: scans like all others, sent by an administrator. */
export function paperRoutes(app: FastifyInstance, context: ScanningServices): void {
  // Of its own, so that paper takes none of the room that devices have.
  const intake = new ScanIntake(context, intakeLimits);

  route(app, checkCountRows, async ({ caller, params, body }) => checkRows(context, caller, params.id, body));

  route(app, storeCountRows, async ({ caller, params, body }) =>
    storeRows(context, intake, caller, { sessionId: params.id, ...body }),
  );

  sheetRoutes(app, context, intake);
}
