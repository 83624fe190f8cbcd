import { type ReportItem, type UncertainReason, uncertainMessages } from "@stocktake/contract";
import { countText, signedText } from "../../../ui/formats.ts";
import { uncertainReasonsOf } from "../uncertain-reasons.ts";

export const controls = {
  search: "Search",
  searchHint: "Title, size or SKU",
  filter: "Show",
  filters: {
    counted: "Counted variances",
    variances: "All variances",
    not_counted: "Never counted",
    not_there: "Searched, not there",
    uncertain: "Uncertain",
    left_out: "Left out of a deploy",
    moved: "Moved by a deploy",
    moved_after_count: "Moved after being counted",
    all: "All products",
    shortages: "Shortages",
    overages: "Overages",
  },
  sort: "Sort by",
  sorts: { product: "Product", impact: "Cost impact" },
  layout: "Rows",
  layouts: { grouped: "Grouped by product", flat: "One list" },
  columns: {
    stake: "Money at stake",
    product: "Product",
    sku: "SKU",
    start: "Start ON_HAND",
    end: "End ON_HAND",
    movement: "Natural Movement",
    counted: "Counted",
    variance: "Variance",
    cost: "Cost Impact",
    areas: "Areas Found",
  },
  ascending: "Smallest first",
  descending: "Largest first",
  hideNets: (products: number) =>
    `Hide products whose variances cancel out (${countText(products, "product", "products")})`,
  atPlace: (place: string) => `Found in: ${place}`,
  everywhere: "Show everywhere",
  onlySku: (sku: string) => `Only SKU ${sku}`,
  everySku: "Show every SKU",
} as const;

/** What nobody counted and people looked for. */
export const searched = {
  heading: "Looked For",
  title: "Looked for, not there",
  zeroed: (what: string) => `${what}. They will be set to zero, and want no number: somebody has looked.`,
  looked: (username: string, items: number) => `${username}: ${countText(items, "SKU", "SKUs")}`,
  lookedBy: (people: string) => `Who looked: ${people}.`,
  contradicted: (count: number) =>
    `${countText(count, "SKU counts", "SKUs count")} as not searched for: people say different things, stock changed after somebody had looked, somebody scanned it in a second count or in one that was voided, or a scan waits for a decision. Decide it in the row.`,
  mayBeThere: (count: number) =>
    `${countText(count, "SKU that nobody counted stays as it is, although every area was closed: somebody found it", "SKUs that nobody counted stay as they are, although every area was closed: somebody found them")}, or it is contradicted whether it is there. Decide it in the row, or adjust its count.`,
  label: "Set to zero what was looked for and is not there",
  note: (what: string) => `${what}. No number has to be typed: somebody has looked.`,
  wordTitle: "One temporary counter's word alone",
  word: (who: string | null, items: number, units: number) =>
    `${who ?? "One temporary counter"} alone looked for these ${countText(items, "SKU", "SKUs")}, ${countText(units, "unit", "units")}. Set them to zero on their word.`,
  wordNote:
    "Nobody else has looked for them. Have somebody else look, or decide it in the rows, where you are not sure.",
  withoutCost: (count: number) => `, plus ${countText(count, "SKU", "SKUs")} without a cost`,
  unknownWorth: "whose worth is unknown",
} as const;

/** Pairs that were likely counted as each other, and sizes of one product that cancel out. */
export const swaps = {
  heading: (pairs: number, groups: number) =>
    `Likely swapped (${[
      ...(pairs === 0 ? [] : [countText(pairs, "pair", "pairs")]),
      ...(groups === 0 ? [] : [countText(groups, "group of sizes", "groups of sizes")]),
    ].join(", ")})`,
  with: (other: string) => `Likely swapped with ${other}`,
  cancelsOut: (others: string) => `Cancels out with ${others}`,
  otherSizes: (count: number) => countText(count, "other size", "other sizes"),
  hidden: "Its row is not among those shown now:",
  hiddenWhy: { not_counted: "nobody counted it", other: "the search or the filters leave it out" },
  showRows: "Show All Variances",
  intro:
    "Of a pair one has as many units too many as the other has too few. Sizes of one product that are in no pair can cancel out as well. They lie in the same area or the one beside it. Check the shelf; nothing is changed by this.",
  why: {
    neighbours: "Neighbouring variants",
    look_alike: "Codes that look alike",
    sizes: "Sizes of one product that cancel out",
  },
  units: (variance: number) => `${signedText(variance)} ${Math.abs(variance) === 1 ? "unit" : "units"}`,
  nowhere: "Not found",
  net: (units: string, money: string) => `Together ${units} units, ${money}`,
  show: "Show Swaps",
  hide: "Hide Swaps",
  more: (count: string) => `Show ${count} more`,
} as const;

