import type { ComparedCount, SecondCount } from "@stocktake/contract";
import { areaText, countText, quantityText } from "../../ui/formats.ts";

/** Texts about counting an area a second time. */
export const messages = {
  title: "Second Counts",
  subtitle: (store: string) => `Areas of ${store} counted once more by somebody else`,
  back: "Back to Sessions",
  toReport: "Go to the Report",
  missing: "No Such Session",
  missingText: "It may have been deleted. Go back and choose another one.",
  failed: "Failed to fetch data",
  intro:
    "A second count shows how far the first can be trusted. Whoever has not counted the area sees it as one to be counted, like any other. The first count stays until two counts agree on another figure.",
  areas: {
    heading: "Areas",
    none: "No Areas Closed Yet",
    noneText: "An area can be counted a second time once it is closed.",
    ask: "Count a Second Time",
    askThird: "Count a Third Time",
    askFor: (code: string) => `Count a second time: ${code}`,
    askThirdFor: (code: string) => `Count a third time: ${code}`,
    askTitle: (code: string) => `Count ${code} a second time?`,
    askQuestion: (code: string, name: string) =>
      `Area ${areaText(code, name)} is offered to everybody in this session who has not counted it. They are not told that it is a second count.`,
    askConsequences: [
      "The first count stays in the report meanwhile.",
      "Whoever counted the area can't take it, and sees it as completed.",
      "Where the two counts differ a third person is asked, and two that agree settle it.",
    ],
    askFailed: "Failed to ask for a second count",
    cancel: "Cancel",
    cancelFor: (code: string) => `Cancel the open count of ${code}`,
    cancelTitle: (code: string) => `Cancel the open count of ${code}?`,
    cancelQuestion: "What was scanned in it is kept and counts nowhere. The first count stays.",
    cancelConfirm: "Cancel the Count",
    cancelFailed: "Failed to cancel the second count",
    ended: "The session has ended, so no area can be counted again.",
    states: {
      none: "Counted once",
      someCounted: (skus: number) => `${countText(skus, "SKU", "SKUs")} counted twice`,
      waiting: "Waiting for somebody",
      counting: (names: string) => `Being counted by ${names}`,
      equal: "Two counts agree",
      settled: (count: number) => `${countText(count, "difference", "differences")} settled`,
      open: (count: number) => `${countText(count, "figure", "figures")} to choose`,
    },
    ofSample: "Control count",
    ofSkus: (count: string, skus: number) => `${count} of ${countText(skus, "SKU", "SKUs")}`,
    ofTolerance: (count: string) => `${count}, beyond tolerance`,
    round: { 2: "Second count", 3: "Third count" } as Readonly<Record<number, string>>,
  },
  differences: {
    heading: "Figures to Choose",
    none: "Nothing to Choose",
    noneText: "Every figure that was counted more than once is settled.",
    waits: "A third person is asked first",
    choose: "Choose",
    whatCounts: "What counts now",
    chooseFor: (sku: string, code: string) => `Choose a count: ${sku} in ${code}`,
    settledHeading: (count: number) => countText(count, "settled difference", "settled differences"),
  },
  samples: {
    heading: "Control Samples",
    intro:
      "Areas drawn by lot are counted again, whole and blind, by people who have not counted them. What they find says how many areas can be wrong at most. Nobody can foresee or choose what is drawn.",
    none: "No Sample Drawn Yet",
    noneText: "Draw one once the areas are closed. Areas that are closed later are not part of it.",
    noneEnded: "The session ended without one.",
    draw: "Draw a Sample",
    drawAnother: "Draw Another Sample",
    drawing: "Drawing...",
    drawTitle: "Draw a control sample?",
    drawText:
      "The areas that are drawn are offered to everybody in this session who has not counted them. A sample is finished with all its areas, or void as a whole; either way it stays in the report.",
    drawFailed: "Failed to draw a sample",
    count: "Number of Areas",
    countOf: (available: number) => `Of ${countText(available, "area", "areas")} that can be drawn`,
    countProblem: (available: number) => `Enter a whole number from 1 to ${quantityText(available)}.`,
    promise: (most: number, available: number) =>
      `If none of them differs: with 95% confidence at most ${quantityText(most)} of ${quantityText(available)} differ.`,
    reason: "Reason",
    redrawNote: "Why another one is drawn. It stays with the sample in the report and in the audit log.",
    void: "Declare Void",
    voidFor: (number: number) => `Declare Void: control sample ${number}`,
    voidTitle: (number: number) => `Declare control sample ${number} void?`,
    voidText:
      "Its open counts end. What it found until now stays in the report, and it says nothing about the areas.",
    voidNote: "It stays with the sample in the report and in the audit log.",
    voidConfirm: "Declare Void",
    voidFailed: "Failed to declare the sample void",
  },
  countAgain: {
    title: "What to Count Again",
    subtitle: (store: string) => `SKUs of ${store} whose count or stock looks wrong`,
    intro:
      "Every SKU that differs from Shopify's stock and shows a sign of a mistake, the most money first. A difference that is only large is listed where a tolerance says how large is too large. SKUs in areas that are still open are not on the list, nor are SKUs that were counted a second time and settled. Counters are told nothing of it.",
    toSecondCounts: "Go to Second Counts",
    heading: (skus: string) => `${skus} to Count Again`,
    none: "Nothing to Count Again",
    noneText: "Nothing that closed areas counted looks like a mistake.",
    tolerance: "Set the Tolerance",
    alsoSelected: (skus: string) => `Also Selected (${skus})`,
  },
  followUp: {
    start: "Start Session with Selected SKUs",
    title: (skus: string) => `Start a session of ${skus}?`,
    question:
      "A new session of the same store begins, in which just these products are counted and compared with Shopify's stock. It is linked to this one.",
    consequences: [
      "Phones list these products. What else is scanned is kept and is not in the report.",
      "What is counted in it is deployed from it: this report then leaves these products alone.",
      "A listed product that nobody scans is not in its report, so nothing of it is changed.",
      "Each is to be counted wherever it lies: counted in one place alone, the rest would be missing.",
    ],
    confirm: "Start Session",
    busy: "Starting...",
    failed: "Failed to start session",
    started: "The session has started. Invite people to it as to any other.",
    toSessions: "Go to Sessions",
  },
  choice: {
    title: "Which count is right?",
    counts: "Counts",
    options: {
      first: (units: number) => `First count: ${quantityText(units)}`,
      second: (units: number) => `Second count: ${quantityText(units)}`,
      third: (units: number) => `Third count: ${quantityText(units)}`,
    },
    whatCounts: (units: number) => `What counts now: ${quantityText(units)}`,
    whatCountsNote:
      "Not the first count: a later one took its place, and somebody went on in the area since.",
    reason: "Reason",
    reasonNote: "It stays with the figure in the report and in the audit log.",
    save: "Use This Count",
    saving: "Saving...",
    failed: "Failed to choose the count",
    look: "If none of them can be right, look at the shelf and set the count by hand in the report after the end.",
  },
} as const;

const outcomes: Record<NonNullable<ComparedCount["settledAs"]>, string> = {
  equal: "The counts agree",
  first: "The first count is right",
  second: "The second count is right",
  third: "The third count is right",
};

/** What became of a difference, and by whom. */
export function outcomeText({ settledAs, settledBy, firstReplaced }: ComparedCount): string {
  if (settledAs === null) return "Not settled";
  const isWhatCounts = settledAs === "first" && firstReplaced === true;
  const outcome = isWhatCounts ? "What counts now is right" : outcomes[settledAs];
  return settledBy === null ? `${outcome}: two counts agree` : `${outcome}, chosen by ${settledBy.username}`;
}

/** How an open second count is coming on. */
export function openText({ round, usernames, origin, only }: SecondCount): string {
  const { states, round: rounds } = messages.areas;
  const { ofSample, ofTolerance, ofSkus } = messages.areas;
  const whole = origin === "sample" ? ofSample : (rounds[round] ?? "");
  const count = only === undefined ? whole : ofSkus(whole, only.length);
  const name = origin === "tolerance" ? ofTolerance(count) : count;
  const state = usernames.length === 0 ? states.waiting : states.counting(usernames.join(", "));
  return `${name}: ${state}`;
}
