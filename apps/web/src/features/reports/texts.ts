import type { ScanReason, SkipReason } from "@stocktake/contract";

/** The words of the reports page (specification, sections 2, 8 and 9). */
export const texts = {
  title: "Reports & Analytics",
  subtitle: "View variance reports and inventory adjustments",
  selectSession: "Select Session",
  noSessions: "No Completed Sessions",
  noSessionsText: "Complete a counting session to generate reports",
  unknownStore: "Unknown Store",
  selected: "Selected",
  showAllSessions: (count: number) => `Show all ${count} sessions`,
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
  nothingFits: "Nothing Fits",
  nothingFitsText: "No product fits this search and filter.",
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
  basisFailed: "Failed to change what is deployed:",
  settleFailed: "Failed to settle the row:",
  resolveFailed: "Failed to resolve the scan:",
  productsFailed: "Failed to sync products",
  nothingToDeploy: "No inventory adjustments needed - all counts match expected values!",
  deployDone: (count: number) =>
    count === 1
      ? "1 inventory adjustment was deployed to Shopify."
      : `${count} inventory adjustments were deployed to Shopify.`,
  rollbackDone: (count: number) =>
    count === 1
      ? "1 inventory adjustment was rolled back."
      : `${count} inventory adjustments were rolled back.`,
  adjusted: (sku: string, before: number, after: number) =>
    `The count of ${sku} was changed from ${before} to ${after}.`,
  resume: "Resume",
  resuming: "Resuming...",
  resumeFailed: "Failed to resume the deploy:",
  resumed: "The deploy was resumed. The Adjustment History says what came of it.",
  nothingResumed: "A later session has counted what was left, so nothing was changed.",
  basis: {
    label: "Deploy the variance against",
    end: "Stock at the end of the session",
    count: "Stock at the moment of counting",
    endNote: "Each count is compared with what Shopify had on hand when the session ended.",
    countHint:
      "Each count is compared with what Shopify had on hand when it was counted, so that sales during the session make no difference.",
    countNote:
      "Rows whose stock moved while they were counted are left out until their count is adjusted by hand.",
  },
  notDeployed: (count: number) => `Not Deployed (${count})`,
  whichAndWhy: "Show which and why",
} as const;

export const deployTexts = {
  title: "Deploy to Shopify?",
  question: "Are you sure you want to deploy? This updates the inventory levels in Shopify.",
  confirm: "Deploy to Shopify",
  rollbackLater: "A deploy can be rolled back in the Adjustment History.",
  looking: "Working out what would change",
  lookFailed: "Failed to work out what would change:",
  notAsked:
    "Shopify did not say in time which SKUs it can change, so this goes by the end of the session. The deploy looks again and leaves alone what can't be changed.",
  neverCounted: "Never counted",
  everythingCounted: "Every SKU with stock was counted.",
  partialScope: "This was a partial count: only what was counted is changed.",
  openAreas: "Areas never closed",
  noOpenAreas: "No area was left open.",
  noAreas: "The store had no areas, so nobody declared that everything was counted.",
  skipped: (skus: string) => `${skus} left out`,
  ofUncounted: (count: string) => `${count} never counted`,
  ofLeftOut: (count: string) => `${count} left out`,
  zeroLabel: "Also set what was never counted to zero",
  zeroNote: "Only choose this when everything in the store has been counted.",
  zeroTitle: "Set what was never counted to zero?",
  zeroConfirm: "Set to Zero and Deploy",
  exceptions: "Scans that wait for a decision are not in the count",
  chunks: (done: string, of: string) => `${done} of ${of} chunks done`,
  goesOn: "The work goes on when you leave this page.",
} as const;

