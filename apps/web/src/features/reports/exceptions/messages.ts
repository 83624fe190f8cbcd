import type { ScanReason } from "@stocktake/contract";
import { countText, quantityText } from "../../../ui/formats.ts";

/** Why scans wait. */
const reasons: Partial<Record<ScanReason, string>> = {
  UNKNOWN_CODE: "No product has this code",
  AMBIGUOUS_CODE: "Several products have this code",
  AREA_CLOSED: "Received after the area was closed",
  AREA_DELETED: "Its area was deleted",
  PASS_OVER: "From a count that was restarted",
  SESSION_CLOSED: "Received after the session ended",
  TAG_ELSEWHERE: "Its RFID tag was read in another area before",
};

/** In the place of PASS_OVER where no count was restarted: a reset was refused, or the server was restored. */
const countNotBegun = "From a count that the server has not begun, or has lost";

interface Change {
  readonly from: string;
  readonly to: string;
}

const scansOf = (count: number) => countText(count, "scan", "scans");

/** The list of what waits. */
const list = {
  heading: "Scans That Need a Decision",
  intro: "These scans are set aside and not counted until you accept them.",
  locked: "Scans can't be accepted or dismissed while the report is deployed. Roll back first.",
  hint: "Arrow keys move through the list, Space selects, Enter decides.",
  fetchFailed: "Failed to fetch data",
  failed: "Failed to resolve the scan:",
  none: "No scans need a decision",
  noneText: "Unknown codes and scans that arrive too late appear here while people count.",
  late: "Late",
  unresolved: "Unresolved",
  scans: scansOf,
  units: (count: number) => countText(count, "unit", "units"),
  where: (areas: string, areaCount: number, people: string, when: string) =>
    `${areaCount === 1 ? "Area" : "Areas"} ${areas} · ${people} · ${when}`,
  andMore: (names: string, more: number) => `${names} and ${quantityText(more)} more`,
  more: (count: number) => `Show ${quantityText(count)} more`,
  lateOf: "Show",
  everything: "All scans to decide",
  notAllDevices: (listed: number, all: number) =>
    `The ${quantityText(listed)} devices with the most late scans, of ${quantityText(all)}`,
  ownDevice: (device: string) => `device ${device}`,
  device: (username: string, device: string, count: number) =>
    `${username} · ${device} · ${quantityText(count)} late`,
  acceptAllLate: (count: number) => `Accept All ${quantityText(count)}`,
  placeAllLate: (count: number) => `Choose an Area for All ${quantityText(count)}`,
  reading: (read: number, all: number) =>
    `Reading ${quantityText(read)} of ${countText(all, "code", "codes")}…`,
  back: "Back to Sessions",
  missing: "Session not found",
  missingText: "It may have been counted in another shop. Go back to the sessions.",
  pageTitle: "Scans to Decide",
  pageSubtitle: (store: string) => `${store}: what phones set aside while they count`,
} as const;

/** What is done with the scans that are selected. */
const selection = {
  all: "Select all",
  select: (input: string) => `Select ${input}`,
  selected: (codes: number, scans: number) =>
    `${countText(codes, "code", "codes")} selected, ${scansOf(scans)}`,
  accept: (count: number) => `Accept ${quantityText(count)}`,
  resolve: (count: number) => `Resolve ${quantityText(count)} to Product`,
  place: (count: number) => `Choose an Area for ${quantityText(count)}`,
  dismiss: (count: number) => `Dismiss ${quantityText(count)}`,
  clear: "Clear Selection",
} as const;

