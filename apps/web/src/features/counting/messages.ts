import { retention } from "../../offline/offline.ts";
import type { CameraProblem } from "../../scanner/use-camera.ts";
import { areaText, countText, namesText, quantityText } from "../../ui/formats.ts";

const operations = { undo: "An undo in", reset: "The reset of", finish: "The finish of" } as const;

/** The specification's exact messages for the counter's two screens (sections 2, 4, 5 and 8), and our own. */
export const messages = {
  selectStore: "Please select a store first",
  selectAll: "Please select store, location, and area",
  noSessionForStore: "No active counting session for this store. Please ask admin to start a session.",
  noStoreForGuest: "You don't have access to a store. Ask the administrator for an invitation.",
  noStoreForAccount:
    "No store is being counted at the moment. Ask the administrator to start a session; it appears here by itself.",
  noLocations:
    "This store has no locations yet. Ask the administrator to add one; it appears here by itself.",
  noAreas:
    "This location has no areas yet. Ask the administrator to add some; they appear here by themselves.",
  allCounted: "All areas are counted. Thank you.",
  allCountedHere: (location: string) => `All areas of ${location} are counted. Choose another location.`,
  startWaits: "Starting as soon as the products are here…",
  startWaitsForAreas: "Starting as soon as the areas are here…",
  productsComing: "The products are coming onto this device, so that you can count offline.",
  productsMissing: "Not synced on this device yet. Sync before you start, so that you can count offline.",
  syncFirst: "Please sync products before starting to count",
  selectionGone: "Selected store/location/area not found. Please refresh and try again.",
  noSession: "No active session found",
  failedStores: "Failed to fetch stores",
  failedLocations: "Failed to fetch locations",
  failedAreas: "Failed to fetch areas",
  failedSession: "Failed to fetch data",
  failedReset: "Failed to reset area:",
  resetNotSaved: "Failed to reset area: the device could not save it. Free up some space, then try again.",
  missingData: "Missing required data. Redirecting...",
  storeMissing: "Store ID missing. Cannot load products.",
  offlineProducts: "Using offline product data",
  failedProducts: "Failed to load products",
  dismiss: "Dismiss",
  ready: "READY TO SCAN",
  gettingReady: "Getting ready...",
  notReady: "Not ready yet. Scan again in a moment.",
  savedLocally: "Saved locally - will sync later",
  failedUndo: "Failed to undo scan",
  failedFinish: "Failed to submit area count",
  offline: "Offline - Scans will be saved locally",
  allSent: "All scans are sent",
  countEnded: "The count has ended.",
  countGoesOn: "The count goes on",
  goesOnNext: "Go on scanning where you left off.",
  afterEnd: (code: string) => `The count has ended. ${code} was not counted.`,
  keptForAdmin: (scans: number) =>
    scans === 1
      ? "Your last scan was kept for the administrator."
      : `Your last ${quantityText(scans)} scans were kept for the administrator.`,
  afterTheEnd: "Received after the count ended.",
  backOnline: "Back online! Syncing...",
  finishQuestion: "How many items do you think you scanned in this area?",
  unknownAside: (scans: number) =>
    scans === 1
      ? "1 unknown scan was set aside for the administrator. It is not counted."
      : `${quantityText(scans)} unknown scans were set aside for the administrator. They are not counted.`,
  unknownIncluded: (items: number, unknown: number, isAlone: boolean) => {
    const known = countText(items, "item", "items");
    const others = countText(unknown, "unknown one", "unknown ones");
    const [who, them] = [isAlone ? "You" : "All devices", unknown === 1 ? "one" : "ones"];
    return `${who} scanned ${known} and ${others}. Did you count the unknown ${them} in?`;
  },
  unknownAsked: "The unknown scans",
  unknownMeans: (scans: number) =>
    scans === 1
      ? "The unknown one waits for the administrator, and the total is compared without it."
      : "The unknown ones wait for the administrator, and the total is compared without them.",
  unknownYes: (items: number) => `Yes: submit ${quantityText(items)}`,
  unknownNo: (declared: number) => `No: submit ${quantityText(declared)}`,
  acceptedHere: (items: number) =>
    items === 1
      ? "1 item was accepted for this area by the administrator. It counts here."
      : `${quantityText(items)} items were accepted for this area by the administrator. They count here.`,
  acceptedAmong: (items: number) => `Including ${quantityText(items)} accepted by the administrator`,
  itemsNow: (items: number) => `Items Scanned is now ${quantityText(items)}`,
  acceptedNow: (items: number) =>
    `The administrator accepted ${countText(items, "item", "items")} for this area.`,
  countChanged: "The count has changed",
  finishAgain:
    "The administrator accepted scans for this area before its total arrived. Nothing was submitted and every scan is safe: open the area, check Items Scanned, and finish it again.",
  changeQuantity: (quantity: number) => `×N, change the quantity, now ${quantityText(quantity)}`,
  quantityTitle: "How many of these?",
  quantityHint: (scanned: number) => `Replaces the ${quantityText(scanned)} counted by the scan.`,
  quantityEmpty: "Enter how many there are.",
  quantityIsCode: (code: string) => `${code} looks like a barcode, not a quantity. Count it as a scan?`,
  undoTakesBack: (scan: string) => `Undo Last: ${scan}`,
  othersCounted: "Other devices counted here too. Enter the total of all devices.",
  othersChoose: "Or give your own count alone. Choose which of the two it is.",
  totalOf: "Whose count is it?",
  totalOfMine: "My own count",
  totalOfArea: "The whole area",
  totalOfFirst: "Others counted here too. Choose first: is it your own count, or the whole area?",
  whoseOwnCount: "That is what you counted. Is it the total of the whole area?",
  whoseTotal: (declared: number) =>
    `Other devices counted here too. Whose count is ${quantityText(declared)}?`,
  whoseMeans:
    "Your own count is kept until everyone who counted here has given theirs. The whole area is compared at once, and all of it is counted again where it does not match.",
  whoseMine: "It's my own count",
  whoseArea: "It's the whole area",
  ownTotalSum: "It is kept until everyone who counted here has given theirs. Then the sum is compared.",
  ownTotalKept: "Your total is kept",
  ownTotalWaits: (names: readonly string[]) =>
    `The area is finished when ${names.join(", ")} ${names.length === 1 ? "has" : "have"} given theirs.`,
  ownTotalsMissing: (given: readonly string[], missing: readonly string[]) =>
    `Own totals so far: ${given.join(", ") || "none"}. Still to come: ${missing.join(", ")}.`,
  yours: "yours",
  ownDevices: (devices: number) =>
    `You counted on ${quantityText(devices)} devices here. Your own count is what you scanned on all of them together.`,
  sharedDevice: (names: readonly string[]) =>
    `${names.join(", ")} counted with this device too. Your own count is only what you scanned yourself.`,
  othersHold: (holding: number, devices: number) =>
    devices === 1
      ? "still has scans to send"
      : `${quantityText(holding)} of them still ${holding === 1 ? "has" : "have"} scans to send`,
  othersSilent: (since: string) => `not heard of since ${since}, may have scans to send`,
  othersWait: "Wait until their scans are sent: a total with scans that are missing does not match.",
  here: (units: number, isAlone: boolean) =>
    `${quantityText(units)}\u00a0here${isAlone ? "" : " on this device"}`,
  alreadyHere: (units: number, isAlone: boolean) => `already ${messages.here(units, isAlone)}`,
  foundProducts: (shown: number, isMore: boolean) =>
    isMore
      ? `The first ${quantityText(shown)} products that match. Type more to find the others.`
      : `${countText(shown, "product", "products")} found. Tap one to count it.`,
  searchNotLoaded:
    "Finding products by name needs a connection once, and then the area opened again. Codes can be entered all the same.",
  foundNone: "No product on this device has that in its title, size or SKU.",
  noCode:
    "No product here has exactly this code. Tap the one that you mean, or press Submit again to set it aside as unknown.",
  manualHint: "Enter SKU, Barcode, or Last 4-8 digits",
  footer: "Scan items with your barcode scanner • Scanner input is always active",
  finishWaits:
    "The total of this area has not reached the server yet. Wait until it is sent, or choose another area.",
  recountNeeded: "Recount needed",
  recountRequested: "Recount requested",
  recountRequestedOf: (code: string, name: string) =>
    `Area ${areaText(code, name, "-")} is to be counted again`,
  recountsRequested: (codes: string) => `Areas ${codes} are to be counted again`,
  recountAsked: (location: string | null, reason: string | null) =>
    [
      `The administrator asks for this area${location === null ? "" : ` in ${location}`} to be counted again from zero.`,
      ...(reason === null ? [] : [reason]),
    ].join(" "),
  recountUnderWay: (names: readonly string[]) =>
    `${namesText(names) || "Somebody"} ${names.length > 1 ? "are" : "is"} counting it again already.`,
  recountByMe: "You are counting it again.",
  recountElsewhere: "Choose another area.",
  recountWhere: (location: string | null, reason: string | null) =>
    [...(location === null ? [] : [`In ${location}.`]), ...(reason === null ? [] : [reason])].join(" "),
  recountYours: {
    counted: "You counted there: finish here, then count it again from zero.",
    assigned: "It is assigned to you: finish here, then count it again from zero.",
    others: "You did not count there: go on here.",
  },
  recountHere: (reason: string | null) =>
    `The administrator asks for this area to be counted again${reason === null ? "" : `: ${reason}`}`,
  recountChoose: "Count This Area",
  recountToDashboard: "Go to the Dashboard",
  recountOfOthers: "The declared total did not match. Count the area again from zero.",
  scansKept: "What was scanned before is kept, and the administrator can restore it.",
  mismatchNext: "The count is 0 again. The scans are kept, and the administrator can restore them.",
  asideAgain: (scans: number) =>
    scans === 1
      ? "1 item that was set aside must be scanned again too."
      : `${quantityText(scans)} items that were set aside must be scanned again too.`,
  mismatchOfOthers:
    "A declared total did not match. The scans are kept, and the administrator can restore them.",
  countOnly: (products: number) =>
    products === 1 ? "Count only this product here" : `Count only these ${products} products here`,
  notOnList: "Not on this list: put it back. It isn't counted here.",
  notOnListNext: "Undo Last takes it out of Items Scanned.",
  unknownNext: "Set it aside for the manager.",
  setAside: "Set aside for the manager",
  unknownCode: (input: string) => `UNKNOWN BARCODE: ${input}`,
  notSaved:
    "This scan could not be saved on the device and was not counted. Free up some space, then scan it again.",
  storageReopened:
    "The browser had closed this device's storage. A scan made just then was not counted: check Last Scanned, and scan whatever is missing again.",
  storageDeleted: (kept: number) =>
    `The browser deleted this device's storage. ${kept === 0 ? "Everything had been sent" : `What had not been sent is safe (${countText(kept, "entry", "entries")})`}. A scan made just then was not counted: check Last Scanned, and scan whatever is missing again. Then sync the products again on the dashboard.`,
  mayBeCleared:
    "The browser may clear this storage when space runs short, and a private window does when it is closed: let everything be sent before you close the page.",
  tagCounted: "Already counted",
  tagSetAside: "Read in another area: set aside",
  tagElsewhere: "Already counted in another area",
  tagElsewhereIn: (areaCode: string) => `Already counted in area ${areaCode}`,
  tagElsewhereNext: "The manager sees that its tag was read here too.",
  ignoredRepeat: "Ignored: less than 1 second after the last scan",
  ignoredNext: "Scan it again, or use ×N.",
  unended:
    "Not counted: the scanner sent no Enter after the code. Scan again; if it happens each time, set the scanner up to send Enter or Tab.",
  areaFinished: "Not counted: this area is finished. Choose the next area first.",
  startedAgain: "This area was restarted. Your count is back to 0. Scan it again from the beginning.",
  startedAgainShort: (reason: string | null) =>
    `Restarted: your count is back to 0.${reason === null ? "" : ` ${reason}`}`,
  ofNoCount: "Not counted. This area was not started again, so an administrator will decide.",
  areaClosed: "This area is closed. Nothing more can be counted here.",
  areaDeleted: "This area no longer exists. Nothing more can be counted here.",
  assignedToMe: "Assigned to you",
  assignedHere: (areas: number) => countText(areas, "area for you", "areas for you"),
  assignedToOthers: (names: readonly string[]) => `Assigned to ${names.join(", ")}.`,
  assignedAlone: (names: readonly string[]) =>
    `Assigned to ${names.join(", ")} alone. Choose another area, or ask the administrator.`,
  nowAssigned: "Not yours to count any more",
  nowAssignedTo: (names: readonly string[]) =>
    `This area is now assigned to ${names.join(", ")}. What you scanned here counts. Choose another area.`,
  areaCompleted: (code: string) =>
    `Area ${code} is completed. Choose another area, or ask the administrator to reopen it.`,
  labelOfNoArea: "This label does not belong to any area of this store",
  labelNotRead: "This label can't be looked up offline. Connect once, then scan it again.",
  labelOpens: "Opening the area of this label",
  labelHere: "You are in this area",
  labelMeanwhile: "The area of a label is opening. That scan was not counted: scan it again there.",
  readBehind: "Not counted: the camera read this while a dialog was open. Scan it again.",
  finishSending: "The total is being submitted. That scan was not counted.",
  codeFirst: (code: string, second: string) =>
    `Decide about ${code} first. ${code === second ? "Its second scan" : second} was not counted: scan it again afterwards.`,
  closeFirst: "Close this dialog to scan. That scan was not counted.",
  nothingCounted: "Counting has begun here, but nothing is counted at the moment.",
  decideFirst: "Decide about this area first. That scan was not counted.",
  nothingOpen: "Nothing was counted: start an area first. Its printed label opens it too.",
  areaComplete: "Area complete!",
  areaCompleteOf: (code: string, name: string) => `Area ${areaText(code, name)} complete!`,
  totalMatched: "The total that was declared matched what was scanned there.",
  acknowledgedKept: (entries: number, since: string) =>
    `${countText(entries, "entry", "entries")} that the server has, since ${since}, ${entries === 1 ? "is" : "are"} kept in case it is restored from a backup: for ${retention.days} days, ${quantityText(retention.rows)} at most, about 1 kB each.`,
  restored: "The server was restored from a backup",
  restoredText: (rows: number) =>
    rows === 1
      ? "This device is resending 1 entry that the server may have lost. Nothing is counted twice, and you can keep counting."
      : `This device is resending ${quantityText(rows)} entries that the server may have lost. Nothing is counted twice, and you can keep counting.`,
  restoredSent: (rows: number) =>
    `The server was restored from a backup: ${countText(rows, "entry that it may have lost has", "entries that it may have lost have")} been sent again. Nothing is counted twice.`,
  passLost: "This area is back in an earlier count. Check Items Scanned before you go on.",
  passLostShort: "The server was restored: this area is back in an earlier count.",
  restoredAreas: (areas: string) =>
    `Check area ${areas}: it had been finished or restarted, and that was not repeated, because others may have counted there since or the count there was over.`,
  operationOf: (kind: "undo" | "reset" | "finish", areaCode: string) =>
    `${operations[kind]} area ${areaCode}`,
  notCounted: (scans: number) => countText(scans, "scan was not counted", "scans were not counted"),
  notCountedKept: (scans: number) => {
    const them = scans === 1 ? "it" : "them";
    return `The server has stored ${them}, and an administrator reviews ${them}.`;
  },
  undoNotDone: (undos: number) =>
    undos === 1 ? "A correction was not possible" : `${undos} corrections were not possible`,
  finishOffline:
    "This device is offline. The total is compared when it is online again; until then it is safe here, with your scans.",
  finishQueued:
    "The total is compared when this device is online again. Until then it is safe here, with your scans. If it does not match, the dashboard says Recount needed.",
  notCompared: (code: string, name: string) => `Not compared yet: area ${areaText(code, name, "-")}`,
  notComparedText:
    "The total that you declared and your scans are safe on this device. They are compared when it is online again: go on with another area, and come back to see whether this one matched.",
  undone: "Undone",
  countedAfterAll: "Counted after all",
  chooseFirst: "Choose a product first. That scan was not counted.",
  cameraStarts: "Starting the camera",
  httpsNeeded:
    "This page was opened without https, so it can't be reloaded offline. Scans made while it stays open are still saved on this device.",
} as const;

/** What to do where the camera does not scan. */
export const cameraProblems: Record<CameraProblem, { readonly title: string; readonly advice: string }> = {
  insecure: {
    title: "The camera needs https",
    advice:
      "This page was opened without https. Ask the administrator for the https address, or use a scanner.",
  },
  forbidden: {
    title: "The camera is blocked",
    advice: "Allow the camera for this site in the browser's settings, then open the camera again.",
  },
  missing: {
    title: "No camera found",
    advice: "This device has no camera that the browser can use. Use a scanner or Manual Entry.",
  },
  busy: {
    title: "The camera is in use",
    advice: "Close the other app that uses the camera, then open it again here.",
  },
  failed: {
    title: "The camera could not be started",
    advice: "Open it again. If that does not help, use a scanner or Manual Entry.",
  },
};