export const rollbackTexts = {
  title: "Roll back?",
  question:
    "Are you sure you want to roll back this adjustment? This reverses all inventory changes it made.",
  consequences: [
    "Sales and deliveries since then stay as they are.",
    "The report can be changed and deployed again afterwards.",
  ],
  confirm: "Rollback",
  looking: "Looking at Shopify's stock",
  lookFailed: "Failed to look at Shopify's stock:",
  withoutLook:
    "You can roll back without this look: exactly what was deployed is taken back, and sales since then stay. Only which SKUs have moved or would go below zero is not known.",
  calm: (skus: string) =>
    `Nothing has moved since the deploy. The rollback takes back what it did to ${skus}.`,
  negative: "Would go below zero",
  negativeText: (skus: string) =>
    `${skus}: the rollback takes away more than is left. Look there before you roll back.`,
  cannotMove: "Can't be moved back",
  cannotMoveText: (skus: string) => `${skus}: Shopify can't change the stock any more, so it stays as it is.`,
  unknown: "Settled by hand",
  unknownText: (skus: string) => `${skus}: it is not known how far the stock has moved since the deploy.`,
  moved: "Moved since the deploy",
  movedText: (skus: string) =>
    `${skus}: sold, received or changed otherwise. Those movements stay; only the deployed change is taken back.`,
  unfinished: (checked: string, of: string) =>
    `Shopify was too slow: only ${checked} of ${of} SKUs were looked at. The others are rolled back all the same.`,
  lookAgain: "Look Again",
  table: "SKUs that have moved or need a look",
  listed: (listed: string, of: string) => `The ${listed} gravest of ${of} are listed.`,
  belowZero: "Below zero",
  leftOut: "Left out",
  asOf: (time: string) => `Shopify's stock at ${time}.`,
} as const;

export const adjustTexts = {
  title: "Adjust Count",
  current: "Current Count",
  newCount: "New Count",
  reason: "Reason (Optional)",
  foundIn: "Found in Areas",
  foundNowhere: "Found in no area",
  cancel: "Cancel",
  save: "Save Adjustment",
  saving: "Saving...",
  history: "Earlier Adjustments",
  historyFailed: "Failed to fetch data",
  changedBy: (username: string, time: string) => `${username}, ${time}`,
} as const;

/** Why a count can't be saved. */
export const countTexts = {
  tooLow: "Enter 0 or more",
  tooHigh: (most: string) => `Enter at most ${most}`,
  notWhole: "Enter a whole number",
} as const;

export const controlTexts = {
  search: "Search",
  searchHint: "Title, size or SKU",
  filter: "Show",
  filters: {
    variances: "Variances",
    all: "All products",
    not_counted: "Not counted",
    shortages: "Shortages",
    overages: "Overages",
  },
  sort: "Sort by",
  sorts: { product: "Product", impact: "Cost impact" },
} as const;

export const chartTexts = {
  heading: "Where the Variance Lies",
  byArea: "Variance by area, in units",
  impacts: (currency: string) => `Ten largest cost impacts, in ${currency}`,
  notFound: "Not found",
  severalAreas: "Several areas",
  otherAreas: "Other areas",
} as const;

export const skipReasonTexts: Record<SkipReason, string> = {
  UNTRACKED: "Shopify does not track its inventory",
  BUNDLE: "It is a bundle; its parts carry the stock",
  NOT_STOCKED: "It is not stocked at this location",
  DELETED: "It no longer exists in Shopify",
  NOT_COUNTED: "It was never counted",
  COUNTED_LATER: "A later session has it in its count",
  AMBIGUOUS_MOVEMENT: "Its stock moved while it was counted",
};

export const scanReasonTexts: Partial<Record<ScanReason, string>> = {
  UNKNOWN_CODE: "No product has this code",
  AMBIGUOUS_CODE: "Several products have this code",
  AREA_CLOSED: "Arrived after the area was closed",
  AREA_DELETED: "Its area was deleted",
  PASS_OVER: "Belongs to a count that was started again",
  SESSION_CLOSED: "Arrived after the session had ended",
};

