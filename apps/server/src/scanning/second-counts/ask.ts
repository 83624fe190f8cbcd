import type { SecondCount } from "@stocktake/contract";
import { findArea } from "../../areas/areas.ts";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { type Attempt, beginAttempt, isOfCompared, openAttempt, type Pass } from "../../passes/passes.ts";
import { lockRunningArea } from "../area-queries.ts";
import type { ScanningServices } from "../services.ts";
import { askedEntry } from "./asked-entry.ts";
import { readSecondCount } from "./second-count-queries.ts";

/**
 * Has a closed area counted once more by somebody else. The area stays as it is. Where two counts differ and the third was cancelled,
 * it is the third that is asked for again. While one is open it is returned as it is.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED without a running session, AREA_NOT_CLOSED, SECOND_COUNT_MADE.
 */
export async function ask(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  areaId: string,
): Promise<SecondCount> {
  const { storeId } = await findArea(database, caller, areaId);
  const { secondCount, sessionId } = await database.transaction().execute(async (transaction) => {
    const consequence = "An area can only be counted a second time during a session.";
    const area = await lockRunningArea(transaction, { areaId, storeId }, consequence);
    if (area.status !== "closed") throw notClosed();
    const open = await openAttempt(transaction, area);
    const pass = open?.pass ?? (await begin(transaction, caller, area));
    return {
      secondCount: await readSecondCount(transaction, { ...area, pass }),
      sessionId: area.sessionId,
    };
  });
  events.publish({ type: "area", sessionId, storeId, areaId });
  return secondCount;
}

async function begin(transaction: Transaction, caller: AdminCaller, area: Pass): Promise<number> {
  const { sessionId, areaId, pass: ofPass } = area;
  const round = await nextRound(transaction, area);
  const beginning = {
    sessionId,
    areaId,
    ofPass,
    round,
    askedBy: caller.userId,
    status: "not_started",
  } as const;
  const pass = await beginAttempt(transaction, beginning);
  await recordAudit(transaction, await askedEntry(transaction, actorOf(caller), { ...beginning, pass }));
  return pass;
}

/** @throws ApiError SECOND_COUNT_MADE where there is nothing left to find out. */
async function nextRound(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
): Promise<Attempt["round"]> {
  const isOfArea = isOfCompared({ sessionId, areaId, ofPass: pass });
  const closed = await transaction
    .selectFrom("secondCounts")
    .select("round")
    .where(isOfArea)
    .where("endedAs", "=", "closed")
    .orderBy("round", "desc")
    .executeTakeFirst();
  if (closed === undefined) return 2;
  const open = await transaction
    .selectFrom("comparedCounts")
    .select("sku")
    .where(isOfArea)
    .where("settledAs", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (closed.round === 2 && open !== undefined) return 3;
  throw new ApiError(
    "SECOND_COUNT_MADE",
    open === undefined
      ? "This area has been counted a second time already, and every figure is settled."
      : "This area has been counted three times already. Choose the right figure where they differ.",
  );
}

function notClosed(): ApiError {
  return new ApiError(
    "AREA_NOT_CLOSED",
    "This area is still being counted. It can be counted a second time once it is closed.",
  );
}
