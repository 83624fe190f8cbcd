import { type CallRequest, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { subtractFromTotals } from "../passes/passes.ts";
import { type LockedArea, lockArea, requireCounting } from "./area-queries.ts";
import { performOnce } from "./devices/perform-once.ts";
import type { ScanningServices } from "./services.ts";

type UndoRequest = CallRequest<typeof undoScan>["body"];

interface Undone {
  readonly undone: { readonly seq: number; readonly sku: string | null };
}

/**
 * Voids a device's scan of an area's current pass: the one with the given sequence number, else the highest that is not
 * voided yet. With a sequence number a repeat gets the same answer, whatever has happened to the area since.
 */
export function undo(context: ScanningServices, caller: Caller, request: UndoRequest): Promise<Undone> {
  const { sessionId, opId, areaCode, locationId = null, deviceId, seq = null, pass = null } = request;
  const asked = { areaCode: areaCode.toLowerCase(), locationId, deviceId, seq, pass };
  const operation = {
    kind: "undo",
    sessionId,
    opId,
    request: asked,
    parseAnswer: undoScan.answer.parse,
  } as const;
  return performOnce(context, caller, operation, async (transaction, session) => {
    const area = await lockArea(transaction, caller, session, request);
    const named = await findScan(transaction, area, request);
    if (named?.reason === "UNDONE") return { answer: answerFor(named), changed: null };
    requireCounting(area, request.pass ?? named?.pass);
    if (named === undefined || named.status === "voided" || named.status === "late") throw nothingToUndo();
    await voidScan(transaction, caller, area, named);
    const { storeId, areaId } = area;
    return {
      answer: answerFor(named),
      changed: { type: "scan", sessionId, storeId, areaId, pass: area.pass },
    };
  });
}

interface FoundScan {
  readonly id: number;
  readonly seq: number;
  readonly sku: string | null;
  readonly pass: number;
  readonly status: "counted" | "unresolved" | "late" | "voided";
  readonly reason: string | null;
}

function findScan(
  transaction: Transaction,
  area: LockedArea,
  { deviceId, seq }: UndoRequest,
): Promise<FoundScan | undefined> {
  const ofDevice = transaction
    .selectFrom("scans")
    .select(["id", "seq", "sku", "pass", "status", "reason"])
    .where("sessionId", "=", area.sessionId)
    .where("deviceId", "=", deviceId)
    .where("areaId", "=", area.areaId);
  if (seq !== undefined) return ofDevice.where("seq", "=", seq).executeTakeFirst();
  return ofDevice
    .where("pass", "=", area.pass)
    .where("status", "in", ["counted", "unresolved"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}

async function voidScan(
  transaction: Transaction,
  caller: Caller,
  area: LockedArea,
  scan: FoundScan,
): Promise<void> {
  await transaction
    .updateTable("scans")
    .set({
      status: "voided",
      reason: "UNDONE",
      voidedFrom: scan.status === "counted" ? "counted" : "unresolved",
      voidedFromReason: scan.reason,
      voidedBy: caller.userId,
      voidedAt: sql<Date>`now()`,
    })
    .where("id", "=", scan.id)
    .execute();
  if (scan.status === "counted" && scan.sku !== null) await subtractFromTotals(transaction, area, scan.sku);
}

function answerFor({ seq, sku }: FoundScan): Undone {
  return { undone: { seq, sku } };
}

function nothingToUndo(): ApiError {
  return new ApiError("NOTHING_TO_UNDO", "This device has no scan in this area that can be undone.");
}
