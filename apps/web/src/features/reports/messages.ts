import { type ReportSummary, type SkipReason, skipMessages } from "@stocktake/contract";
import { countText, quantityText } from "../../ui/formats.ts";
import { movedAfterCount, partialRollback, unclear, underway, zeroing } from "./moving-messages.ts";
import {
  adjustDialog,
  charts,
  controls,
  countedAreas,
  deployState,
  parts,
  stockGaps,
  summaryNotes,
  swaps,
  totals,
  uncertain,
  uncertainReasons,
} from "./table/messages.ts";

/** Messages of the reports page (specification, sections 2, 8 and 9). */
const page = {
  title: "Reports & Analytics",
  subtitle: "View variance reports and inventory adjustments",
  selectSession: "Select Session",
  noSessions: "No Completed Sessions",
  noSessionsText: "Complete a counting session to generate reports",
  unknownStore: "Unknown Store",
  selected: "Selected",
  showAllSessions: (count: number) => `Show all ${quantityText(count)} sessions`,
  actions: "Report Actions",
  exportCsv: "Export CSV",
  exportScans: "Export Scans",
  exportScansFailed: "Failed to export the scans",
  exporting: "Exporting...",
  deploy: "Deploy to Shopify",
  deploying: "Deploying...",
  deployed: "Deployed (Rollback to Re-enable)",
  print: "Print Report",
  moreActions: "More",
  autoSave: "Auto-Save",
  autoSaveText:
    "Manual count adjustments are saved immediately. You can resume later, and they are included in the deploy.",
  report: "Variance Report",
  nothingFits: "No matches",
  nothingFitsText: "No product matches this search and filter.",
  auditTitle: "Audit",
  stillCounting: "This session is still counting. It has a report once it has ended.",
  notFound: "The session of this link was not found here.",
  showEverything: "Show All Variances",
  shown: (shown: string, of: string) => `${shown} of ${of}`,
  noVariances: "No Variances Found",
  noVariancesText: "All counted items match the expected inventory levels",
  /** Beside the 0 of what nobody counted: it may lie there all the same. */
  notCounted: "not counted",
  adjust: "Adjust Count",
  history: "Adjustment History",
  noHistory: "Nothing has been deployed from this report yet.",
  rollback: "Rollback",
  rollingBack: "Rolling Back...",
  fetchFailed: "Failed to fetch data",
  reportFailed: "Failed to fetch variance report",
  exportFailed: "Failed to export CSV",
  deployFailed: "Failed to deploy to Shopify:",
  rollbackFailed: "Failed to rollback adjustment:",
  adjustFailed: "Failed to adjust count:",
  basisFailed: "Failed to change the comparison point:",
  settleFailed: "Failed to record the outcome:",
  nothingToDeploy: "No inventory adjustments needed - all counts match expected values!",
  deployDone: (count: number) =>
    `${countText(count, "inventory adjustment was", "inventory adjustments were")} deployed to Shopify.`,
  nothingDeployed: "Nothing was deployed: what differs was left out. The reasons are below.",
  deployEnded: "The deploy has ended. See Adjustment History for the result.",
  deployedPartly: (count: number) =>
    `${countText(count, "inventory adjustment was", "inventory adjustments were")} sent to Shopify. Adjustment History lists what did not move or is to be looked up.`,
  rollbackDone: (count: number) =>
    `${countText(count, "inventory adjustment was", "inventory adjustments were")} rolled back.`,
  adjusted: (sku: string, before: number, after: number) =>
    `The count of ${sku} was changed from ${quantityText(before)} to ${quantityText(after)}.`,
  resume: "Resume",
  resuming: "Resuming...",
  resumeFailed: "Failed to resume:",
  resumed: "Resumed. See Adjustment History for the result.",
  nothingResumed: "Nothing could be moved. See Adjustment History for the reason.",
  basis: {
    label: "Compare counts with",
    short: "Comparison, Auto-Save",
    inShort: { end: "At the end", count: "When counted" },
    end: "Stock at the end of the session",
    count: "Stock at the time of counting",
    endNote: "Each count is compared with what Shopify had on hand when the session ended.",
    countHint:
      "Each count is compared with what Shopify had on hand when it was counted, so sales during the session make no difference.",
    countNote:
      "SKUs whose stock moved while they were being counted are not deployed until their count is adjusted by hand.",
  },
  notDeployed: (count: number) => `Not Deployed (${quantityText(count)})`,
  whichAndWhy: "Show which ones and why",
} as const;

