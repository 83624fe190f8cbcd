import type { AreaStatus, ScanReason } from "@stocktake/contract";
import type { Transaction } from "../database/pool.ts";
import { invalidField, notFound } from "../kernel/api-error.ts";
import {
  closePass,
  findEnding,
  markRestored,
  raisePass,
  recordDeclaration,
  recordEnding,
  unvoidScans,
  voidScans,
} from "./queries.ts";
import { addToTotals, deleteTotals, isOfPass, type Pass, totalOf } from "./total-queries.ts";

/**
 * The life of a pass: every change of an area's pass and status, and of what counts in it, is made here. The caller
 * holds the session's row (FOR SHARE is enough) and then the area's FOR UPDATE, in that order, so that no scan arrives
 * in between.
 */
export {
  beginFirstPasses,
  beginSessionPasses,
  endSessionPasses,
  lastPasses,
  markInProgress,
  readPasses,
} from "./queries.ts";
export { addToTotals, type Pass, subtractFromTotals } from "./total-queries.ts";

interface Ending {
  /** The reason that the scans of the pass are voided with. */
  readonly reason: ScanReason;
  /** What the area is in its next pass. */
  readonly status: Exclude<AreaStatus, "closed">;
}

/** The ways in which a pass ends because its area is counted again. */
const endings = {
  reset: { reason: "AREA_RESET", status: "not_started" },
  reopened: { reason: "AREA_REOPENED", status: "not_started" },
  mismatched: { reason: "COUNT_MISMATCHED", status: "in_progress" },
  replaced: { reason: "PASS_REPLACED", status: "in_progress" },
} as const satisfies Record<string, Ending>;

/** An ending, and the user who caused it. */
interface Ended {
  readonly endedAs: keyof typeof endings;
  readonly endedBy: string;
}

interface NextPass extends Pick<Ending, "status"> {
  readonly pass: number;
  readonly voidedScans: number;
}

/**
 * Ends the area's pass and begins its next one. Nothing is erased: the counted and unresolved scans of the pass that
 * ends become voided, for the reason that its ending decides, and its running totals go.
 */
export async function beginNextPass(
  transaction: Transaction,
  current: Pass,
  { endedAs, endedBy }: Ended,
): Promise<NextPass> {
  const { reason, status } = endings[endedAs];
  const scans = await voidScans(transaction, current, { reason, endedBy });
  await deleteTotals(transaction, current);
  await recordEnding(transaction, current, { endedAs, endedBy, counted: scans.counted });
  const pass = await raisePass(transaction, current, status);
  return { pass, status, voidedScans: scans.counted + scans.unresolved };
}

/** A finish as a device declares it, and the user who sent it. */
interface Declaration {
  readonly deviceId: string;
  readonly declaredTotal: number;
  readonly endedBy: string;
}

interface FinishedPass {
  readonly matched: boolean;
  readonly serverTotal: number;
  /** The area's pass and status afterwards. */
  readonly pass: number;
  readonly status: AreaStatus;
}

/** Closes the area where the declared total is what counts in its pass; otherwise its next pass begins. */
export async function finishPass(
  transaction: Transaction,
  current: Pass,
  { deviceId, declaredTotal, endedBy }: Declaration,
): Promise<FinishedPass> {
  const serverTotal = await totalOf(transaction, current);
  await recordDeclaration(transaction, current, { deviceId, declaredTotal, serverTotal });
  if (serverTotal !== declaredTotal) {
    const next = await beginNextPass(transaction, current, { endedAs: "mismatched", endedBy });
    return { matched: false, serverTotal, pass: next.pass, status: next.status };
  }
  await closePass(transaction, current, endedBy);
  return { matched: true, serverTotal, pass: current.pass, status: "closed" };
}

/**
 * Makes a pass that was voided count again: its scans, except those that were undone, count in the area's next pass, and
 * the current one is voided in its place. The area is then in progress, to be finished again.
 * Throws NOT_FOUND, VALIDATION for a pass that was not voided.
 */
export async function restorePass(
  transaction: Transaction,
  current: Pass,
  { pass, endedBy }: { readonly pass: number; readonly endedBy: string },
): Promise<NextPass> {
  const restored = { ...current, pass };
  await requireVoided(transaction, restored);
  const next = await beginNextPass(transaction, current, { endedAs: "replaced", endedBy });
  await unvoidScans(transaction, restored, { reasons: reasonsOfEndings, pass: next.pass });
  await addToTotals(transaction, isOfPass({ ...current, pass: next.pass }, "scan"));
  await markRestored(transaction, restored, endedBy);
  return next;
}

const reasonsOfEndings = Object.values(endings).map(({ reason }) => reason);

async function requireVoided(transaction: Transaction, pass: Pass): Promise<void> {
  const ending = await findEnding(transaction, pass);
  if (ending === undefined) throw notFound("The pass");
  if (ending === null || !(ending in endings)) {
    throw invalidField("pass", "Only a voided count that has not been restored since can be restored.");
  }
}
