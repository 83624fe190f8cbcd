import type { Area } from "@stocktake/contract";
import { isUnsettled, type OperationRecord, type StocktakeDatabase } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";
import { type Mismatch, mismatchOf, mismatchTexts } from "../mismatch.ts";

/** What this device's own operations add to the server's status of an area. */
export interface AreaNote {
  /** A finish waits to be sent: until the server has spoken, nothing may be counted there from here. */
  readonly isFinishWaiting: boolean;
  /** The last finish from here did not match: counting goes on in `knownPass`, from zero. Null where it did, or none was sent. */
  readonly mismatch: Mismatch | null;
  /** The last finish from here was declared before the count changed: nothing was submitted, and it is declared again. */
  readonly isCountChanged: boolean;
  /** The area's pass is at least this: a list that was read before a reset or a mismatch has an older one. */
  readonly knownPass: number;
}

const nothing: AreaNote = { isFinishWaiting: false, mismatch: null, isCountChanged: false, knownPass: 0 };

function afterFinish(note: AreaNote, finish: OperationRecord & { kind: "finish" }): AreaNote {
  const before = { ...note, isFinishWaiting: false, mismatch: null, isCountChanged: false };
  if (isUnsettled(finish)) return { ...before, isFinishWaiting: true };
  const { pass, refusal } = finish;
  if (refusal?.code === "COUNT_CHANGED") return { ...before, isCountChanged: true };
  // Of an operation that a restored server does not repeat, the pass that it began is none of that server's.
  const mismatch = finish.isLeft === true ? null : mismatchOf(finish);
  if (mismatch === null) return before;
  return {
    ...before,
    mismatch,
    knownPass: Math.max(note.knownPass, pass + 1),
  };
}

function afterReset(note: AreaNote, reset: OperationRecord & { kind: "reset" }): AreaNote {
  if (reset.refusal !== null || reset.isLeft === true) return note;
  const pass = reset.answer?.kind === "reset" ? reset.answer.pass : reset.expectedPass;
  return { ...note, mismatch: null, isCountChanged: false, knownPass: Math.max(note.knownPass, pass) };
}

/**
 * True from a finish that did not match until something is scanned there again. The server has it of every device's
 * finish; this device's own note counts only where the list was read before it.
 */
export function isRecountNeeded(area: Area, note: AreaNote | undefined): boolean {
  if (area.status === "closed") return false;
  const isStale = note !== undefined && area.pass < note.knownPass;
  return isStale || area.recountNeeded === undefined ? (note?.mismatch ?? null) !== null : area.recountNeeded;
}

/** What a person reads about an area that must be counted again; null where it need not be. */
export function recountSentence(area: Area, note: AreaNote | undefined): string | null {
  if (!isRecountNeeded(area, note)) return null;
  const mismatch = note !== undefined && area.pass <= note.knownPass ? note.mismatch : null;
  // Another device's finish, whose numbers are not known here.
  const what = mismatch === null ? messages.recountOfOthers : mismatchTexts.dashboard(mismatch);
  return `${what} ${messages.scansKept}`;
}

/** What a person reads about an area whose declared total did not count, as the count had changed; null elsewhere. */
export function finishAgainSentence(area: Area, note: AreaNote | undefined): string | null {
  return area.status !== "closed" && note?.isCountChanged === true ? messages.finishAgain : null;
}

/** What a person reads about an area whose counters give totals of their own, until the last one has; null elsewhere. */
export function ownTotalsSentence({ ownTotals, status }: Area): string | null {
  if (ownTotals === null || ownTotals === undefined || status === "closed") return null;
  return messages.ownTotalsMissing(ownTotals.given, ownTotals.missing);
}

/** Who is counting the area now, by name; null where nobody is. */
export function countersOf({ status, activity }: Area): readonly string[] | null {
  return status === "in_progress" && activity !== null && activity.devices > 0 ? activity.usernames : null;
}

/** True from an administrator's request until the area is counted again. */
export function isRecountRequested({ recount, status }: Area): boolean {
  return recount !== null && recount !== undefined && status !== "closed";
}

/** What a person (`me`, by name) reads about an area that an administrator wants counted again; null elsewhere. */
export function requestSentence(area: Area, me: string): string | null {
  const { recount, status } = area;
  if (recount === null || recount === undefined || status === "closed") return null;
  const counters = countersOf(area);
  if (counters?.includes(me) === true) return messages.recountByMe;
  if (counters !== null) return messages.recountUnderWay(counters);
  return messages.recountAsked(null, recount.reason);
}

/** Goes through a session's operations in order: a later finish that matches takes "Recount needed" away. */
export function notesOf(
  operations: readonly OperationRecord[],
  sessionId: string,
): ReadonlyMap<string, AreaNote> {
  const notes = new Map<string, AreaNote>();
  const ordered = operations
    .filter((operation) => operation.sessionId === sessionId)
    .sort((left, right) => left.order - right.order);
  for (const operation of ordered) {
    const note = notes.get(operation.areaId) ?? nothing;
    if (operation.kind === "finish") notes.set(operation.areaId, afterFinish(note, operation));
    if (operation.kind === "reset") notes.set(operation.areaId, afterReset(note, operation));
  }
  return notes;
}

export async function readAreaNotes(
  database: StocktakeDatabase,
  sessionId: string,
): Promise<ReadonlyMap<string, AreaNote>> {
  return notesOf(await database.getAll("pendingSubmissions"), sessionId);
}

/** True while an operation of this device's that changes the area's pass has not been answered. */
export async function isPassChanging(
  database: StocktakeDatabase,
  sessionId: string,
  areaId: string,
): Promise<boolean> {
  const operations = await database.getAll("pendingSubmissions");
  return operations.some(
    (operation) =>
      operation.kind !== "undo" &&
      operation.sessionId === sessionId &&
      operation.areaId === areaId &&
      isUnsettled(operation),
  );
}