const deployDialog = {
  title: "Deploy to Shopify?",
  question: "Are you sure you want to deploy? This updates the inventory levels in Shopify.",
  confirm: "Deploy to Shopify",
  rollbackLater: "A deploy can be rolled back in the Adjustment History.",
  loading: "Working out what would change",
  previewFailed: "Failed to work out what would change:",
  coverageNotRead: "Coverage certificate: what is open could not be read",
  notAsked:
    "Shopify did not respond in time, so this preview uses what was known at the end of the session. The deploy checks again and skips SKUs that can't be changed.",
  neverCounted: "Never counted",
  uncountedLeftOut: (count: number) =>
    `${countText(count, "more SKU was never counted: it is", "more SKUs were never counted: they are")} among those that won't be deployed.`,
  everythingCounted: "Every SKU with stock was counted.",
  partialScope: "This was a partial count: only counted products change.",
  openAreas: "Areas never closed",
  onPurpose: "Areas not counted on purpose",
  units: (above: string, below: string, money: string | null, withoutCost: number) => {
    const units = `That is ${zeroing.upAndDown(above, below)}`;
    if (money === null) return withoutCost === 0 ? `${units}.` : `${units}, at an unknown cost.`;
    return `${units}, ${money} at cost${withoutCost === 0 ? "" : totals.withoutCost(withoutCost)}.`;
  },
  noOpenAreas: "No area was left open.",
  noAreas: "The store had no areas, so nobody confirmed that everything was counted.",
  skipped: (count: number) => `${countText(count, "SKU", "SKUs")} won't be deployed`,
  ofUncounted: (count: string) => `${count} never counted`,
  ofSkipped: (count: string) => `${count} skipped`,
  zeroLabel: "Also set uncounted products to zero",
  zeroNote: "Only choose this if everything in the store has been counted.",
  zeroTitle: "Set uncounted products to zero?",
  zeroConfirm: "Set to Zero and Deploy",
  exceptions: (count: number) =>
    count === 1
      ? "1 scan that needs a decision is not in the count."
      : `${quantityText(count)} scans that need a decision are not in the count.`,
  chunks: (done: string, of: string) => `${done} of ${of} chunks done`,
} as const;

const rollbackDialog = {
  title: "Roll back?",
  question:
    "Are you sure you want to roll back this adjustment? This reverses all inventory changes it made.",
  consequences: [
    "Sales and deliveries since then are kept.",
    "The report can be changed and deployed again afterwards.",
  ],
  confirm: "Rollback",
  loading: "Checking Shopify's stock",
  previewFailed: "Failed to check Shopify's stock:",
  withoutPreview:
    "You can still roll back: exactly what was deployed is reversed, and sales since then are kept. It just isn't known which SKUs have moved or would go below zero.",
  calm: (skus: string) => `Nothing has moved since the deploy. The rollback reverses its changes to ${skus}.`,
  negative: "Would go below zero",
  negativeText: (skus: string) =>
    `${skus}: the rollback would remove more than is in stock. Check before you roll back.`,
  cannotMove: "Can't be rolled back",
  cannotMoveText: (skus: string) =>
    `${skus}: Shopify can no longer change the stock, so the rollback stays incomplete until it is settled.`,
  unknown: "Confirmed by hand",
  unknownText: (skus: string) => `${skus}: it is not known how much the stock has moved since the deploy.`,
  moved: "Moved since the deploy",
  movedText: (skus: string) =>
    `${skus}: sold, received or otherwise changed. Those movements are kept; only the deployed change is reversed.`,
  unfinished: (checked: string, of: string) =>
    `Shopify was too slow: only ${checked} of ${of} SKUs were checked. The others are rolled back anyway.`,
  checkAgain: "Check Again",
  table: "SKUs that have moved or need checking",
  listed: (listed: string, of: string) => `The ${listed} most serious of ${of} are listed.`,
  belowZero: "Below zero",
  notRolledBack: "Not rolled back",
  asOf: (time: string) => `Shopify's stock as of ${time}.`,
} as const;

/** Why a count can't be saved. */
const countProblems = {
  tooLow: "Enter 0 or more",
  tooHigh: (most: string) => `Enter at most ${most}`,
  notWhole: "Enter a whole number",
} as const;

const skipReasons: Record<SkipReason, string> = { ...skipMessages, ...uncertainReasons };

