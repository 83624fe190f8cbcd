import type { Area } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import type { AreaPassesTable } from "../database/tables.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { beginNextPass, passVoidedReasons, voidPass } from "./passes.ts";
import { presentArea, setAreaStatus } from "./reset.ts";
import { holdRunningSession } from "./running-session.ts";
import type { ScanningServices } from "./services.ts";
import { addToTotals, type PassOfArea } from "./totals.ts";

interface PassToRestore {
  readonly areaId: string;
  readonly pass: number;
}

/**
 * Brings a voided pass of the running session back: its scans, save those that were undone, count again in a new pass,
 * and the current one is voided in its place. The area is then in progress, to be finished anew.
 * Throws NOT_FOUND, SESSION_CLOSED without a running session, VALIDATION for a pass that was not voided.
 */
export async function restore(
  context: ScanningServices,
  caller: AdminCaller,
  wanted: PassToRestore,
): Promise<Area> {
  const { area, changed } = await context.database.transaction().execute(async (transaction) => {
    const current = await takeCurrentPass(transaction, wanted.areaId);
    await requireVoided(transaction, { ...current, pass: wanted.pass });
    const endedBy = caller.userId;
    const voidedScans = await voidPass(transaction, {
      ...current,
      endedAs: "replaced",
      reason: "PASS_REPLACED",
      endedBy,
    });
    const pass = await beginNextPass(transaction, current);
    await bringBack(transaction, { ...current, pass: wanted.pass }, pass);
    await markRestored(transaction, { ...current, pass: wanted.pass }, endedBy);
    await setAreaStatus(transaction, current.areaId, "in_progress");
    const shown = await presentArea(transaction, current.areaId);
    await recordAudit(transaction, {
      sessionId: current.sessionId,
      actor: actorOf(caller),
      action: "area.restored",
      subject: { kind: "area", id: current.areaId, name: areaName(shown) },
      before: { status: current.status, pass: current.pass },
      after: { status: "in_progress", pass, restoredPass: wanted.pass, voidedScans },
    });
    return { area: shown, changed: eventOf(current, pass) };
  });
  context.events.publish({ type: "area", ...changed });
  return area;
}

interface CurrentPass extends PassOfArea {
  readonly storeId: string;
  readonly status: "not_started" | "in_progress" | "closed";
}

function eventOf({ sessionId, storeId, areaId }: CurrentPass, pass: number) {
  return { sessionId, storeId, areaId, pass };
}

async function takeCurrentPass(transaction: Transaction, areaId: string): Promise<CurrentPass> {
  const found = await transaction
    .selectFrom("areas")
    .select("store_id")
    .where("id", "=", areaId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (found === undefined) throw notFound("The area");
  const storeId = found.store_id;
  const sessionId = await holdRunningSession(
    transaction,
    storeId,
    "A pass can be brought back only during one.",
  );
  const area = await transaction
    .selectFrom("areas")
    .select(["pass", "status"])
    .where("id", "=", areaId)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (area === undefined) throw notFound("The area");
  return { sessionId, storeId, areaId, ...area };
}

const voidedEndings: readonly AreaPassesTable["ended_as"][] = ["reset", "reopened", "mismatched", "replaced"];

async function requireVoided(transaction: Transaction, wanted: PassOfArea): Promise<void> {
  const pass: Pick<Selectable<AreaPassesTable>, "ended_as"> | undefined = await ofPass(transaction, wanted)
    .select("ended_as")
    .executeTakeFirst();
  if (pass === undefined) throw notFound("The pass");
  if (!voidedEndings.includes(pass.ended_as)) {
    const message = "Only a pass that was voided, and not brought back since, can be brought back.";
    throw new ApiError("VALIDATION", message, { details: [{ field: "pass", message }] });
  }
}

function ofPass(transaction: Transaction, { sessionId, areaId, pass }: PassOfArea) {
  return transaction
    .selectFrom("area_passes")
    .where("session_id", "=", sessionId)
    .where("area_id", "=", areaId)
    .where("pass", "=", pass);
}

async function bringBack(transaction: Transaction, { sessionId, areaId, pass }: PassOfArea, newPass: number) {
  await sql`
    update scans
    set status = voided_from, reason = voided_from_reason, pass = ${newPass},
      voided_from = null, voided_from_reason = null, voided_by = null, voided_at = null
    where session_id = ${sessionId} and area_id = ${areaId} and pass = ${pass}
      and status = 'voided' and reason = any(${passVoidedReasons}::text[])`.execute(transaction);
  await addToTotals(
    transaction,
    sql<boolean>`scan.session_id = ${sessionId} and scan.area_id = ${areaId} and scan.pass = ${newPass}`,
  );
}

async function markRestored(
  transaction: Transaction,
  { sessionId, areaId, pass }: PassOfArea,
  endedBy: string,
): Promise<void> {
  await transaction
    .updateTable("area_passes")
    .set({ ended_as: "restored", ended_at: sql<Date>`now()`, ended_by: endedBy })
    .where("session_id", "=", sessionId)
    .where("area_id", "=", areaId)
    .where("pass", "=", pass)
    .execute();
}
