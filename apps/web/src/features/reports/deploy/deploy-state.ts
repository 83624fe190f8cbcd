import type { Adjustment } from "@stocktake/contract";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";

/** What has become of the report in Shopify. `isUnderway`: a deploy runs, or has been asked for. */
export function deployStateOf(
  report: Pick<Report, "deployed">,
  entries: readonly Adjustment[],
  isUnderway: boolean,
): string {
  const { none, underway, rollingBack, partial, deployed, rolledBack } = messages.deployState;
  if (isUnderway) return underway;
  if (entries.some((entry) => entry.rollingBack)) return rollingBack;
  const active = activeIn(entries);
  if (report.deployed) return active?.status === "partial" ? partial : deployed;
  return entries.some((entry) => entry.rolledBackAt !== null) ? rolledBack : none;
}

/** The deploy that holds: it moved something, and was not rolled back. */
export function activeIn(entries: readonly Adjustment[]): Adjustment | undefined {
  return entries.find((entry) => entry.rolledBackAt === null && entry.status !== "failed");
}

/** A deploy that runs still. */
export function pendingIn(entries: readonly Adjustment[]): Adjustment | undefined {
  return entries.find((entry) => entry.status === "pending");
}