/** When to accept what came late, and what either decision does to the figures. */
const advice = {
  late: {
    AREA_CLOSED:
      "Accept if the phone was in this area before it was closed and only sent late. Dismiss if the item was already in the total that closed it, or was counted elsewhere.",
    AREA_DELETED:
      "Accept into the area where the item lies now, unless it was counted there. Dismiss if it was.",
    PASS_OVER:
      "The area was counted again from zero after this scan. Dismiss it if the item lay there then, as it is in the new count. Accept only what the new count can't have met.",
    SESSION_CLOSED:
      "Made before the session ended and sent after it. Accept if nobody else counted the item. Dismiss if its area was counted again.",
  } as Partial<Record<ScanReason, string>>,
  ownCountRestored:
    "This scan's area was counted again from zero, and then the count that it was made in was restored, without this scan. Accept it, as it is in no count. Dismiss it only if the item was scanned again since.",
  otherCountRestored:
    "Another count of the area than the one of this scan was restored, which may not have met the item. Look whether it is in the count that stands now: dismiss it if it is, and accept it if it isn't.",
  countNotBegun:
    "Scanned in a count that the server does not have: the device had started the area again from zero, which was not carried out, or the server was restored from a backup made before that count. Another count of the area stands. Accepted, both count. Dismiss this scan if the count that stands is right. If not, have the area counted again, or set the count by hand.",
  ofSecondCount:
    "A count has the item already: this was made for a second count of the area and came too late, or a second count has settled how many there are. It can't be accepted. Dismiss it.",
  someOfSecondCount: (count: number) =>
    `A count has the items of ${quantityText(count)} of these scans already: a second count of the area was made. ${count === 1 ? "It" : "They"} can't be accepted. Dismiss ${count === 1 ? "it" : "them"}.`,
  tagCounted: (area: string) =>
    `The item with this RFID tag counts in area ${area}, so it is in the total. Dismiss this read: readers see through shelves and walls.`,
  tagFree:
    "The item with this RFID tag counts nowhere any more, because the other read of it was undone or its area is counted again. Accept this read if the item lies here.",
  afterEnd:
    "Counted after the end, but compared with the stock at the end: what was sold or moved out in between shows as missing, and what came in as too much. Accept if nothing of it was sold or moved until this scan. Otherwise dismiss it and set the count by hand.",
  replaces: (units: number) =>
    `${countText(units, "unit of it is", "units of it are")} counted already: the number was changed on the phone (×N), and that arrived too late. If you accept it, both count. If only the new number is right, dismiss it and set the count by hand.`,
  packOf: (code: string, units: number, sku: string) =>
    `${code} is by now the code of a pack of ${countText(units, "unit", "units")} of ${sku}.`,
  packsOfMore: (codes: number) =>
    `${countText(codes, "more code is one", "more codes are ones")} of packs by now.`,
  packsOf: (packs: number, units: string) => `${countText(packs, "pack", "packs")} of ${units}`,
  countedByPacks: (packs: string) => `That counts the units of ${packs}.`,
  countedAsScanned: (sku: string) =>
    `The pack is not one of ${sku}: each scan counts what was scanned, not the units of a pack.`,
  rises: (units: number) => `Accepting adds ${countText(units, "unit", "units")} to the counts.`,
  risesOf: (sku: string, units: number) =>
    `Accepting adds ${countText(units, "unit", "units")} to the count of ${sku}.`,
  changes: (sku: string, count: Change, variance: Change) =>
    `Accepting changes the count of ${sku} from ${count.from} to ${count.to}, and its variance from ${variance.from} to ${variance.to}.`,
  byHand: (sku: string, count: string) =>
    `The count of ${sku} was set by hand and stays ${count}, whatever you accept.`,
  stays: (sku: string, count: string, variance: string) =>
    `The count of ${sku} stays ${count}, and its variance ${variance}.`,
} as const;

