import type { CountAgainReason, CountAgainRow, PlaceToLook } from "@stocktake/contract";
import { countText, partsText, quantityText, signedText } from "../formats.ts";

/** Texts about what is to be counted again. */
export const countAgainMessages = {
  title: "What to Count Again",
  none: "Nothing to Count Again",
  figures: ({ counted, neverCounted, onHand }: CountAgainRow) =>
    neverCounted
      ? `Not counted, Shopify has ${quantityText(onHand)}:`
      : `Counted ${quantityText(counted)}, Shopify has ${quantityText(onHand)}:`,
  atStake: (money: string) => `${money} at stake`,
  unknownCost: "cost unknown",
  unknownHeading: (count: number) => `Cost Unknown (${quantityText(count)})`,
  reasonsOf: (sku: string) => `Why ${sku}`,
  placesOf: (sku: string) => `Where to look for ${sku}`,
  nowhere: "Nobody found it anywhere.",
  ask: (code: string) => `Count ${code} a Second Time`,
  place: ({ code, name, locationName }: PlaceToLook) => partsText(`${code} – ${name}`, locationName),
  moreAreas: (count: number) => `and ${quantityText(count)} more`,
  units: (units: number) => countText(units, "unit", "units"),
  tick: (name: string) => `Select ${name}`,
  tooMany: (most: number) => `At most ${quantityText(most)} SKUs can be counted again at a time.`,
  countTicked: "Count Selected a Second Time",
  countTickedTitle: (count: number) => `Count ${countText(count, "SKU", "SKUs")} a second time?`,
  countTickedQuestion:
    "In each closed area where they were counted, somebody who has not counted it is asked to count just these products.",
  countTickedConsequences: [
    "They see which products to count, and no figure. They are not told that it is a second count.",
    "The first counts stay in the report meanwhile.",
    "What nobody counted is not asked for: have it searched for instead.",
  ],
  countTickedConfirm: "Count a Second Time",
  countTickedFailed: "Failed to ask for second counts",
  asked: (counts: number) =>
    counts === 0
      ? "No second count was asked for."
      : `${countText(counts, "second count was", "second counts were")} asked for.`,
  notAsked: "Not asked for",
  why: {
    never_counted: "nobody counted it. Have it searched for instead",
    not_closed: "the area is still being counted",
    open: "a second count of the area is open already",
    made: "it was counted a second time there already",
  },
  states: {
    open: "second count under way",
    open_of_others: "second count of other products under way",
    made: "counted a second time",
  },
} as const;

function listed(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join("");
  return `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}

const codesOf = (areas: readonly { readonly code: string }[]) => listed(areas.map(({ code }) => code));

function besideText(areas: readonly { readonly code: string }[]): string {
  return areas.length === 2
    ? `${codesOf(areas)} are beside each other, and each counted at least the excess`
    : `each of ${codesOf(areas)} lies beside another of them and counted at least the excess`;
}

const swapMessages = {
  neighbours: "a neighbouring variant",
  look_alike: "a SKU that looks like it",
} as const;

const limitMessages = {
  units: "units",
  money: "money",
  stockPercent: "per cent of stock",
  moneyPercent: "per cent of money",
} as const;

/** What was seen, in a sentence. */
export function reasonText(reason: CountAgainReason): string {
  switch (reason.kind) {
    case "BEYOND_TOLERANCE":
      return `Beyond tolerance: ${listed(reason.limits.map((limit) => limitMessages[limit]))}.`;
    case "FAST_AREA":
      return `Fast area: ${listed(
        reason.areas.map(
          ({ code, times }) =>
            `${code} was scanned ${times.toLocaleString("en")} times as fast as usual here`,
        ),
      )}.`;
    case "UNKNOWN_CODES":
      return `Unknown codes like it: ${listed(
        reason.codes.map(({ input, units }) => `${input} (${countText(units, "unit", "units")})`),
      )}. They wait to be decided.`;
    case "SIBLINGS_COUNTED":
      return `Never counted, though ${countText(reason.siblings, "other variant", "other variants")} of its product ${reason.siblings === 1 ? "was" : "were"}.`;
    case "OVERAGE_NEXT_AREA":
      return `Overage in the next area: ${besideText(reason.areas)}. It may have been counted in both.`;
    case "NEGATIVE_STOCK":
      return "Negative stock: Shopify has less than nothing of it on hand.";
    case "SWAP_SUSPECTED":
      return `Swap suspected with ${partsText(reason.productTitle, reason.size, reason.sku)} (${signedText(reason.difference)}), ${swapMessages[reason.why]}.`;
    case "SIZES_CANCEL_OUT": {
      const named = reason.others.map(
        ({ sku, size, difference }) => `${partsText(size, sku)} (${signedText(difference)})`,
      );
      const rest = reason.othersLeftOut;
      return `Sizes cancel out: together with ${listed(rest === 0 ? named : [...named, `${quantityText(rest)} more`])} it comes to 0.`;
    }
  }
}
