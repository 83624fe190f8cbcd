import { findArea } from "../../areas/areas.ts";
import { actorOf, areaSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { type Attempt, endAttempt, openAttempt } from "../../passes/passes.ts";
import { lockRunningArea } from "../area-queries.ts";
import { findSample } from "../samples/present-sample.ts";
import type { ScanningServices } from "../services.ts";

/**
 * Ends an area's open second or third count without a result. What it scanned is kept and counts nowhere.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED without a running session, NO_SECOND_COUNT, SAMPLE_OPEN for a count of a control
 * sample, of which none is ever left out.
 */
export async function cancel(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  areaId: string,
): Promise<void> {
  const { storeId } = await findArea(database, caller, areaId);
  const sessionId = await database.transaction().execute(async (transaction) => {
    const consequence = "With the session its second counts ended too.";
    const area = await lockRunningArea(transaction, { areaId, storeId }, consequence);
    const open = await openAttempt(transaction, area);
    if (open === undefined) throw noneOpen();
    await requireNoSample(transaction, open);
    await endAttempt(transaction, open, "cancelled", caller.userId);
    await recordAudit(transaction, {
      sessionId: area.sessionId,
      actor: actorOf(caller),
      action: "second_count.cancelled",
      subject: await areaSubject(transaction, areaId),
      before: { pass: open.pass, round: open.round },
      after: null,
    });
    return area.sessionId;
  });
  events.publish({ type: "area", sessionId, storeId });
}

function noneOpen(): ApiError {
  return new ApiError(
    "NO_SECOND_COUNT",
    "No second count of this area is open, so there is nothing to cancel.",
  );
}

/** Of a sample that is void by itself, as one of its areas was counted anew, the rest are second counts like any. */
async function requireNoSample(transaction: Transaction, { sessionId, sample }: Attempt): Promise<void> {
  if (sample === null || (await findSample(transaction, sessionId, sample))?.status !== "counting") return;
  throw new ApiError(
    "SAMPLE_OPEN",
    `This count is part of control sample ${sample}, which is finished with all its areas or void as a whole. To end its counts, ` +
      "declare the sample void.",
  );
}