/** Deciding on scans: asked before, told after. */
const decisions = {
  resolve: "Resolve to Product",
  accept: "Accept",
  dismiss: "Dismiss",
  acceptTitle: (count: number) => (count === 1 ? "Accept scan?" : `Accept ${quantityText(count)} scans?`),
  acceptQuestion: (scan: string, count: number) =>
    count === 1
      ? `Are you sure you want to accept this scan of ${scan}?`
      : `Are you sure you want to accept ${quantityText(count)} scans of ${scan}?`,
  codes: (count: number) => `${quantityText(count)} codes`,
  ownAreas: "Each is counted in the area where it was scanned.",
  canBeTakenBack: "You can take this back until the report is deployed.",
  afterEnd:
    "Scanned after the session's end. If Shopify's stock has moved since, the row becomes uncertain and is left out of a deploy until you decide. Shopify is asked when you accept.",
  dismissTitle: (count: number) => (count === 1 ? "Dismiss scan?" : `Dismiss ${quantityText(count)} scans?`),
  dismissQuestion: (scan: string, count: number) =>
    count === 1
      ? `Are you sure you want to dismiss the scan ${scan}?`
      : `Are you sure you want to dismiss ${quantityText(count)} scans of ${scan}?`,
  dismissConsequences: [
    "Dismissed scans are not counted. They stay on record with the session.",
    "You can take this back until the report is deployed.",
  ],
  commonReasons: "Common Reasons",
  reasons: ["Not our product", "Scanned by mistake", "Counted elsewhere", "Test scan"],
  reason: "Reason (Optional)",
  resolveTitle: "Resolve Scan",
  areaTitle: (count: number) => `Choose an area for ${scansOf(count)}`,
  code: "Scanned code:",
  search: "Product",
  searchHint: "Words of title, size, SKU or barcode. Enter or arrow keys choose, another Enter accepts.",
  found: "Products found",
  productsFailed: "Failed to sync products",
  nothingFound: "No matching product.",
  chosen: (product: string) => `Chosen: ${product}`,
  noneChosen: "None is chosen yet.",
  area: "Area",
  areaWhereScanned: "Where each was scanned",
  chooseArea: "Choose an area",
  movesOthers:
    "Only some of these scans wait because their area was deleted. The others count in the area you choose too, not where they were scanned.",
  save: "Accept as This Product",
  skip: "Skip",
  left: (count: number) => `${countText(count, "more code", "more codes")} after this`,
  progress: (done: string, of: string) => `${done} of ${of} scans…`,
} as const;

/** What became of a decision. */
const done = {
  accepted: (count: number) =>
    count === 1
      ? "The scan was accepted and is now in the count."
      : `${quantityText(count)} scans were accepted and are now in the count.`,
  besideHand: (count: number, sku: string, byHand: string) =>
    `${count === 1 ? "The scan was" : `${quantityText(count)} scans were`} accepted. The count of ${sku} was set by hand and stays ${byHand}: adjust it if it does not include ${count === 1 ? "this scan" : "them"}.`,
  dismissed: (count: number) =>
    count === 1 ? "The scan was dismissed." : `${quantityText(count)} scans were dismissed.`,
  // By somebody else, or by an earlier press whose answer was lost.
  already: (count: number) => `${scansOf(count)} had been settled already.`,
  needProduct: (count: number) =>
    `${countText(count, "scan still needs", "scans still need")} a product and ${count === 1 ? "waits" : "wait"} on.`,
  ofSecondCount: (count: number) =>
    `${countText(count, "scan is", "scans are")} of a second count that is over, and would count twice. Dismiss ${count === 1 ? "it" : "them"}.`,
  tagCounted: (count: number) =>
    `${countText(count, "scan is", "scans are")} of an RFID tag whose item counts already. Dismiss ${count === 1 ? "it" : "them"}.`,
  undo: "Undo",
  takenBack: (count: number) =>
    count === 1
      ? "The scan waits for a decision again."
      : `${quantityText(count)} scans wait for a decision again.`,
  voidedSince: (count: number) =>
    `${countText(count, "scan was", "scans were")} undone or voided with the count of an area since, so ${count === 1 ? "it does" : "they do"} not count any more and can't be taken back.`,
  notRecorded: (count: number) =>
    `${countText(count, "scan was", "scans were")} decided on before decisions could be taken back, so ${count === 1 ? "it stays" : "they stay"} as ${count === 1 ? "it is" : "they are"}.`,
} as const;

/** What was decided before. */
const decided = {
  title: (count: number) => `Decided (${quantityText(count)})`,
  accepted: (product: string, area: string) => `Accepted as ${product} in area ${area}`,
  dismissed: "Dismissed",
  dismissedBecause: (reason: string) => `Dismissed: ${reason}`,
  by: (username: string, time: string) => `${username}, ${time}`,
  voided: "Undone or voided since",
  takeBack: "Take Back",
  takeBackFailed: "Failed to take the decision back:",
} as const;

/** Every text of deciding on scans. */
export const messages = {
  reasons,
  countNotBegun,
  list,
  selection,
  advice,
  decisions,
  done,
  decided,
} as const;
