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
  basis: {
    label: "Deploy the variance against",
    end: "Stock at the end of the session",
    count: "Stock at the moment of counting",
    countNote:
      "Rows whose stock moved while they were counted are left out until their count is adjusted by hand.",
  },
  notDeployedHeading: "Not Deployed",
} as const;

export const deployTexts = {
  title: "Deploy to Shopify?",
  question: "Are you sure you want to deploy? This updates the inventory levels in Shopify.",
  confirm: "Deploy to Shopify",
  rollbackLater: "A deploy can be rolled back in the Adjustment History.",
  neverCounted: "Never counted",
  openAreas: "Areas never closed",
  zeroLabel: "Also set what was never counted to zero",
  zeroNote: "Only choose this when everything in the store has been counted.",
  zeroTitle: "Set what was never counted to zero?",
  zeroConfirm: "Set to Zero and Deploy",
  exceptions: "Scans that wait for a decision are not in the count",
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
  COUNTED_LATER: "A later session counted it",
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
  accepted: "The scan was accepted and is in the count now.",
  dismissed: "The scan was dismissed.",
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

export const unclearTexts = {
  heading: "Rows That Need a Look",
  intro:
    "Shopify gave no clear answer for these. Look at the stock history of the SKU in Shopify, then say here whether the change was made.",
  moved: "Change Was Made",
  notMoved: "Change Was Not Made",
  refusedHeading: "Refused by Shopify",
} as const;
