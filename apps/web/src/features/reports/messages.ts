import type { ScanReason, SkipReason } from "@stocktake/contract";
import { countText, quantityText } from "../../ui/formats.ts";
import { partialRollback, unclear, underway, zeroing } from "./moving-messages.ts";
import {
  controls,
  deployState,
  parts,
  stockGaps,
  summaryNotes,
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
  exporting: "Exporting...",
  deploy: "Deploy to Shopify",
  deploying: "Deploying...",
  deployed: "Deployed (Rollback to Re-enable)",
  print: "Print Report",
  autoSave: "Auto-Save",
  autoSaveText:
    "Manual count adjustments are saved immediately. You can resume later, and they are included in the deploy.",
  report: "Variance Report",
  nothingFits: "No matches",
  nothingFitsText: "No product matches this search and filter.",
  auditTitle: "Audit",
  showEverything: "Show All Variances",
  shown: (shown: string, of: string) => `${shown} of ${of}`,
  printed: (store: string, started: string, ended: string) => `${store}, ${started} to ${ended}`,
  noVariances: "No Variances Found",
  noVariancesText: "All counted items match the expected inventory levels",
  unknownProduct: "Unknown Product",
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
  resolveFailed: "Failed to resolve the scan:",
  productsFailed: "Failed to sync products",
  nothingToDeploy: "No inventory adjustments needed - all counts match expected values!",
  deployDone: (count: number) =>
    `${countText(count, "inventory adjustment was", "inventory adjustments were")} deployed to Shopify.`,
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
  notAsked:
    "Shopify did not respond in time, so this preview uses what was known at the end of the session. The deploy checks again and skips SKUs that can't be changed.",
  neverCounted: "Never counted",
  everythingCounted: "Every SKU with stock was counted.",
  partialScope: "This was a partial count: only counted products change.",
  openAreas: "Areas never closed",
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

const adjustDialog = {
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
  changedBy: (username: string, time: string) => `${username}, ${time}`,
} as const;

/** Why a count can't be saved. */
const countProblems = {
  tooLow: "Enter 0 or more",
  tooHigh: (most: string) => `Enter at most ${most}`,
  notWhole: "Enter a whole number",
} as const;

const charts = {
  heading: "Variance breakdown",
  byArea: "Variance by area, in units",
  impacts: (currency: string) => `Ten largest cost impacts, in ${currency}`,
  notFound: "Not found",
  severalAreas: "Several areas",
  otherAreas: "Other areas",
} as const;

const skipReasons: Record<SkipReason, string> = {
  UNTRACKED: "Inventory not tracked in Shopify",
  BUNDLE: "Bundle, stocked as its components",
  NOT_STOCKED: "Not stocked at this location",
  DELETED: "No longer in Shopify",
  NOT_COUNTED: "Not counted",
  COUNTED_LATER: "Counted in a later session",
  AMBIGUOUS_MOVEMENT: "Stock moved while it was being counted",
  ...uncertainReasons,
};

const scanReasons: Partial<Record<ScanReason, string>> = {
  UNKNOWN_CODE: "No product has this code",
  AMBIGUOUS_CODE: "Several products have this code",
  AREA_CLOSED: "Received after the area was closed",
  AREA_DELETED: "Its area was deleted",
  PASS_OVER: "From a count that was restarted",
  SESSION_CLOSED: "Received after the session ended",
};

const exceptions = {
  heading: "Scans That Need a Decision",
  intro: "These scans are set aside and not counted until you accept them.",
  resolve: "Resolve to Product",
  accept: "Accept",
  dismiss: "Dismiss",
  dismissTitle: "Dismiss scan?",
  dismissQuestion: (input: string) => `Are you sure you want to dismiss the scan ${input}?`,
  dismissConsequences: ["It will not be counted. It stays on record with the session."],
  more: (count: number) => `Show ${quantityText(count)} more`,
  resolveTitle: "Resolve Scan",
  search: "Product",
  searchHint: "Type a title, SKU or barcode",
  area: "Area",
  nothingFound: "No matching product.",
  save: "Accept as This Product",
  locked: "Scans can't be accepted or dismissed while the report is deployed. Roll back first.",
} as const;

/** Deciding on scans: asked before, told after. */
const decisions = {
  acceptTitle: "Accept scan?",
  acceptQuestion: (scan: string) => `Are you sure you want to accept this scan of ${scan}?`,
  acceptConsequences: (area: string) => [
    `It is then counted in area ${area}.`,
    "An accepted scan can't be removed again. The count can still be adjusted by hand.",
  ],
  afterEnd:
    "It was scanned after the session's end. If Shopify's stock has moved since, the row becomes uncertain and is left out of a deploy until you decide.",
  accepted: (count: number) =>
    count === 1
      ? "The scan was accepted and is now in the count."
      : `${quantityText(count)} scans were accepted and are now in the count.`,
  acceptedBesideHand: (count: number, sku: string, byHand: string) =>
    `${count === 1 ? "The scan was" : `${quantityText(count)} scans were`} accepted. The count of ${sku} was set by hand and stays ${byHand}: adjust it if it does not include ${count === 1 ? "this scan" : "them"}.`,
  dismissed: (count: number) =>
    count === 1 ? "The scan was dismissed." : `${quantityText(count)} scans were dismissed.`,
  applyToAll: (count: number) => `Apply to all ${quantityText(count)} scans of this code`,
  ownAreas: "Each is counted in the area where it was scanned.",
} as const;

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
} as const;

/** The SKUs of an adjustment that did not move, and what can be done about them. */
const openRows = {
  notMoved: (count: string) => `${count} not moved – see why`,
  notMovedBack: (count: string) => `${count} not moved back – see why`,
  notDeployed: (count: string) => `${count} not deployed – see why`,
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
  deployDialog,
  rollbackDialog,
  adjustDialog,
  countProblems,
  controls,
  totals,
  parts,
  deployState,
  charts,
  skipReasons,
  uncertain,
  stockGaps,
  summaryNotes,
  scanReasons,
  exceptions,
  decisions,
  notices,
  unclear,
  zeroing,
  partialRollback,
  underway,
  openRows,
} as const;
