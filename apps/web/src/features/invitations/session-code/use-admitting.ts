import type { SessionCode } from "@stocktake/contract";
import { useNow } from "../../../ui/timers.ts";

const lookEveryMs = 5_000;

/** Until when everybody who asks is admitted; null where each is waited for. */
export function useAdmittingUntil({ admitUntil }: SessionCode): string | null {
  const now = useNow(lookEveryMs);
  return admitUntil !== null && new Date(admitUntil).getTime() > now ? admitUntil : null;
}
