import type { ExceptionGroup, ReportItem, ScanReason } from "@stocktake/contract";
import { quantityText, signedText } from "../../../ui/formats.ts";
import { messages } from "./messages.ts";

const { advice, reasons: reasonTexts } = messages;

/** The report's row of a SKU, as far as it is known. */
export type RowOf = (sku: string) => Pick<ReportItem, "counted" | "variance" | "manual"> | undefined;

type Late = Pick<
  ExceptionGroup,
  | "status"
  | "reasons"
  | "scans"
  | "afterEnd"
  | "tagCountedIn"
  | "replacedUnits"
  | "countsSince"
  | "lateFor"
  | "ofSecondCounts"
>;

const adviceSince = {
  counted_again: advice.late.PASS_OVER,
  restored: advice.ownCountRestored,
  other_restored: advice.otherCountRestored,
  not_begun: advice.countNotBegun,
} as const;

function lateAdvice(reason: ScanReason, countsSince: Late["countsSince"]): string[] {
  if (reason === "PASS_OVER" && countsSince !== undefined) {
    return countsSince.flatMap((since) => adviceSince[since] ?? []);
  }
  const sentence = advice.late[reason];
  return sentence === undefined ? [] : [sentence];
}

/** Why scans wait, each reason once. Of a count that the server does not have nothing says that it was restarted. */
export function reasonsShown({ reasons, countsSince = [] }: Late): readonly string[] {
  const shown = reasons.flatMap((reason) => {
    if (reason !== "PASS_OVER" || countsSince.length === 0) return reasonTexts[reason] ?? [];
    return countsSince.flatMap((since) =>
      since === "not_begun" ? messages.countNotBegun : (reasonTexts[reason] ?? []),
    );
  });
  return [...new Set(shown)];
}

/** Why the scans came late, and those after the end before it: that is what decides about them. */
function reasonsOf({ reasons, lateFor }: Late): readonly ScanReason[] {
  if (lateFor === undefined) return reasons;
  return [...new Set(reasons.flatMap((reason) => (reason === "SESSION_CLOSED" ? lateFor : [reason])))];
}

/** When late scans are right to accept, by why they came late, and reads of RFID tags; nothing of scans that only lack a product. */
export function adviceOn(group: Late): readonly string[] {
  const { status, reasons, afterEnd, tagCountedIn = null, replacedUnits = 0, countsSince } = group;
  const { scans, ofSecondCounts = 0 } = group;
  if (ofSecondCounts === scans) return [advice.ofSecondCount];
  if (tagCountedIn !== null) return [advice.tagCounted(tagCountedIn.code)];
  if (reasons.includes("TAG_ELSEWHERE")) return [advice.tagFree];
  const counted = [
    ...(ofSecondCounts === 0 ? [] : [advice.someOfSecondCount(ofSecondCounts)]),
    ...(replacedUnits === 0 ? [] : [advice.replaces(replacedUnits)]),
  ];
  const ofReasons = reasonsOf(group).flatMap((reason) => lateAdvice(reason, countsSince));
  const late = status === "late" ? [...counted, ...ofReasons] : counted;
  return afterEnd ? [...late.filter((each) => each !== advice.late.SESSION_CLOSED), advice.afterEnd] : late;
}

/** The same of several groups, each sentence once. */
export function adviceOnAll(groups: readonly Late[]): readonly string[] {
  return [...new Set(groups.flatMap(adviceOn))];
}

type Known = Pick<ExceptionGroup, "sku" | "units">;

function onlySku(groups: readonly Known[]): string | null {
  const skus = new Set(groups.map(({ sku }) => sku));
  const [sku] = skus;
  return skus.size === 1 ? (sku ?? null) : null;
}

/** What accepting does to the figures of the one SKU that the scans are of; of several, that each count rises. */
export function figuresAfter(groups: readonly Known[], rowOf: RowOf): readonly string[] {
  const units = groups.reduce((sum, group) => sum + group.units, 0);
  const sku = onlySku(groups);
  if (sku === null) return [advice.rises(units)];
  const row = rowOf(sku);
  if (row === undefined) return [advice.risesOf(sku, units)];
  if (row.manual) return [advice.byHand(sku, quantityText(row.counted))];
  const { counted, variance } = row;
  return [
    advice.changes(
      sku,
      { from: quantityText(counted), to: quantityText(counted + units) },
      { from: signedText(variance), to: signedText(variance + units) },
    ),
  ];
}

/** What dismissing leaves as it is. */
export function figuresKept(groups: readonly Known[], rowOf: RowOf): readonly string[] {
  const sku = onlySku(groups);
  const row = sku === null ? undefined : rowOf(sku);
  if (sku === null || row === undefined) return [];
  return [advice.stays(sku, quantityText(row.counted), signedText(row.variance))];
}
