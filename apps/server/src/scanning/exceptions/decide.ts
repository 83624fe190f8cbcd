import type { CallAnswer, CallRequest, decideExceptions } from "@stocktake/contract";
import type { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../services.ts";
import { presentState } from "./scans.ts";
import { settle } from "./settle.ts";

type DecidedScan = CallAnswer<typeof decideExceptions>["scans"][number];

/**
 * Settles several scans of a session at once, each in its own area unless one is named. What somebody else settled
 * meanwhile, and what has no product, is told scan by scan.
 * Throws NOT_FOUND, SESSION_ARCHIVED, REPORT_DEPLOYED, or VALIDATION for an area that the session never had.
 */
export async function decide(
  context: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  decision: CallRequest<typeof decideExceptions>["body"],
): Promise<DecidedScan[]> {
  const settled = await settle(context, caller, sessionId, decision);
  return settled
    .map(({ scan, refusal }) => ({ ...presentState(scan), outcome: outcomeOf(refusal) }))
    .toSorted((left, right) => Number(left._id) - Number(right._id));
}

/** A product that is not there concerns the whole request, of which nothing was done. */
function outcomeOf(refusal: ApiError | null): DecidedScan["outcome"] {
  if (refusal === null) return "done";
  if (refusal.code === "NOT_FOUND") throw refusal;
  if (refusal.code === "SECOND_COUNT_MADE") return "of_second_count";
  if (refusal.code === "TAG_COUNTED") return "tag_counted";
  return refusal.code === "SCAN_NOT_OPEN" ? "settled_meanwhile" : "needs_product";
}
