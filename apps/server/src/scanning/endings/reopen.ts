import type { Area } from "@stocktake/contract";
import { findArea, readArea } from "../../areas/areas.ts";
import { actorOf, areaName, recordAudit } from "../../audit/audit.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { beginNextPass } from "../../passes/passes.ts";
import { lockStore } from "../../stores/stores.ts";
import { lockRunningArea } from "../area-queries.ts";
import type { ScanningServices } from "../services.ts";

/**
 * Returns a closed area to not started: the pass that it was closed with is voided, not erased, and the next one begins.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED without a running session, AREA_NOT_CLOSED.
 */
export async function reopen(context: ScanningServices, caller: AdminCaller, areaId: string): Promise<Area> {
  const { storeId } = await findArea(context.database, caller, areaId);
  const { area, sessionId } = await context.database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, storeId, "to add to");
    if (store === undefined) throw notFound("The area");
    const consequence = "An area can only be reopened during a session.";
    const before = await lockRunningArea(transaction, { areaId, storeId }, consequence);
    if (before.status !== "closed") {
      throw new ApiError("AREA_NOT_CLOSED", "This area is not closed, so there is nothing to reopen.");
    }
    const ended = { endedAs: "reopened", endedBy: caller.userId } as const;
    const { voidedScans } = await beginNextPass(transaction, before, ended);
    const area = await readArea(transaction, areaId);
    await recordAudit(transaction, {
      sessionId: before.sessionId,
      actor: actorOf(caller),
      action: "area.reopened",
      subject: { kind: "area", id: areaId, name: areaName(area) },
      before: { status: before.status, pass: before.pass },
      after: { status: area.status, pass: area.pass, voidedScans },
    });
    return { area, sessionId: before.sessionId };
  });
  context.events.publish({ type: "area", sessionId, storeId, areaId, pass: area.pass });
  return area;
}
