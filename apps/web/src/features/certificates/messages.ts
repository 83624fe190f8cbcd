import type { AreaStatement, CoverageKind, CoveredAreaState, DeviceQueueState } from "@stocktake/contract";
import { countText, quantityText } from "../../ui/formats.ts";

const skus = (count: number) => countText(count, "SKU", "SKUs");
const areas = (count: number) => countText(count, "area", "areas");

/** What is to be done about what is open, by its kind. */
const todo: Record<CoverageKind, string> = {
  restored: "Open the report, compare it with Shopify's stock and release the session there.",
  areas: "Have them counted, or say below why they are not.",
  empty_areas:
    "They were closed with nothing in them. Confirm that below, or have them counted a second time.",
  stock: "Have it looked for, or leave it alone on purpose below.",
  second_counts: "Wait until they are finished, or cancel them.",
  samples: "Wait until its areas are counted again, or declare it void.",
  differences: "Choose which count is right.",
  cut_off_counts: "Say below why the session does without them.",
  beyond_tolerance:
    "Ask for a second count of them. What nobody can count again before the end can be counted by hand after it, or done without.",
  sheets: "Key what came back, and declare void what is lost.",
  exceptions: "Accept or dismiss them.",
  devices:
    "Open Stocktake on each of them with a connection, until everything is sent. If one can't connect, save its queue as a file there and import that under Sessions (Import a device's scans). If one is lost or broken and there is no such file, this session can have no certificate; its report and its deploy are not affected.",
  unknown_devices:
    "Open Stocktake on each of them with a connection. Where that tells nothing or can't be done, look at the device, and say below why nothing is left to send.",
};

/** Of a session that has ended, where that is something else: nobody counts, looks or keys any more. */
const todoAfterEnd: Partial<Record<CoverageKind, string>> = {
  areas:
    "Say below why they were not counted. Of one in which something was counted nothing can be said any more.",
  empty_areas: "They were closed with nothing in them. Confirm that below.",
  stock:
    "Count it by hand in the report, decide there what was said of it, or leave it alone on purpose below.",
  beyond_tolerance:
    "Count them by hand in the report, or say below why the session does without another count.",
  sheets:
    "Nothing can be keyed any more: declare void what is out. What was written on them can be counted by hand in the report.",
};

/** Of one whose report is deployed. */
const todoDeployed: Partial<Record<CoverageKind, string>> = {
  stock:
    "The report is deployed. Roll the deploy back first: then count it by hand in the report, decide there what was said of it, or leave it alone on purpose below.",
  differences: "The report is deployed. Roll the deploy back first: then choose which count is right.",
  beyond_tolerance:
    "Say below why the session does without another count. To count them by hand in the report, roll the deploy back first.",
  sheets:
    "Nothing can be keyed any more: declare void what is out. To count by hand in the report what was written on them, roll the deploy back first.",
  exceptions: "The report is deployed. Roll the deploy back first: then accept or dismiss them.",
};

const toPage: Partial<Record<CoverageKind, string>> = {
  restored: "To the Report",
  areas: "To the Session",
  empty_areas: "To the Second Counts",
  stock: "To the Searches",
  second_counts: "To the Second Counts",
  samples: "To the Second Counts",
  differences: "To the Second Counts",
  beyond_tolerance: "To the List to Count Again",
  sheets: "To the Count Sheets",
  exceptions: "To the Scans",
  devices: "To the Sessions",
  unknown_devices: "To the Sessions",
};

const toPageAfterEnd: Partial<Record<CoverageKind, string>> = {
  stock: "To the Report",
  beyond_tolerance: "To the Report",
};

const states: Record<CoveredAreaState, string> = {
  counted: "Counted",
  empty: "Empty",
  empty_once: "Closed empty, not confirmed",
  void: "Not counted on purpose",
  left_out: "Left out by the plan",
  not_counted: "Not counted",
};

/** What became of a SKU, as a certificate's text has it. */
const stockStates: Readonly<Record<string, string>> = {
  counted: "counted",
  not_there: "not there",
  zeroed: "set to zero by a deploy",
  left_alone: "left alone",
  outside: "outside of the count",
};

/** What was stated about an area. */
const statements: Record<AreaStatement, string> = {
  empty: "Confirmed as empty",
  void: "Not counted on purpose",
  without_second_count: "Does without the second count",
};

const actions: Record<AreaStatement, string> = {
  empty: "Confirm Empty",
  void: "Don't Count…",
  without_second_count: "Do Without…",
};

