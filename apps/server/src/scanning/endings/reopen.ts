import type { Area, AreaStatus, CallRequest, reopenArea } from "@stocktake/contract";
import { findArea, readArea } from "../../areas/areas.ts";
import { actorOf, areaName, recordAudit } from "../../audit/audit.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { beginNextPass } from "../../passes/passes.ts";
import { lockStore } from "../../stores/stores.ts";
import { lockRunningArea } from "../area-queries.ts";
import type { ScanningServices } from "../services.ts";

type ReopenRequest = CallRequest<typeof reopenArea>["body"];

/**
 * Returns a closed area to not started, and one in progress too where that is asked for: its pass is voided, not erased, and
 * the next one begins. Counters are told the reason until the area is closed again.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED without a running session, AREA_NOT_CLOSED.
 */
export async function reopen(
  context: ScanningServices,
  caller: AdminCaller,
  { areaId, reason, alsoInProgress }: ReopenRequest,
): Promise<Area> {
  const { storeId } = await findArea(context.database, caller, areaId);
  const { area, sessionId } = await context.database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, storeId, "to add to");
    if (store === undefined) throw notFound("The area");
    const consequence = "An area can only be reopened during a session.";
    const before = await lockRunningArea(transaction, { areaId, storeId }, consequence);
    requireCounted(before.status, alsoInProgress === true);
    const because = reason || null;
    const ended = { endedAs: "reopened", endedBy: caller.userId, because } as const;
    const { voidedScans } = await beginNextPass(transaction, before, ended);
    const area = await readArea(transaction, caller, areaId);
    await recordAudit(transaction, {
      sessionId: before.sessionId,
      actor: actorOf(caller),
      action: "area.reopened",
      subject: { kind: "area", id: areaId, name: areaName(area) },
      before: { status: before.status, pass: before.pass },
      after: { status: area.status, pass: area.pass, voidedScans, reason: because },
    });
    return { area, sessionId: before.sessionId };
  });
  context.events.publish({ type: "area", sessionId, storeId, areaId, pass: area.pass });
  return area;
}

function requireCounted(status: AreaStatus, alsoInProgress: boolean): void {
  if (status === "closed" || (status === "in_progress" && alsoInProgress)) return;
  const sentence = alsoInProgress
    ? "Nothing has been counted in this area yet, so there is nothing to count again."
    : "This area is not closed, so there is nothing to reopen.";
  throw new ApiError("AREA_NOT_CLOSED", sentence);
}
