import { type ReportItem, skipMessages } from "../calls/reports.ts";

type MovedRow = Pick<ReportItem, "skipReason" | "movedByOthers" | "wouldMove" | "deployed">;

/** "+3", "-2,000". */
export function signedUnits(units: number): string {
  return units.toLocaleString("en", { signDisplay: "exceptZero" });
}

/**
 * What other sessions have to do with what a deploy would move of a row, or why one has moved nothing of it: they have moved
 * it, all of it or a part, or nobody can tell whether they have. Null where they have nothing to do with it.
 */
export function otherSessionsText(row: MovedRow): string | null {
  const { skipReason, movedByOthers, wouldMove, deployed } = row;
  if (movedByOthers === null) {
    return skipReason === "AMBIGUOUS_MOVEMENT"
      ? "another session moved its stock when it was counted, so nobody can tell whether the variance includes that"
      : null;
  }
  if (movedByOthers === 0) return null;
  const moved = `another session has moved it by ${signedUnits(movedByOthers)} since`;
  if (wouldMove === null) {
    const isDeployed = skipReason === null;
    return isDeployed && deployed === 0 ? `${moved}, and this report nothing` : null;
  }
  return wouldMove === 0 ? `${moved}, so nothing is left to move` : moved;
}

/** That a row was left alone on purpose, with the reason; null where it was not, or was counted. */
export function leftAloneText({ leftAlone }: Pick<ReportItem, "leftAlone">): string | null {
  return leftAlone === undefined ? null : `${skipMessages.LEFT_ALONE}: ${leftAlone.reason}`;
}