/** The totals, and what they are made of. */
export const totals = {
  heading: "Totals",
  split: "What the totals are made of",
  units: (units: string) => `${units} units`,
  withoutCost: (count: number) => `, plus ${countText(count, "SKU", "SKUs")} without a cost`,
  shares: {
    counted: "Counted, with a variance",
    not_counted: "Never counted",
    uncertain: "Uncertain",
    left_out: "Left out of a deploy",
    moved: "A deploy would move now",
  } as Readonly<Record<string, string>>,
  movedByDeploy: "Moved by the deploy",
  note: "The five totals speak of everything in scope. A row may be in several of the parts below them. What a deploy would move allows for what other sessions have moved; before a deploy, Shopify is asked again.",
} as const;

/** The parts of the report that its page leads to. */
export const parts = {
  label: "Parts of this report",
  variances: (count: string) => `Variances (${count})`,
  exceptions: (count: string) => `Exceptions (${count})`,
  areas: (count: string) => `Areas (${count})`,
  history: (count: string) => `Adjustment History (${count})`,
  audit: "Audit",
} as const;

/** What has become of the report in Shopify, in a word. */
export const deployState = {
  none: "Not deployed",
  underway: "Being deployed",
  rollingBack: "Being rolled back",
  partial: "Partly deployed",
  deployed: "Deployed",
  rolledBack: "Rolled back",
  rollBack: "Roll Back Deploy",
} as const;

/** What the sums of a report leave out. */
export const summaryNotes = {
  tooLarge: "The total cost impact is too large to be shown exactly.",
  withoutCost: (items: string, verb: string) =>
    `${items} left out of the cost impact: Shopify has no unit cost for ${verb}, or one too large to calculate with exactly.`,
} as const;

/** A time in which Shopify's levels could not be read. */
export const stockGaps = {
  title: "Shopify's stock could not be read all the time",
  times: (times: string) => `It was not read ${times}.`,
  time: (from: string, to: string) => `from ${from} to ${to}`,
  affected: (rows: string) =>
    `${rows} counted and moved then, and marked uncertain. Nothing of it is deployed until you decide.`,
  leftOut: (rows: string) =>
    `${rows} counted and moved then, and not deployed because nobody had decided to include it.`,
  decided: "Somebody has decided on every row that was counted and moved then.",
  unaffected: "No figure is in doubt because of it.",
} as const;

export const uncertainReasons: Record<UncertainReason, string> = {
  COUNTS_DIFFER: `Uncertain: ${uncertainMessages.COUNTS_DIFFER}`,
  REPLACED_IN_SHOP: `Uncertain: ${uncertainMessages.REPLACED_IN_SHOP}`,
  MOVED_DURING_END: `Uncertain: ${uncertainMessages.MOVED_DURING_END}`,
  COUNTED_AFTER_END: `Uncertain: ${uncertainMessages.COUNTED_AFTER_END}`,
  UNDONE_AFTER_END: `Uncertain: ${uncertainMessages.UNDONE_AFTER_END}`,
  COUNTED_AT_UNKNOWN_TIME: `Uncertain: ${uncertainMessages.COUNTED_AT_UNKNOWN_TIME}`,
  CLOCK_WAS_SET: `Uncertain: ${uncertainMessages.CLOCK_WAS_SET}`,
  COUNTED_ACROSS_GAP: `Uncertain: ${uncertainMessages.COUNTED_ACROSS_GAP}`,
  MOVED_BEFORE_COUNT_ENDED: `Uncertain: ${uncertainMessages.MOVED_BEFORE_COUNT_ENDED}`,
  MOVED_SINCE_BACKUP: `Uncertain: ${uncertainMessages.MOVED_SINCE_BACKUP}`,
};

