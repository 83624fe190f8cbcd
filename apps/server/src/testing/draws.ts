import process from "node:process";
import fc from "fast-check";

const times = Number(process.env.DRAWS ?? 1);

/**
 * What chance draws is the same in every ordinary run, so that a run that fails says something of what changed and not of its luck.
 * `npm run proof -- random` draws many times as often, and anew each time. A failure names its seed and its path at once.
 */
export function drawTheSame(): void {
  fc.configureGlobal({ endOnFailure: true, ...(times === 1 ? { seed: 1 } : {}) });
}

/** So many runs of a property in the ordinary run; more in the proof. */
export const draws = (runs: number) => ({ numRuns: runs * times });
