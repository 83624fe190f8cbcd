import type { ErrorCode } from "@stocktake/contract";
import { useEffect, useState } from "react";
import { ApiError } from "../../http/errors.ts";

/** By which the server says that the figures that were shown are not those of now any more. */
const outdatedBy: readonly (ErrorCode | null)[] = ["PLAN_CHANGED", "CONFIRM_ZEROING"];

/**
 * Has a preview read again for each press that was refused because its figures are no longer so. Whether those of before are still what
 * is known: nothing is to be confirmed by them.
 * @param error what the press was refused with
 */
export function useShownAgain(error: Error | null, read: () => Promise<unknown>): boolean {
  const outdated = error instanceof ApiError && outdatedBy.includes(error.code) ? error : null;
  const [readAfter, setReadAfter] = useState<ApiError | null>(null);
  useEffect(() => {
    if (outdated !== null) void read().then(() => setReadAfter(outdated));
  }, [outdated, read]);
  return outdated !== readAfter && outdated !== null;
}
