import type { SecondCount } from "@stocktake/contract";
import { findArea } from "../../areas/areas.ts";
import { actorOf, type NewAuditEntry, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { type Attempt, beginAttempt, openAttempt, type Pass } from "../../passes/passes.ts";
import { lockRunningArea } from "../area-queries.ts";
import type { ScanningServices } from "../services.ts";
import { askedEntry } from "./asked-entry.ts";
import { type NextRound, nextOfArea, nextOfSkus, readMade, requireSkus } from "./rounds-queries.ts";
import { readSecondCount } from "./second-count-queries.ts";

interface Asked {
  readonly areaId: string;
  /** Absent: the whole area. */
  readonly skus?: readonly string[] | undefined;
}

/**
 * Has a closed area, or some SKUs in it, counted once more by somebody else. The area stays as it is. Where two counts differ and the
 * third was cancelled, it is the third that is asked for again by asking for the area. While the same one is open it is returned as it is.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED without a running session, AREA_NOT_CLOSED, SECOND_COUNT_MADE, SECOND_COUNT_OPEN,
 * VALIDATION for a SKU that the session does not have.
 */
export async function ask(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  { areaId, skus }: Asked,
): Promise<SecondCount> {
  const { storeId } = await findArea(database, caller, areaId);
  const { secondCount, sessionId } = await database.transaction().execute(async (transaction) => {
    const consequence = "An area can only be counted a second time during a session.";
    const area = await lockRunningArea(transaction, { areaId, storeId }, consequence);
    if (area.status !== "closed") throw notClosed();
    const wanted = skus === undefined ? undefined : await requireSkus(transaction, area.sessionId, skus);
    const open = await openAttempt(transaction, area);
    if (open !== undefined) requireSame(open, wanted);
    const pass = open?.pass ?? (await askNext(transaction, caller, area, wanted));
    return {
      secondCount: await readSecondCount(transaction, { ...area, pass }),
      sessionId: area.sessionId,
    };
  });
  // Without its area, as of a change of assignments: what is said of one area alone would tell that it is to be counted again.
  events.publish({ type: "area", sessionId, storeId });
  return secondCount;
}

async function askNext(
  transaction: Transaction,
  caller: AdminCaller,
  area: Pass,
  skus: readonly string[] | undefined,
): Promise<number> {
  const made = await readMade(transaction, area);
  const { pass, entry } = await begin(
    transaction,
    caller,
    area,
    skus === undefined ? nextOfArea(made) : nextOfSkus(made, skus),
  );
  await recordAudit(transaction, entry);
  return pass;
}

/** Begins a count at an administrator's request. Returns its pass, and what is to be recorded of it. */
export async function begin(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, areaId, pass: ofPass }: Pass,
  next: NextRound,
): Promise<{ readonly pass: number; readonly entry: NewAuditEntry }> {
  const beginning = { sessionId, areaId, ofPass, ...next, askedBy: caller.userId } as const;
  const pass = await beginAttempt(transaction, { ...beginning, status: "not_started" });
  return { pass, entry: await askedEntry(transaction, actorOf(caller), { ...beginning, pass }) };
}

/**
 * Somebody who asks for the area gets the third count that is open in it, of whatever it is.
 * @throws ApiError SECOND_COUNT_OPEN for anything else that is not what is asked for.
 */
function requireSame({ onlySkus, round }: Attempt, skus: readonly string[] | undefined): void {
  const isSame =
    skus === undefined
      ? onlySkus === null || round === 3
      : onlySkus?.length === skus.length && skus.every((sku) => onlySkus.includes(sku));
  if (isSame) return;
  throw new ApiError(
    "SECOND_COUNT_OPEN",
    skus === undefined
      ? "Somebody is to count some products of this area again already. Ask for all of it once that is done, or cancel it."
      : "Somebody is to count this area again already. Ask for these products once that is done, or cancel it.",
  );
}

function notClosed(): ApiError {
  return new ApiError(
    "AREA_NOT_CLOSED",
    "This area is still being counted. It can be counted a second time once it is closed.",
  );
}
