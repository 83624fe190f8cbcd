import { countingConstants } from "@stocktake/contract";

/** What counts as a repeat within a second: any scan (the specification's rule), or only the same code. */
export type DebounceMode = "any" | "same_code";

export interface Debounce {
  /** True where the scan is taken; false where it comes less than 1000 ms after the last one that was. */
  accept(code: string, at: number, mode: DebounceMode): boolean;
  /** What was taken then came to nothing: unless another was taken since, what comes next is no repeat. */
  forget(code: string, at: number): void;
}

/** Ignores the double reads of a trigger held too long. `at` is any clock in milliseconds that never goes back. */
export function createDebounce(): Debounce {
  let last: { code: string; at: number } | null = null;
  return {
    accept(code, at, mode) {
      const isSoon = last !== null && at - last.at < countingConstants.scanDebounceMs;
      if (isSoon && (mode === "any" || last?.code === code)) return false;
      last = { code, at };
      return true;
    },
    forget(code, at) {
      if (last?.code === code && last.at === at) last = null;
    },
  };
}
