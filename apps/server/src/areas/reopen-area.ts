import type { Area } from "@stocktake/contract";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import {
  beginNextPass,
  holdRunningSession,
  presentArea,
  setAreaStatus,
  voidPass,
} from "../scanning/scanning.ts";
import { lockStore } from "../stores/stores.ts";
import { findArea } from "./queries.ts";
import type { AreaServices } from "./services.ts";

/**
 * Takes a closed area back to not started; the pass that it was closed with is voided, not erased, and the next one begins.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED without a running session, AREA_NOT_CLOSED.
 */
export async function reopenArea(
  { database, events }: AreaServices,
  caller: AdminCaller,
  areaId: string,
): Promise<Area> {
  const { storeId } = await findArea(database, caller, areaId);
  const { area, sessionId } = await database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, storeId, "to add to");
    if (store === undefined) throw notFound("The area");
    const sessionId = await holdRunningSession(
      transaction,
      storeId,
      "An area can be reopened only during one.",
    );
    const pass = await takeClosedArea(transaction, areaId);
    const voidedScans = await voidPass(transaction, {
      sessionId,
      areaId,
      pass,
      endedAs: "reopened",
      reason: "AREA_REOPENED",
      endedBy: caller.userId,
    });
    await beginNextPass(transaction, { sessionId, areaId });
    await setAreaStatus(transaction, areaId, "not_started");
    const area = await presentArea(transaction, areaId);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.reopened",
      subject: { kind: "area", id: areaId, name: areaName(area) },
      before: { status: "closed", pass },
      after: { status: area.status, pass: area.pass, voidedScans },
    });
    return { area, sessionId };
  });
  events.publish({ type: "area", sessionId, storeId, areaId, pass: area.pass });
  return area;
}

async function takeClosedArea(transaction: Transaction, areaId: string): Promise<number> {
  const area = await transaction
    .selectFrom("areas")
    .select(["status", "pass"])
    .where("id", "=", areaId)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (area === undefined) throw notFound("The area");
  if (area.status !== "closed") {
    throw new ApiError("AREA_NOT_CLOSED", "This area is not closed, so there is nothing to reopen.");
  }
  return area.pass;
}
