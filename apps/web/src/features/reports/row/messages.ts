import {
  type ComparedCount,
  type ExplainedComparison,
  type ExplainedPass,
  type ExplainedScan,
  type MoveByOther,
  type ScanReason,
  type ScanStatus,
  scanReasonMessages,
} from "@stocktake/contract";
import { countText, onDeviceText, quantityText, signedText } from "../../../ui/formats.ts";

const units = (count: number) => countText(count, "unit", "units");

const moreOrLess = (change: number) =>
  change > 0 ? `${quantityText(change)} more` : `${quantityText(-change)} less`;

const states: Record<ScanStatus, string> = {
  counted: "Counted",
  unresolved: "Unresolved",
  late: "Late",
  voided: "Voided",
  compared: "Second count",
};

const rounds: Readonly<Record<number, string>> = { 2: "second count", 3: "third count" };

const outcomes: Record<Exclude<ComparedCount["settledAs"], "first" | null>, string> = {
  equal: "the counts agree",
  second: "the second count is right",
  third: "the third count is right",
};

const endings: Readonly<Record<string, string>> = {
  closed: "Closed",
  reset: "Reset",
  reopened: "Reopened",
  mismatched: "Total did not match",
  replaced: "Replaced by an earlier count",
  restored: "Restored",
  session_ended: "Never closed",
  cancelled: "Cancelled",
  area_reopened: "Area reopened",
};

const moves: Record<MoveByOther["direction"], string> = { deploy: "Deploy", rollback: "Rollback" };

function rangeText({ low, high }: { readonly low: number; readonly high: number }): string {
  return low === high ? signedText(low) : `${signedText(low)} to ${signedText(high)}`;
}

