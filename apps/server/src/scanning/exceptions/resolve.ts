import type { CallAnswer, CallRequest, resolveScan } from "@stocktake/contract";
import { notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../services.ts";
import { presentState } from "./scans.ts";
import { settle } from "./settle.ts";

/**
 * Settles one scan that waits for an administrator.
 * Throws NOT_FOUND, REPORT_DEPLOYED, SCAN_NOT_OPEN, or VALIDATION where it is not clear what it should count as.
 */
export async function resolve(
  context: ScanningServices,
  caller: AdminCaller,
  scanId: number,
  decision: CallRequest<typeof resolveScan>["body"],
): Promise<CallAnswer<typeof resolveScan>["scan"]> {
  const found = await context.database
    .selectFrom("scans")
    .select("sessionId")
    .where("id", "=", scanId)
    .executeTakeFirst();
  if (found === undefined) throw notFound("The scan");
  const [settled] = await settle(context, caller, found.sessionId, {
    ...decision,
    scanIds: [scanId],
    reason: null,
  });
  if (settled === undefined) throw notFound("The scan");
  if (settled.refusal !== null) throw settled.refusal;
  return presentState(settled.scan);
}