/** What is known of a device's queue. */
const queueStates: Record<DeviceQueueState, string> = {
  empty: "Nothing left to send",
  holds: "Holds something",
  never_heard: "Opened an area, and was never heard of since",
  scans_alone: "Tells of scans alone, as its app is of an earlier release",
};

/** Texts of the page on which a session is worked off until nothing is open. */
export const messages = {
  title: "Coverage",
  subtitle: (store: string) => `What the count of ${store} leaves open`,
  back: "Back to Sessions",
  toReport: "Back to the Report",
  missing: "No Such Session",
  missingText: "It may have been deleted. Go back and choose another one.",
  failed: "Failed to fetch data",
  intro:
    "A coverage certificate says that nothing was left out: every area is counted, empty or not counted on purpose, everything in stock is counted, looked for or left alone on purpose, every device is known to have sent everything or accounted for, and nothing waits anywhere. It is never valid while anything is open.",
  certificate: {
    heading: "Certificate",
    afterEnd: "It can be issued once the session has ended and nothing is open.",
    ready: "Nothing is open.",
    issue: "Issue Certificate",
    issuing: "Issuing…",
    issueFailed: "Failed to issue the certificate",
    issued: (version: number) => `Version ${version} of the coverage certificate was issued.`,
    versions: "Versions of the certificate",
    version: "Version",
    hash: "Hash",
    when: "Issued",
    changes: "What Changed",
    first: "First version",
    notCompared: "Save it to see what changed: it can't be read here.",
    changed: (count: number) => (count === 0 ? "No SKU" : `${skus(count)}`),
    nothing: "not listed",
    states: stockStates,
    was: (state: string, units: number) => `${state} (${quantityText(units)})`,
    why: (by: string, reason: string | null) => (reason === null ? ` – ${by}` : ` – ${by}: ${reason}`),
    from: (name: string, from: string, to: string) => `${name}: ${from} to ${to}`,
    server: "the server",
    isValid: "Holds",
    isOver: "No longer holds",
    state: "State",
    rowMessages: ["version", "versions"],
    save: "Save",
    saveFor: (version: number) => `Save version ${version}`,
    file: (session: string, version: number) => `certificate-${session}-${version}.json`,
  },
  open: {
    heading: (count: string) => `Still Open (${count})`,
    none: "Nothing Is Open",
    noneText: "Every area, all stock and every device is accounted for.",
    todo: (kind: CoverageKind, { hasEnded, isDeployed }: { hasEnded: boolean; isDeployed: boolean }) =>
      (isDeployed ? todoDeployed[kind] : null) ?? (hasEnded ? todoAfterEnd[kind] : null) ?? todo[kind],
    toPage: (kind: CoverageKind, hasEnded: boolean) =>
      (hasEnded ? toPageAfterEnd[kind] : null) ?? toPage[kind],
    andMore: (count: number) => `and ${quantityText(count)} more`,
  },
  areas: {
    heading: (count: string) => `Areas To Account For (${count})`,
    decided: (count: string) => `Areas Decided On (${count})`,
    table: "Areas to account for",
    decidedTable: "Areas decided on",
    area: "Area",
    state: "State",
    states,
    cutOff: "second count cut off",
    impossible: "This session can have no certificate",
    impossibleText: (codes: string) =>
      `Something was counted in ${codes}, and nobody had closed it when the session ended: nobody can say any more that all of it was counted. If all that counts there are late scans that were accepted, take that back in the report. Otherwise count it again in a session of its own: start a follow-up of some SKUs from the list of what to count again, or count the store again.`,
    toCountAgain: "To the List of What to Count Again",
    partly: "Something was counted in it, and nobody has closed it.",
    action: "Action",
    actions,
    stateFor: (action: string, area: string) => `${action.replace("…", "")}: ${area}`,
    all: (count: number) => `Confirm All ${quantityText(count)} Empty`,
    voidAll: (count: number) => `Don't Count All ${quantityText(count)}…`,
    failed: "Failed to save",
    title: { void: "Not count these areas?", without_second_count: "Do without the second count?" },
    text: {
      void: "The certificate names them, with your reason. A scan in one of them is kept as ever, and opens it again.",
      without_second_count: "The certificate says that it was asked for and not made, with your reason.",
    },
    which: (codes: string) => `Areas: ${codes}`,
    reason: "Reason",
    save: "Save",
    saving: "Saving…",
    statementsHeader: "Statements",
    statements,
    by: (by: string, at: string) => `${by}, ${at}`,
    noLonger: "no longer holds",
    takeBack: "Take Back",
    takeBackFor: (area: string, statement: string) => `Take back: ${area}, ${statement.toLowerCase()}`,
    rowMessages: ["area", "areas"],
    count: areas,
  },
  devices: {
    heading: (count: string) => `Devices To Account For (${count})`,
    decided: (count: string) => `Devices Accounted For (${count})`,
    table: "Devices to account for",
    decidedTable: "Devices accounted for",
    device: "Device",
    state: "What Is Known",
    states: queueStates,
    holds: (pending: string) =>
      `Said last that it holds ${pending}: only sending them or importing its saved queue closes this`,
    rows: ["row", "rows"],
    opened: "Opened an Area",
    heard: "Last Heard Of",
    action: "Action",
    account: "Account For…",
    accountFor: (name: string) => `Account for: ${name}`,
    all: (count: number) => `Account for All ${quantityText(count)}…`,
    title: (count: string) => `Account for ${count}?`,
    text: "Only if you know that nothing is left to send on them, or that what they held was counted again: the certificate names each of them, with your reason. A scan of one of them that arrives later is kept as ever, and opens this again.",
    which: (names: string) => `Devices: ${names}`,
    failed: "Failed to save",
    statement: "Reason",
    noLonger: "no longer holds",
    takeBack: "Take Back",
    takeBackFor: (name: string) => `Take back: ${name}`,
    rowMessages: ["device", "devices"],
  },
  beyond: {
    heading: (count: string) => `Beyond Tolerance, Not Counted Again (${count})`,
    decided: (count: string) => `Done Without Another Count (${count})`,
    table: "Beyond tolerance, not counted again",
    decidedTable: "Done without another count",
    product: "Product",
    counted: "Counted",
    difference: "Differs By",
    action: "Action",
    doWithout: "Do Without…",
    doWithoutFor: (name: string) => `Do without another count: ${name}`,
    all: (count: number) => `Do Without for All ${skus(count)}…`,
    title: (count: string) => `Do without another count of ${count}?`,
    text: "The certificate says that they are beyond tolerance and were not counted again, with your reason. Another figure of one of them that counts later opens it again.",
    which: (name: string) => `Product: ${name}`,
    failed: "Failed to save",
    statement: "Reason",
    by: (reason: string, by: string, at: string) => `${reason} (${by}, ${at})`,
    noLonger: "no longer holds",
    takeBack: "Take Back",
    takeBackFor: (name: string) => `Take back: ${name}`,
    takeBackAll: (count: number) => `Take Back All ${skus(count)}`,
    rowMessages: ["SKU", "SKUs"],
  },
  stock: {
    heading: (count: string) => `Stock Not Accounted For (${count})`,
    leftAlone: (count: string) => `Left Alone on Purpose (${count})`,
    zeroed: (count: string) => `Set to Zero by a Deploy (${count})`,
    zeroedTable: "Stock set to zero",
    zeroedText:
      "Nobody had counted or looked for them, and the deploy of the report has set them to zero. Rolling it back opens them again.",
    zeroedBy: (by: string | null, at: string) => (by === null ? at : `${by}, ${at}`),
    table: "Stock not accounted for",
    leftTable: "Stock left alone",
    none: "Nothing Here",
    noneText: "Nothing that is in stock fits what is typed above.",
    words: "Words in Product, Size or SKU",
    vendor: "Brand",
    productType: "Product Type",
    product: "Product",
    brand: "Brand",
    onHand: "Shopify Has",
    hadOnHand: "Shopify Had",
    deployed: "Deployed",
    why: "Reason",
    select: (name: string) => `Select ${name}`,
    tooMany: (most: number) =>
      `At most ${quantityText(most)} at once. Narrow by brand, type or words instead.`,
    leave: (count: number) => `Leave ${skus(count)} Alone…`,
    leaveAll: (count: number) => `Leave All ${skus(count)} Alone…`,
    title: (count: string) => `Leave ${count} alone?`,
    text: "Nobody has counted or looked for them, and that is on purpose: the certificate says so, with your reason. Their stock stays as it is.",
    reason: "Reason",
    submit: "Leave Alone",
    busy: "Saving…",
    failed: "Failed to save",
    takeBack: "Take Back",
    takeBackFor: (name: string) => `Take back: ${name}`,
    takeBackAll: (count: number) => `Take Back All ${skus(count)}`,
    onceDeployed: "The report is deployed. Roll the deploy back first to change what is left alone.",
    by: (reason: string, by: string, at: string) => `${reason} (${by}, ${at})`,
    rowMessages: ["SKU", "SKUs"],
  },
} as const;
