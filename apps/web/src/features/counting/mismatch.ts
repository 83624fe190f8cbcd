import { isMismatch, type OperationRecord } from "../../offline/offline.ts";
import { quantityText } from "../../ui/formats.ts";

/** A declared total that was not what the server counted, both in units. */
export interface Mismatch {
  /** Null where it is a sum of own totals that the server did not name. */
  readonly declared: number | null;
  readonly counted: number;
  /** It is the sum of what several people declared, as the count is that of all. */
  readonly isTogether: boolean;
}

type Finish = OperationRecord & { readonly kind: "finish" };

/** What did not match of a finish that was answered; null where it did, or nothing was compared. */
export function mismatchOf({ answer, declaredTotal, ownOf }: Finish): Mismatch | null {
  if (!isMismatch(answer)) return null;
  const counted = answer.serverTotal;
  if (ownOf === undefined) return { declared: declaredTotal, counted, isTogether: false };
  const { declared = null, people = null } = answer.together ?? {};
  return { declared, counted, isTogether: people !== 1 };
}

const togetherUnknown = "your totals together are not what was scanned.";

function said({ declared, counted, isTogether }: Mismatch): string {
  if (declared === null) return togetherUnknown;
  return `${isTogether ? "together you" : "you"} declared ${quantityText(declared)} but scanned ${quantityText(counted)}.`;
}

const capitalised = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

export const mismatchTexts = {
  /** The specification's sentence of somebody who counted alone, or declared the whole area's total. */
  banner: (mismatch: Mismatch) => `COUNT MISMATCH! ${capitalised(said(mismatch))} Please recount.`,
  short: (mismatch: Mismatch) => `Recount from 0: ${said(mismatch)}`,
  dashboard: (mismatch: Mismatch) => `${capitalised(said(mismatch))} Count the area again from zero.`,
} as const;
