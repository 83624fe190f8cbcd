import { type CallRequest, type ScanStatus, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { handTagOver, subtractFromTotals } from "../passes/passes.ts";
import {
  areaClosed,
  type LockedArea,
  lockArea,
  passOver,
  requireCounting,
  sessionOver,
} from "./area-queries.ts";
import { performOnce } from "./devices/perform-once.ts";
import type { ScanningServices } from "./services.ts";

type UndoRequest = CallRequest<typeof undoScan>["body"];

interface Undone {
  readonly undone: {
    readonly seq: number;
    readonly sku: string | null;
    /** Absent for one unit, as in a scan's payload. */
    readonly quantity?: number | undefined;
  };
}

/**
 * Voids a device's scan of an area's current pass: the one with the given sequence number, else the highest that is not
 * voided yet. With a sequence number a repeat gets the same answer, whatever has happened to the area since.
 * A scan that is named and whose pass is over is refused with PASS_OVER and recorded as undone all the same: restoring
 * its pass, or accepting it as a late scan, must not bring back what its counter took back. One that comes after the session's
 * end is refused too, and what still counts by the scan is in doubt from then on.
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
    const { storeId, areaId } = area;
    const changed = { type: "scan", sessionId, storeId, areaId, pass: named?.pass ?? area.pass } as const;
    if (named !== undefined && isOfEarlierPass(area, named)) {
      await voidScan(transaction, caller, area, named);
      return { refusal: passOver(), changed };
    }
    if (area.sessionIsOver && named?.status === "counted") {
      await markUndone(transaction, area, named);
      return { refusal: sessionOver(), changed };
    }
    requireCounting(area, passOf(request, named));
    // A scan of the first count is out of reach while a second one is made: its pass is closed.
    if (named !== undefined && area.attempt !== null && named.pass !== area.pass) throw areaClosed();
    if (named === undefined) throw nothingToUndo(await readWhereCounted(transaction, area, request));
    const isOut = named.status === "voided" && named.reason !== "TAG_COUNTED";
    if (isOut || named.status === "late") throw nothingToUndo();
    await voidScan(transaction, caller, area, named);
    return { answer: answerFor(named), changed };
  });
}

/** An ended session's counts are changed by an administrator alone, who is told of the undo by the row's mark. */
async function markUndone(
  transaction: Transaction,
  { sessionId }: LockedArea,
  { sku }: FoundScan,
): Promise<void> {
  if (sku === null) return;
  await transaction
    .insertInto("uncertainFigures")
    .values({ sessionId, sku, reason: "UNDONE_AFTER_END" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The pass that the undo is about. A named scan's own: a restored pass goes on under another number than the device's. */
function passOf({ seq, pass }: UndoRequest, named: FoundScan | undefined): number | undefined {
  if (named === undefined || seq === undefined) return pass ?? named?.pass;
  return Math.max(named.pass, pass ?? 0);
}

/** Voided with its pass, or late because of it, in a session that can still bring it back. */
function isOfEarlierPass(area: LockedArea, { pass, status, reason }: FoundScan): boolean {
  if (area.sessionIsOver || pass >= area.pass) return false;
  return status === "late" || (status === "voided" && reason !== "DISMISSED");
}

interface FoundScan {
  readonly id: number;
  readonly seq: number;
  readonly sku: string | null;
  readonly quantity: number;
  readonly pass: number;
  readonly status: ScanStatus;
  readonly reason: string | null;
  readonly tag: string | null;
  readonly voidedFrom: "counted" | "unresolved" | null;
  readonly voidedFromReason: string | null;
  readonly voidedBy: string | null;
  readonly voidedAt: Date | null;
}

function findScan(
  transaction: Transaction,
  area: LockedArea,
  { deviceId, seq }: UndoRequest,
): Promise<FoundScan | undefined> {
  const ofDevice = transaction
    .selectFrom("scans")
    .select(["id", "seq", "sku", "quantity", "pass", "status", "reason"])
    .select(["tag", "voidedFrom", "voidedFromReason", "voidedBy", "voidedAt"])
    .where("sessionId", "=", area.sessionId)
    .where("deviceId", "=", deviceId)
    .where("areaId", "=", area.areaId);
  if (seq !== undefined) return ofDevice.where("seq", "=", seq).executeTakeFirst();
  return ofDevice
    .where("pass", "=", area.pass)
    .where("status", "in", ["counted", "unresolved", "compared"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The area in which an administrator has accepted the scan that is named, where that is another than its own. */
async function readWhereCounted(
  transaction: Transaction,
  area: LockedArea,
  { deviceId, seq }: UndoRequest,
): Promise<string | null> {
  if (seq === undefined) return null;
  const found = await transaction
    .selectFrom("scans")
    .innerJoin("areas", "areas.id", "scans.areaId")
    .select("areas.code")
    .where("scans.sessionId", "=", area.sessionId)
    .where("scans.deviceId", "=", deviceId)
    .where("scans.seq", "=", seq)
    .where("scans.status", "=", "counted")
    .where("scans.areaId", "<>", area.areaId)
    .executeTakeFirst();
  return found?.code ?? null;
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
      ...(scan.status === "voided" ? {} : { voidedFrom: voidedFrom(scan), voidedFromReason: scan.reason }),
      voidedBy: caller.userId,
      voidedAt: sql<Date>`now()`,
    })
    .where("id", "=", scan.id)
    .execute();
  const { sku, quantity } = scan;
  if (scan.status === "counted" && sku !== null)
    await subtractFromTotals(transaction, area, { sku, quantity });
  await handTagOver(transaction, { ...area, pass: scan.pass }, scan);
}

/** What the pass made of it; a late scan was never part of one. */
function voidedFrom({ status, sku }: FoundScan): "counted" | "unresolved" | null {
  if (status === "compared") return sku === null ? "unresolved" : "counted";
  return status === "counted" || status === "unresolved" ? status : null;
}

function answerFor({ seq, sku, quantity }: FoundScan): Undone {
  return { undone: { seq, sku, ...(quantity === 1 ? {} : { quantity }) } };
}

function nothingToUndo(countedIn: string | null = null): ApiError {
  if (countedIn === null)
    return new ApiError("NOTHING_TO_UNDO", "This device has no scan in this area that can be undone.");
  return new ApiError(
    "NOTHING_TO_UNDO",
    `An administrator has accepted this scan into area ${countedIn}, where it counts, so it can't be undone from here. ` +
      "If it should not count, tell the administrator.",
  );
}