/** The dialog that sets a count by hand. */
export const adjustDialog = {
  title: "Adjust Count",
  current: "Current Count",
  newCount: "New Count",
  reason: "Reason (Optional)",
  foundIn: "Found in Areas",
  foundNowhere: "Not found in any area",
  save: "Save Adjustment",
  saving: "Saving...",
  history: "Previous Adjustments",
  historyFailed: "Failed to fetch data",
  changed: (was: string, now: string) =>
    `The count was ${was} when you opened this, and is ${now} now. What you typed is still here, and replaces the count as it is now.`,
  changedBy: (username: string, time: string) => `${username}, ${time}`,
} as const;

/** What is said of rows whose figure is uncertain, and how an administrator decides on one. */
export const uncertain = {
  /** Every reason: whoever includes the figure decides on them all. */
  why: (item: Pick<ReportItem, "uncertain" | "uncertainReasons">) =>
    `Uncertain: ${uncertainReasonsOf(item)
      .map((reason) => uncertainMessages[reason])
      .join("; ")}`,
  waiting: "won't be deployed until you decide",
  included: "included by an administrator",
  notDeployed: "not deployed",
  foundLater: "found after it was deployed",
  include: "Include",
  leaveOut: "Leave Out",
  includedDone: (sku: string) => `${sku} is included: the next deploy applies its count as it is.`,
  leftOutDone: (sku: string) => `${sku} is left out of a deploy again.`,
  failed: "Failed to save the decision. Nothing was changed; try again.",
  summary: (rows: string, someIncludable: boolean) =>
    `${rows} uncertain and won't be deployed until you decide: check the shelf and adjust the count${someIncludable ? ", or press Include where the row has it to deploy the count as it is" : ""}.`,
  notDeployedThen: (rows: string) => `${rows} not deployed.`,
} as const;

/** How well each area was counted. */
export const countedAreas = {
  heading: "How Each Area Was Counted",
  intro:
    "The most money at stake first. A SKU that was found in several areas is in each of them. Choose an area to see its rows.",
  area: "Area",
  varying: "SKUs with a variance",
  share: (varying: string, skus: string, share: number) =>
    `${varying} of ${skus} (${share.toLocaleString("en", { style: "percent", maximumFractionDigits: 0 })})`,
  atStake: "Money at stake",
  unknown: (count: number) => `${countText(count, "SKU", "SKUs")} of unknown cost`,
  pace: "Pace",
  fastArea: "Fast area",
  fast: (times: number) => `${times.toLocaleString("en")} times as fast as usual here`,
  more: (count: string) => `Show ${count} more areas`,
  failed: "Failed to fetch how the areas were counted",
} as const;

/** Where the variance lies, as bars. */
export const charts = {
  heading: "Variance breakdown",
  byArea: "Variance by area, in units",
  impacts: (currency: string) => `Ten largest cost impacts of what was counted, in ${currency}`,
  notFound: "Not found",
  severalAreas: "Several areas",
  otherAreas: "Other areas",
  hint: "What was counted, to one scale. Choose a bar or its name to see its rows.",
  places: (places: number) => countText(places, "area", "areas"),
  neverCounted: (skus: string, figures: string) =>
    `Not among these ten, as it would dwarf them: ${skus} that nobody counted, ${figures}.`,
  onlyNeverCounted: (skus: string, figures: string) =>
    `All of the variance is stock that nobody counted: ${skus}, ${figures}.`,
  nowhere: (skus: string) => `${skus} never counted`,
  showNeverCounted: "Show What Was Never Counted",
} as const;

/** Of a session whose Shopify location was gone at its end. */
export const withoutEndStock = {
  title: "The Shopify location was gone when this session ended",
  text: "The stock at the end is not known. Variances and cost impact compare the counts with Shopify's stock and unit costs at the start, and sales since then are not taken into account. Nothing of this report can be deployed. The counts can be adjusted and exported; if the stock is at another location now, count it there.",
  short: "At the start",
  basis: "Stock at the start of the session",
  note: "Each count is compared with what Shopify had on hand when the session started, as the location was gone at the end.",
} as const;