export const exceptionTexts = {
  heading: "Scans That Need a Decision",
  intro: "These scans are kept apart and are not in the count until you accept them.",
  resolve: "Resolve to Product",
  accept: "Accept",
  dismiss: "Dismiss",
  dismissTitle: "Dismiss scan?",
  dismissQuestion: (input: string) => `Are you sure you want to dismiss the scan ${input}?`,
  dismissConsequences: ["It never enters the count. It stays stored with the session."],
  more: (count: number) => `Show ${count} more`,
  resolveTitle: "Resolve Scan",
  search: "Product",
  searchHint: "Type a title, SKU or barcode",
  area: "Area",
  nothingFound: "No product fits.",
  save: "Accept as This Product",
  locked: "While the report is deployed, scans can't be decided on. Roll back first.",
} as const;

/** Deciding on scans: asked before, told after. */
export const decisionTexts = {
  acceptTitle: "Accept scan?",
  acceptQuestion: (scan: string) => `Are you sure you want to accept this scan of ${scan}?`,
  acceptConsequences: (area: string) => [
    `It is in the count from then on, in area ${area}.`,
    "An accepted scan can't be taken out again. The count can still be adjusted by hand.",
  ],
  accepted: (count: number) =>
    count === 1
      ? "The scan was accepted and is in the count now."
      : `${count} scans were accepted and are in the count now.`,
  acceptedBesideHand: (count: number, sku: string, byHand: string) =>
    `${count === 1 ? "The scan was" : `${count} scans were`} accepted. The count of ${sku} was set by hand and stays ${byHand}: adjust it where it does not include ${count === 1 ? "this scan" : "them"}.`,
  dismissed: (count: number) => (count === 1 ? "The scan was dismissed." : `${count} scans were dismissed.`),
  resolveAlike: (count: number) => `Resolve all ${count} scans of this code alike`,
  dismissAlike: (count: number) => `Dismiss all ${count} scans of this code alike`,
  ownAreas: "Each counts in the area where it was scanned.",
} as const;

/** What waits for a person, said at the top of the report. */
export const noticeTexts = {
  decisions: (count: number) => (count === 1 ? "1 scan needs a decision" : `${count} scans need a decision`),
  notInCount: "Until then they are not in the count, and not in a deploy.",
  notInDeploy: "They are not in the count that was deployed. Roll back first to decide on them.",
  toDecisions: "Go to These Scans",
  incomplete: "The deploy is not complete",
  notMoved: (count: number) =>
    count === 1
      ? "1 SKU has not moved. Resume the deploy, or leave it as it is."
      : `${count} SKUs have not moved. Resume the deploy, or leave them as they are.`,
  unclear: "Shopify gave no clear answer for some SKUs. Say whether they have moved.",
  toHistory: "Go to Adjustment History",
} as const;

export const unclearTexts = {
  heading: "Rows That Need a Look",
  intro:
    "Shopify gave no clear answer for these. Look at the stock history of the SKU in Shopify, then say here whether the change was made.",
  moved: "Change Was Made",
  notMoved: "Change Was Not Made",
  rollback: "of the rollback",
} as const;

/** The SKUs of an adjustment that did not move, and what can be done about them. */
export const openRowTexts = {
  notMoved: (skus: string) => `Which did not move, and why (${skus})`,
  notMovedBack: (skus: string) => `Which did not move back, and why (${skus})`,
  leftOut: (skus: string) => `Which were left out, and why (${skus})`,
  nothingToMove:
    "Nothing was left to move when it was deployed, Shopify could not move it, or another count had moved it meanwhile: look in Shopify",
  unclear: "Not known whether it moved; see below",
  refused: "Shopify refused it",
  leave: "Leave as They Are",
  leaving: "Leaving...",
  leaveTitle: "Leave as they are?",
  leaveQuestion: (skus: string) =>
    `Are you sure you want to leave the stock of ${skus} as it is in Shopify? The deploy is complete without it then.`,
  leaveConsequences: ["What is left can't be resumed afterwards. Roll back and deploy again to include it."],
  leaveFailed: "Failed to leave the rows:",
  showMore: (count: string) => `Show ${count} more`,
} as const;
