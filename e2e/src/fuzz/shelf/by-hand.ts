import assert from "node:assert/strict";
import { listAdjustmentRows, listAdjustments, resumeAdjustment, settleRow } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";

/** How many rows an administrator has settled, and how many deploys and rollbacks they have resumed. */
export interface ByHand {
  settled: number;
  resumed: number;
}

/**
 * Looks in Shopify's history, and says of what nobody else could tell whether it was moved. Resolves to the SKUs that were moved
 * by neither all nor nothing, so that the record is wrong either way.
 */
export async function settleUnclear(
  admin: ApiClient,
  sessionId: string,
  moved: ReadonlyMap<string, number>,
  done: ByHand,
): Promise<string[]> {
  const { rows } = await admin.call(listAdjustmentRows, { params: { sessionId }, query: { view: "open" } });
  const unbooked: string[] = [];
  for (const { adjustmentId, sku, delta, direction, state } of rows) {
    if (state !== "unclear") continue;
    const units = moved.get(sku) ?? 0;
    const whole = direction === "deploy" ? delta : 0;
    const applied = units === whole;
    await admin.call(settleRow, { params: { adjustmentId }, body: { sku, applied } });
    done.settled += 1;
    if (!applied && units !== whole - delta) unbooked.push(sku);
  }
  return unbooked;
}

/** Sends again what the newest deploy or rollback has not moved, where anything can be. */
export async function resumeRest(admin: ApiClient, sessionId: string, done: ByHand): Promise<void> {
  const { adjustments } = await admin.call(listAdjustments, { params: { sessionId } });
  const [newest] = adjustments;
  if (newest === undefined || newest.resumable === 0) return;
  const outcome = await admin.attempt(resumeAdjustment, { params: { adjustmentId: newest._id } });
  if (outcome.ok) done.resumed += 1;
  else assert.equal(outcome.body.code, "REPORT_SUPERSEDED", JSON.stringify(outcome.body));
}
