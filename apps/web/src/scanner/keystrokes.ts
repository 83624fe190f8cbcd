import { countingConstants, firstCharacters, limits } from "@stocktake/contract";
import { burstGapMs } from "../ui/pressing/burst-gap.ts";
import { isCharacter, isSuffix, type Keystroke } from "./keys.ts";

/** A code without control characters (GS1 group separators) and blanks around it. */
export function printableCode(raw: string): string {
  const printable = [...raw].filter((character) => {
    const point = character.codePointAt(0) ?? 0;
    return point >= 32 && point !== 127;
  });
  return printable.join("").trim();
}

/** A code as it is matched and sent: no longer than a SKU, as a scanner's code can't be refused. */
export function cleanCode(raw: string): string {
  return firstCharacters(printableCode(raw), limits.sku);
}

/** So long a busy phone, or a radio link, may hold up the rest of a code. */
export const stallMs = 500;
// The shortest codes that match are those: in a dialog such a scan must press nothing either.
const burstMinimum = countingConstants.shortCodeMinimum;

/** Tells a scanner's burst of keys from a person's typing, where a dialog waits for a person. */
export interface BurstDetector {
  /**
   * Takes one key with its time; gives the burst's text when a suffix ends one, nothing ("") for each further suffix that comes without a
   * pause, as some scanners send two, and else null.
   */
  add(key: Keystroke, at: number): string | null;
}

/**
 * Four characters or more, each within 35 ms of the one before, and then Enter or Tab: no person types that. What came less than half
 * a second before them is a part of the same code, or a scan that stalled would count as another product.
 */
export function createBurstDetector(): BurstDetector {
  let text = "";
  let run = 0;
  let longestRun = 0;
  let last = Number.NEGATIVE_INFINITY;
  let hasEnded = false;
  return {
    add(key, at) {
      const gap = at - last;
      last = at;
      if (isCharacter(key)) {
        hasEnded = false;
        run = gap <= burstGapMs ? run + 1 : 1;
        const isRest = gap <= stallMs;
        text = isRest ? text + key.key : key.key;
        longestRun = isRest ? Math.max(longestRun, run) : run;
        return null;
      }
      // A shift key between two characters belongs to the burst.
      if (!isSuffix(key)) return null;
      if (hasEnded && gap <= stallMs) return "";
      hasEnded = gap <= stallMs && longestRun >= burstMinimum;
      const ended = hasEnded ? text : null;
      [text, run, longestRun] = ["", 0, 0];
      return ended;
    },
  };
}
