import type { ScanAnswer } from "@stocktake/contract";
import { ApiError } from "../kernel/api-error.ts";
import { type IncomingScan, nothingReported, type ScanIntake } from "../scanning/scanning.ts";

/** A scan of a file's row or of a sheet's line, under the number that it has unless another row has it by chance. */
export interface PaperScan {
  readonly incoming: IncomingScan;
  readonly keys: { readonly otherSeq: (attempt: number) => number };
}

interface Outcome<Scan> {
  readonly stored: readonly (Scan & { readonly answer: ScanAnswer })[];
  readonly refused: readonly { readonly scan: Scan; readonly problem: string }[];
}

/** A number that another row has by chance is drawn again, as often as this. */
const attempts = 5;

/**
 * Stores scans, each on its own, by the way of a device's batch.
 * @throws ApiError OVERLOADED; what was stored by then stays, and is known when it is sent again.
 */
export async function storeAll<Scan extends PaperScan>(
  intake: ScanIntake,
  scans: readonly Scan[],
): Promise<Outcome<Scan>> {
  const stored: (Scan & { readonly answer: ScanAnswer })[] = [];
  const refused: { readonly scan: Scan; readonly problem: string }[] = [];
  let left = scans;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    const answers = await intake.store(
      left.map(({ incoming, keys }) =>
        attempt === 0 ? incoming : renumbered(incoming, keys.otherSeq(attempt)),
      ),
      { report: nothingReported, confirmCaller: null },
    );
    const clashing: Scan[] = [];
    for (const [index, scan] of left.entries()) {
      const answer = answers[index];
      if (answer === undefined) throw new Error("A scan of paper was left without a result.");
      if (answer instanceof ApiError) {
        if (answer.code === "SEQ_CONFLICT" && attempt < attempts) clashing.push(scan);
        else refused.push({ scan, problem: problemOf(answer) });
      } else if ("failed" in answer) throw answer.failed;
      else stored.push({ ...scan, answer });
    }
    left = clashing;
  }
  return { stored, refused };
}

/** Said to whoever has the paper: a refusal for want of room speaks of a device that keeps the scan. */
const problemOf = ({ code, message }: ApiError) =>
  code === "TOO_MANY_UNRESOLVED"
    ? "This code fits no product, and too many such scans wait under Scans to Decide already. Decide about some of them, then store this again: nothing is counted twice."
    : message;

const renumbered = (incoming: IncomingScan, seq: number): IncomingScan => ({
  ...incoming,
  seq,
  highestSeq: seq,
});
