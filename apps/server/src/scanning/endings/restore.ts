import type { Area } from "@stocktake/contract";
import { readArea, storeOfArea } from "../../areas/areas.ts";
import { actorOf, areaName, recordAudit } from "../../audit/audit.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { restorePass } from "../../passes/passes.ts";
import { lockRunningArea } from "../area-queries.ts";
import type { ScanningServices } from "../services.ts";

interface PassToRestore {
  readonly areaId: string;
  readonly pass: number;
}

/**
 * Makes a voided pass of the running session count again in place of the current one.
 * Throws NOT_FOUND, SESSION_CLOSED without a running session, VALIDATION for a pass that was not voided.
 */
export async function restore(
  context: ScanningServices,
  caller: AdminCaller,
  { areaId, pass }: PassToRestore,
): Promise<Area> {
  const { area, changed } = await context.database.transaction().execute(async (transaction) => {
    const storeId = await storeOfArea(transaction, areaId);
    const consequence = "A previous count can only be restored during a session.";
    const before = await lockRunningArea(transaction, { areaId, storeId }, consequence);
    const { sessionId } = before;
    const next = await restorePass(transaction, before, { pass, endedBy: caller.userId });
    const area = await readArea(transaction, caller, areaId);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.restored",
      subject: { kind: "area", id: areaId, name: areaName(area) },
      before: { status: before.status, pass: before.pass },
      after: {
        status: next.status,
        pass: next.pass,
        restoredPass: pass,
        voidedScans: next.voidedScans,
      },
    });
    return { area, changed: { sessionId, storeId, areaId, pass: next.pass } };
  });
  context.events.publish({ type: "area", ...changed });
  return area;
}