/** Texts of the drawer that says why a row is what it is. */
export const rowMessages = {
  why: (counted: number) => `Why ${quantityText(counted)}?`,
  whyUnknown: "Why this count?",
  explain: (sku: string) => `Why this count: ${sku}`,
  loading: "Adding up the scans",
  failed: "Failed to explain this row:",
  previous: "Previous row",
  next: "Next row",
  keys: "Arrow keys left and right go to the rows before and after this one.",
  figures: "Figures",
  variance: {
    heading: "How the variance comes about",
    start: "Start ON_HAND",
    movement: "Natural Movement",
    end: "End ON_HAND",
    counted: "Counted",
    variance: "Variance",
    calm: "Shopify's stock did not move after this was counted, so the whole variance is a difference on the shelf.",
    doubtful: (why: string) =>
      `Nobody can tell how much of the variance is a difference on the shelf: ${why}.`,
    fits: "Shopify's stock did not move after this was counted, and what was counted is what it had on hand.",
    cancels:
      "What moved after this was counted cancels out, so the whole variance is a difference on the shelf.",
    cancelsAndFits:
      "What moved after this was counted cancels out, and what was counted is what Shopify had on hand.",
    moved: (moved: { low: number; high: number }, remains: { low: number; high: number }) =>
      moved.low === moved.high
        ? `${rangeText(moved)} of the variance comes from stock that moved after it was counted; ${rangeText(remains)} remains.`
        : `Stock moved at about the time when it was counted, so nobody can tell which came first: ${rangeText(moved)} of the variance may come from that, and ${rangeText(remains)} may be a real difference on the shelf.`,
    uncounted: "Nobody counted it, so all that Shopify had on hand is missing.",
    uncountedBelowZero:
      "Nobody counted it. Shopify had less than none on hand, which the variance raises to zero.",
    withoutEnd:
      "The Shopify location was gone when the session ended, so it is compared with the stock at the start. What was sold since then is not known.",
    byHand: "The count was set by hand after the end, so it is compared with the stock at the end.",
  },
  swap: {
    heading: "Likely swapped",
    about: (units: string, wasFound: boolean) =>
      `The other one is ${units} off the other way round, and ${wasFound ? "lies in the same area or the one beside it" : "was found nowhere"}. If they were taken for each other, neither is really missing: check the shelf, then adjust both counts.`,
    ofSizes:
      "Together with these sizes of its product it comes to 0, and all of them lie in the same area or the one beside it. If some were counted as others, none is really missing: check the shelf, then adjust the counts.",
  },
  counting: {
    heading: "Where it was counted",
    nobody: "Nobody scanned it in this session.",
    sum: (count: number) => `${units(count)} scanned and counted`,
    sumByHand: (scanned: number, counted: number) =>
      `${units(scanned)} scanned and counted; the count was then set to ${quantityText(counted)} by hand`,
    sumSinceByHand: (scanned: number, then: number, counted: number) =>
      `${units(scanned)} scanned and counted: ${quantityText(then)} when the count was set by hand and ${moreOrLess(scanned - then)} since, which does not change it. It stays ${quantityText(counted)}`,
    sumSinceFirstByHand: (scanned: number, then: number, counted: number) =>
      `${units(scanned)} scanned and counted: ${quantityText(then)} when the count was first set by hand and ${moreOrLess(scanned - then)} after that. It was last set to ${quantityText(counted)} by hand`,
    pass: ({ area, endedAs, round }: ExplainedPass) => {
      const about = [
        round ? rounds[round] : undefined,
        endedAs === null ? undefined : (endings[endedAs] ?? endedAs),
      ];
      const known = about.filter((each) => each !== undefined).join(": ");
      return `${area.code} – ${area.name}, ${area.location}${known === "" ? "" : ` (${known})`}`;
    },
    compared: (count: number) => `${units(count)} compared`,
    units,
    leftOut: (count: number) => `${units(count)} left out`,
    counter: (username: string, device: string, shown: string) =>
      `${username} ${onDeviceText(device)}: ${shown}`,
    otherCounters: (count: number, rest: string) =>
      `and ${countText(count, "other", "others")} with fewer: ${rest} together`,
    otherPasses: (count: number, rest: string) =>
      `and ${countText(count, "more count", "more counts")} of areas with fewer: ${rest} together`,
    unknownTime: "at an unknown time",
    during: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  },
  compared: {
    heading: "Counted more than once",
    area: ({ area }: ComparedCount) => `${area.code} – ${area.name}, ${area.locationName}`,
    counts: ({ first, second, third }: ComparedCount) =>
      [first, second, ...(third === null ? [] : [third])].map(quantityText).join(" · "),
    outcome: ({ settledAs, settledBy, isOfPresentCount, firstReplaced = false }: ExplainedComparison) => {
      if (isOfPresentCount === false) return "Of a count that the area has left behind.";
      const first = firstReplaced ? "what counts now" : "the first count";
      if (settledAs === null) return `Not settled: ${first} is in the report until you choose.`;
      const outcome = settledAs === "first" ? `${first} is right` : outcomes[settledAs];
      const by = settledBy === null ? "two counts agree" : `chosen by ${settledBy.username}`;
      return `Settled: ${outcome}${settledAs === "equal" ? "" : `, ${by}`}.`;
    },
    firstReplaced:
      "The first of these figures is what counts now: a later count took the place of the first, and somebody went on in the area since.",
  },
  byHand: {
    heading: "Set by hand",
    change: (before: number, after: number) => `${quantityText(before)} → ${quantityText(after)}`,
    by: (who: string, time: string) => `${who}, ${time}`,
  },
  timeline: {
    heading: "Scans and Shopify's stock",
    start: (onHand: number) => `Shopify had ${quantityText(onHand)} on hand when the session began`,
    end: (onHand: number) => `Shopify had ${quantityText(onHand)} on hand when the session ended`,
    changed: (difference: number, onHand: number) =>
      difference === 0
        ? `Shopify still had ${quantityText(onHand)} on hand`
        : `Shopify's stock moved by ${signedText(difference)} to ${quantityText(onHand)}`,
    move: ({ direction, session, delta }: MoveByOther) =>
      `${moves[direction]} of another session (${session.storeName}): ${delta === null ? "outcome unknown" : signedText(delta)}`,
    scan: ({ quantity, packUnits = null, input }: Pick<ExplainedScan, "quantity" | "packUnits" | "input">) =>
      packUnits === null
        ? `${units(quantity)} by ${input}`
        : `${units(quantity)} by ${input}: ${countText(quantity / packUnits, "pack", "packs")} of ${quantityText(packUnits)}`,
    typed: "typed",
    place: (area: string, username: string, device: string) => `${area}, ${username} ${onDeviceText(device)}`,
    unknownTime: "at an unknown time",
    told: (time: string) => `given as ${time}`,
    state: (status: ScanStatus) => states[status],
    reason: (reason: ScanReason) => scanReasonMessages[reason],
    resolved: "accepted",
    by: (what: string, who: string, time: string) => `${what} by ${who}, ${time}`,
    because: (said: string, note: string) => `${said}: “${note}”`,
    heard: (time: string) => `received ${time}`,
    more: (count: number) => `Show ${quantityText(count)} More Scans`,
    loadingMore: "Loading...",
  },
  waiting: {
    heading: "Scans that need a decision",
    decide: "Decide on This Scan",
    decided: "What was decided",
  },
  cost: {
    heading: "Cost",
    unknown: "Shopify has no unit cost for it, so its cost impact is left out of the totals.",
    end: (cost: string, impact: string) =>
      `Unit cost ${cost}, as Shopify had it when the session ended: ${impact} for the variance.`,
    start: (cost: string, impact: string) =>
      `Unit cost ${cost}, as Shopify had it when the session began, as it was no longer there at the end: ${impact} for the variance.`,
    tooLarge: (cost: string) => `Unit cost ${cost}. The cost impact is too large to be shown exactly.`,
  },
  deploy: {
    heading: "What a deploy does",
    moves: (delta: number) => `A deploy would move Shopify's stock by ${signedText(delta)} now.`,
    nothing: "A deploy would change nothing: the count fits Shopify's stock.",
    leftOut: (reason: string) => `A deploy leaves it out: ${reason}.`,
    leftAlone: (reason: string, by: string, at: string) =>
      `left alone on purpose by ${by}, ${at}: “${reason}”`,
    wasLeftOut: (reason: string) => `The report is deployed, and the deploy left it out: ${reason}.`,
    deployed: (delta: number) =>
      delta === 0
        ? "The report is deployed. Nothing was moved for this row."
        : `The report is deployed: Shopify's stock was moved by ${signedText(delta)}.`,
    takenBack: "The report is deployed. This row was moved and taken back.",
    refused: "The report is deployed, but Shopify's stock was not moved for this row. The reason is below.",
    unclear:
      "The report is deployed, but nobody can tell yet whether Shopify's stock was moved for this row. The reason is below.",
    sum: (variance: string, moved: string, others: string) =>
      `Variance ${variance}, less ${moved} already moved by this report and ${others} moved by other counts.`,
    sumDeployed: (variance: string, others: string) =>
      `Variance ${variance}, less ${others} moved by other counts before the deploy.`,
    byOthers: "Moved by other counts",
    move: ({ direction, delta }: MoveByOther, time: string) =>
      delta === null
        ? `${moves[direction]}, outcome unknown, ${time}`
        : `${moves[direction]} ${signedText(delta)}, ${time}`,
    earlierMoves: (count: number, delta: number | null) =>
      `and ${countText(count, "move", "moves")} before those, ${delta === null ? "of unknown outcome" : `${signedText(delta)} together`}`,
    othersUnknown: "an unknown number of units",
    asked: "Shopify is asked again before anything is moved.",
    keptUnseen: (kept: number, delta: number) =>
      `Shopify had kept ${quantityText(kept)} of it here unseen, which the variance leaves out: ${signedText(delta)} was left to move.`,
    row: (direction: "deploy" | "rollback", delta: number) => `${moves[direction]} ${signedText(delta)}`,
    rowStates: {
      waiting: "waiting",
      sent: "on its way",
      confirmed: "moved",
      unclear: "outcome unknown",
      not_moved: "not moved",
      rolled_back: "rolled back",
    },
    includedBy: (who: string, time: string) => `Included by ${who}, ${time}.`,
  },
  others: {
    heading: "Counted in other sessions",
    none: "No other session of this Shopify location counted it.",
    active: "still counting",
    counted: (count: number) => `${quantityText(count)} counted`,
    manual: "set by hand",
    variance: (variance: number) => `variance ${signedText(variance)}`,
    deployed: (delta: number) => `deployed ${signedText(delta)}`,
    ended: (store: string, time: string) => `${store}, ended ${time}`,
    running: (store: string, time: string) => `${store}, started ${time}`,
  },
  recount: {
    heading: "Count it again",
    mark: "Mark for a Recount",
    means:
      "Selects it for a follow-up, a small session of just the SKUs that are marked. Nothing changes in this report, and nobody is told until you start it.",
    marked:
      "Marked in this browser for a follow-up of this count. Start it from the list when people are there, and have each SKU counted wherever it lies.",
    tooMany: (marked: number, most: number) =>
      `${quantityText(marked)} SKUs are marked, and one follow-up takes at most ${quantityText(most)}: unmark some, or clear the selection on the list.`,
    takeBack: "Unmark",
    toList: (marked: number) => `Go to the List (${quantityText(marked)} Marked)`,
  },
  addPack: "Add a Pack Code",
} as const;