/** What waits for a person, said at the top of the report. */
const notices = {
  decisions: (count: number) => countText(count, "scan needs a decision", "scans need a decision"),
  notInCount: "Until then they are not counted and not deployed.",
  notInDeploy: "They were not part of the deployed count. Roll back first to review them.",
  toDecisions: "Go to These Scans",
  incomplete: "The deploy is not complete",
  notMoved: (count: number) =>
    count === 1
      ? "1 SKU was not updated. Resume the deploy, or leave it as it is."
      : `${quantityText(count)} SKUs were not updated. Resume the deploy, or leave them as they are.`,
  unclear: "Shopify gave no clear answer for some SKUs. Check whether they were updated.",
  toHistory: "Go to Adjustment History",
  openAreas: {
    text: ({ items, units, belowZero = 0 }: ReportSummary["notCounted"]) => {
      const inStock = items - belowZero;
      const less =
        belowZero === 0
          ? ""
          : ` ${countText(belowZero, "SKU that was not counted has", "SKUs that were not counted have")} less than nothing in stock in Shopify.`;
      if (inStock === 0) return `Everything that Shopify had in stock was counted elsewhere.${less}`;
      return `What lies there shows as missing, though it may not be: ${countText(inStock, "SKU", "SKUs")} with ${countText(units, "unit", "units")} were counted in no area. They are not deployed unless you choose so.${less}`;
    },
    link: "Show What Was Not Counted",
  },
  uncertain: {
    title: (count: number) => `${countText(count, "SKU", "SKUs")} won't be deployed until you decide`,
    text: (someIncludable: boolean) =>
      `What was counted, or what it is compared with, is not sure. Check the shelf and adjust the count${someIncludable ? ", or press Include where the row has it to deploy the count as it is" : ""}.`,
    link: "Show Uncertain Rows",
  },
  counts: {
    title: (count: number) =>
      `${countText(count, "figure differs", "figures differ")} between the counts of an area`,
    text: "The first count is in the report, and its row is uncertain until you choose one.",
    notInDeploy: "Nobody had chosen one when the report was deployed. Roll back first to choose.",
    link: "Choose",
    look: "Show the Counts",
  },
} as const;

/** The SKUs of an adjustment that did not move, and what can be done about them. */
const openRows = {
  notMoved: (count: string) => `${count} not moved – see why`,
  notMovedBack: (count: string) => `${count} not moved back – see why`,
  notDeployed: (count: string) => `${count} not deployed – see why`,
  unnamed: (count: number, named: number) =>
    named === 0 ? countText(count, "SKU", "SKUs") : `and ${quantityText(count)} more`,
  nothingToMove:
    "Nothing left to change, not possible in Shopify, or changed by another count in the meantime – check in Shopify",
  unclear: "Outcome unknown, see below",
  refused: "Refused by Shopify",
  leave: "Leave as They Are",
  leaving: "Leaving...",
  leaveTitle: "Leave as they are?",
  leaveQuestion: (skus: string) =>
    `Are you sure you want to leave the stock of ${skus} as it is in Shopify? The deploy is then complete.`,
  leaveConsequences: ["The deploy can't be resumed afterwards. To include them, roll back and deploy again."],
  leaveFailed: "Failed to complete the deploy:",
  showMore: (count: string) => `Show ${count} more`,
} as const;

/** Every text of the feature, one object of them. */
export const messages = {
  ...page,
  samples: { title: "Control Samples", failed: "Failed to fetch data" },
  countAgain: {
    title: "What to Count Again",
    failed: "Failed to fetch data",
    intro:
      "SKUs whose count or stock shows a sign of a mistake, the most money first. A difference that is only large is among them where a tolerance says how large is too large; the Variance Report has every one.",
    titleOf: (skus: string) => `What to Count Again (${skus})`,
    looking: "Looking for counts that look like a mistake...",
    none: "No count looks like a mistake.",
    show: (count: number) => (count === 1 ? "Show It" : `Show the First ${quantityText(count)}`),
    hide: "Hide",
    all: (total: string) => `Show All (${total})`,
    marked: (skus: string) => `${skus} marked for a follow-up.`,
    toMarked: "Open the List",
  },
  auditorsFile: {
    text: "Everything that this count is made of in one file, and a page that verifies it without this server.",
    write: "Save Auditor's File",
    writing: "Saving...",
    failed: "Failed to save the auditor's file",
    verifier: "Save Its Verifier",
    verifierName: "verify-auditors-file.html",
  },
  deployDialog,
  movedAfterCount,
  rollbackDialog,
  adjustDialog,
  countProblems,
  controls,
  swaps,
  totals,
  parts,
  deployState,
  charts,
  countedAreas,
  skipReasons,
  uncertain,
  stockGaps,
  summaryNotes,
  notices,
  unclear,
  zeroing,
  partialRollback,
  underway,
  openRows,
} as const;
