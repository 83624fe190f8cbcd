import { type Area, type CallRequest, resetArea } from "@stocktake/contract";
import { sql } from "kysely";
import { readAreas } from "../areas/areas.ts";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { performOnce } from "./device-operations.ts";
import { beginNextPass, voidPass } from "./passes.ts";
import type { ScanningServices } from "./services.ts";
import { requireCounting, takeArea } from "./take-area.ts";

type ResetRequest = CallRequest<typeof resetArea>["body"];

interface Reset {
  readonly area: Area;
  readonly deletedScans: number;
}

/** Starts an area again from zero. Raises the pass even where nothing was scanned: a device may hold scans of it yet. */
export function reset(context: ScanningServices, caller: Caller, request: ResetRequest): Promise<Reset> {
  const { sessionId, opId, areaCode, locationId, pass = null } = request;
  const asked = { areaCode: areaCode.toLowerCase(), locationId, pass };
  const operation = {
    kind: "reset",
    sessionId,
    opId,
    request: asked,
    parse: resetArea.answer.parse,
  } as const;
  return performOnce(context, caller, operation, async (transaction, session) => {
    const area = await takeArea(transaction, caller, session, request);
    requireCounting(area, request.pass);
    const endedBy = caller.userId;
    const ended = { ...area, endedAs: "reset", reason: "AREA_RESET", endedBy } as const;
    const deletedScans = await voidPass(transaction, ended);
    const next = await beginNextPass(transaction, area);
    await setAreaStatus(transaction, area.areaId, "not_started");
    const shown = await presentArea(transaction, area.areaId);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.reset",
      subject: { kind: "area", id: area.areaId, name: areaName(shown) },
      before: { status: area.status, pass: area.pass },
      after: { status: "not_started", pass: next, voidedScans: deletedScans },
    });
    return {
      answer: { area: shown, deletedScans },
      changed: { type: "area", sessionId, storeId: area.storeId, areaId: area.areaId, pass: next },
    };
  });
}

/** Sets an open area's status; the caller holds its row. */
export async function setAreaStatus(
  transaction: Transaction,
  areaId: string,
  status: "not_started" | "in_progress",
): Promise<void> {
  await transaction
    .updateTable("areas")
    .set({ status, closed_by: null, closed_at: null })
    .where("id", "=", areaId)
    .execute();
}

/** The area as the transaction leaves it. Throws NOT_FOUND when it is deleted. */
export async function presentArea(transaction: Transaction, areaId: string): Promise<Area> {
  const [area] = await readAreas(transaction, sql<boolean>`area.id = ${areaId}`);
  if (area === undefined) throw notFound("The area");
  return area;
}
