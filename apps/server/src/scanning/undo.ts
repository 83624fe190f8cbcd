import { type CallRequest, isOfPaper, type LiveEvent, passOfNoCount, undoScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { handTagOver, type Pass, subtractFromTotals } from "../passes/passes.ts";
import { requireUnarchived } from "../sessions/sessions.ts";
import {
  areaClosed,
  type HeldSession,
  type LockedArea,
  lockArea,
  passOver,
  requireCounting,
  sessionOver,
} from "./area-queries.ts";
import { mayBeOf } from "./devices/device-keys.ts";
import { type Performed, performOnce } from "./devices/perform-once.ts";
import type { ScanningServices } from "./services.ts";
import { type FoundScan, findNewest, lockNamed, mayBeChosen, type NamedScan } from "./undo-queries.ts";

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
 * its pass, or accepting it as a late scan, must not bring back what its counter took back. So is one that waits for an
 * administrator, whatever the undo is refused with. One that counts when it is undone after the session's end counts on: its figure is
 * in doubt from then on, and so is one that may be chosen with it in a second count. What was entered from paper or a file has no device that could take it back: whoever counts can guess its numbers.
 * Nobody takes back what is another's: see `requireOwn`.
 * @throws ApiError SESSION_ARCHIVED, which devices repeat, where the scan may be in the session's archive.
 */
export function undo(context: ScanningServices, caller: Caller, request: UndoRequest): Promise<Undone> {
  const { sessionId, opId, areaCode, locationId = null, deviceId, seq = null, pass = null } = request;
  if (caller.role !== "admin" && isOfPaper(request)) return Promise.reject(nothingToUndo());
  const asked = { areaCode: areaCode.toLowerCase(), locationId, deviceId, seq, pass };
  const operation = {
    kind: "undo",
    sessionId,
    opId,
    request: asked,
    parseAnswer: undoScan.answer.parse,
  } as const;
  return performOnce(context, caller, operation, async (transaction, session) => {
    const work = { transaction, caller, session };
    const named = await lockNamed(work, request);
    // The scan is in the file, where nothing can be noted of it: the device has to ask again once it is back.
    if (named === undefined) await requireUnarchived(transaction, sessionId);
    else await requireOwn(work, request, named);
    if (named?.isOfNamedArea && named.reason === "UNDONE") return { answer: answerFor(named), changed: null };
    try {
      return await undoInArea(work, request, named);
    } catch (error) {
      if (named === undefined || !(error instanceof ApiError)) throw error;
      const { changed, countsOn } = await keepTakenBack(work, named);
      return { refusal: saying(maySay(error, named, caller) ? countsOn : undefined, error), changed };
    }
  });
}

interface UndoWork {
  readonly transaction: Transaction;
  readonly caller: Caller;
  readonly session: HeldSession;
}

/**
 * A device id is known to whoever counts in the same areas (docs/SYNC.md, S46): of a device that has shown its key, a scan is taken back by whoever
 * made it or sent it, by who is signed in on the device, which shows the key, and by the administrator, who sends on what it had kept.
 * @throws ApiError FORBIDDEN, which devices repeat: from a page of an earlier release on a shared device the undo waits for who may send it.
 */
async function requireOwn(
  { transaction, caller: { role, userId } }: UndoWork,
  { deviceId, deviceKey }: UndoRequest,
  { scannedBy, sentBy }: FoundScan,
): Promise<void> {
  if (role === "admin" || scannedBy === userId || sentBy === userId) return;
  if (await mayBeOf(transaction, deviceId, deviceKey)) return;
  throw new ApiError(
    "FORBIDDEN",
    "This is somebody else's scan. It is undone once they, or the administrator, are signed in on this device.",
  );
}

async function undoInArea(
  { transaction, caller, session }: UndoWork,
  request: UndoRequest,
  named: NamedScan | undefined,
): Promise<Performed<Undone>> {
  const area = await lockArea(transaction, caller, session, request);
  const ofArea = named?.areaId === area.areaId ? named : undefined;
  const newest = request.seq === undefined ? await findNewest(transaction, area, request) : undefined;
  if (newest !== undefined) await requireOwn({ transaction, caller, session }, request, newest);
  const scan = newest ?? ofArea;
  const { sessionId, areaId } = area;
  if (scan !== undefined && isOfEarlierPass(area, scan)) {
    await voidScan(transaction, caller, { sessionId, areaId, pass: scan.pass }, scan);
    return { refusal: saying(false, passOver()), changed: changeOf(area, scan) };
  }
  if (area.sessionIsOver && scan?.status === "counted") {
    await markUndone(transaction, sessionId, scan);
    return { refusal: saying(true, sessionOver()), changed: changeOf(area, scan) };
  }
  // A scan of the first count is out of reach while a second one is made: its pass is closed, and it counts on.
  const isOfClosedPass = scan !== undefined && area.attempt !== null && scan.pass !== area.pass;
  if (isOfClosedPass && !area.sessionIsOver) throw areaClosed();
  requireCounting(area, passOf(request, scan));
  if (scan === undefined) throw nothingToUndo(acceptedInto(named, caller));
  const isOut = scan.status === "voided" && scan.reason !== "TAG_COUNTED";
  if (isOut || scan.status === "late") throw nothingToUndo();
  await voidScan(transaction, caller, { sessionId, areaId, pass: scan.pass }, scan);
  return { answer: answerFor(scan), changed: changeOf(area, scan) };
}

function changeOf({ sessionId, storeId, areaId }: LockedArea, { pass }: FoundScan): LiveEvent {
  return { type: "scan", sessionId, storeId, areaId, pass };
}

/** A device brings its scan back where it counts, and takes the undo for done where it does not; undefined where neither is certain. */
function saying(countsOn: boolean | undefined, { code, message, extras }: ApiError): ApiError {
  return new ApiError(code, message, countsOn === undefined ? extras : { ...extras, countsOn });
}

/** Where it lies in another area than the undo names, it may be what another person counted before: nothing is said of that. */
function maySay({ code }: ApiError, { scannedBy }: NamedScan, { userId }: Caller): boolean {
  return code !== "NOTHING_TO_UNDO" || scannedBy === userId;
}

interface Kept {
  readonly changed: LiveEvent | null;
  readonly countsOn: boolean | undefined;
}

/**
 * What a refused undo leaves on record: a scan that counts nothing so far is not to be accepted any more, whatever has become of
 * its area and its session.
 */
async function keepTakenBack({ transaction, caller, session }: UndoWork, named: NamedScan): Promise<Kept> {
  const { areaId, pass, status } = named;
  const ofPass = { sessionId: session.id, areaId, pass };
  const changed = { type: "scan", ...ofPass, storeId: session.storeId } as const;
  if (named.isOfNamedArea && isInNoTotal(named)) {
    await voidScan(transaction, caller, ofPass, named);
    return { changed, countsOn: false };
  }
  const countsOn = isInTotal(named);
  const mayCount = status === "counted" || (await mayBeChosen(transaction, named));
  if (!named.sessionIsOver || !mayCount) return { changed: null, countsOn };
  await markUndone(transaction, session.id, named);
  return { changed, countsOn };
}

/**
 * As its counter may know it: of counts that are compared, and of one that took another's place, all scans of a product are said to count, as long
 * as the area has that count. Undefined where somebody may accept it yet.
 */
function isInTotal(scan: NamedScan): boolean | undefined {
  if (scan.status === "counted") return true;
  const isCompared = scan.status === "compared" || scan.reason === "SUPERSEDED";
  if (isCompared) return scan.sku !== null && scan.isOfPresentCount;
  return isInNoTotal(scan) ? undefined : false;
}

/** It waits, would wait again once its dismissal is taken back, or would take the place of another read of its tag. */
function isInNoTotal({ status, reason }: FoundScan): boolean {
  return status === "late" || status === "unresolved" || reason === "TAG_COUNTED" || reason === "DISMISSED";
}

/** An ended session's counts are changed by an administrator alone, who is told of the undo by the row's mark. */
async function markUndone(transaction: Transaction, sessionId: string, { sku }: FoundScan): Promise<void> {
  if (sku === null) return;
  const mark = { sessionId, sku, reason: "UNDONE_AFTER_END" } as const;
  await transaction
    .insertInto("uncertainFigures")
    .values(mark)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Whoever decided on the row knew of fewer undone scans.
  await transaction
    .deleteFrom("includedFigures")
    .where("sessionId", "=", mark.sessionId)
    .where("sku", "=", mark.sku)
    .where("reason", "=", mark.reason)
    .execute();
}

/** The pass that the undo is about. A named scan's own: a restored pass goes on under another number than the device's. */
function passOf({ seq, pass }: UndoRequest, scan: FoundScan | undefined): number | undefined {
  if (seq === undefined) return pass ?? scan?.pass;
  const named = pass === passOfNoCount ? undefined : pass;
  if (scan === undefined) return named;
  return Math.max(scan.pass, named ?? 0);
}

/** Voided with its pass, or late because of it, in a session that can still bring it back. */
function isOfEarlierPass(area: LockedArea, { pass, status, reason }: FoundScan): boolean {
  if (area.sessionIsOver || pass >= area.pass) return false;
  return status === "late" || (status === "voided" && reason !== "DISMISSED");
}

async function voidScan(
  transaction: Transaction,
  caller: Caller,
  pass: Pass,
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
    await subtractFromTotals(transaction, pass, { sku, quantity });
  await handTagOver(transaction, pass, scan);
}

/** What the pass made of it; a late scan was never part of one. */
function voidedFrom({ status, sku }: FoundScan): "counted" | "unresolved" | null {
  if (status === "compared") return sku === null ? "unresolved" : "counted";
  return status === "counted" || status === "unresolved" ? status : null;
}

/** Where an administrator has put the caller's own scan. Of others' scans nothing is said: it may be what they counted before. */
function acceptedInto(named: NamedScan | undefined, { userId }: Caller): string | null {
  if (named?.status !== "counted" || named.resolvedBy === null) return null;
  return named.scannedBy === userId ? named.areaCode : null;
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
