import { areaText, countText, dateText, quantityText } from "../../ui/formats.ts";

/** Messages of the sessions page (specification, sections 2, 4 and 8). */
const page = {
  title: "Sessions",
  subtitle: "Start counting a store, follow the count, and end it",
  activeHeading: "Active Sessions",
  noActive: "No Active Sessions",
  noActiveText: "Start a session above, then invite counters.",
  startHeading: "Start New Session",
  nothingToStart: "Nothing to Start",
  nothingToStartText: "Every active store already has a session.",
  noStoresText: "Add a store before starting a session.",
  recentHeading: "Recent Sessions",
  noRecent: "No Sessions Yet",
  noRecentText: "Sessions appear here once they have been started.",
  invite: "Invite Counters",
  code: (waiting: number) => (waiting === 0 ? "Session Code" : `Session Code (${waiting} waiting)`),
  files: "Counts from Files",
  sheets: "Count Sheets",
  end: "End Session",
  ending: "Ending Session...",
  start: "Start Session",
  starting: "Starting Session...",
  viewReport: "View Report",
  archived: "Archived",
  archivedIn: ({ at, file, scans, skus }: { at: string; file: string; scans: number; skus: number }) =>
    `${countText(scans, "scan", "scans")} of ${countText(skus, "SKU", "SKUs")}, in the file ${file} since ${dateText(at)}`,
  fetchFailed: "Failed to fetch data",
  startFailed: "Failed to start session",
  endFailed: "Failed to end session",
  started: (store: string) => `Counting has started in ${store}.`,
  ended: (store: string) => `The session in ${store} has ended. Its report is ready.`,
  assigning: {
    open: "Assign Areas",
    title: (store: string) => `Assign Areas of ${store}`,
    enforced: "Only who is assigned may count an area",
    enforcedNote: "Otherwise everyone sees their own areas first, and may count any.",
    person: "Person",
    option: (name: string, email: string, areas: number) =>
      `${email === "" ? name : `${name}, ${email}`}: ${countText(areas, "area", "areas")}`,
    areas: "Areas",
    free: (areas: number) =>
      areas === 0
        ? "Every area is assigned to somebody."
        : `${countText(areas, "area is", "areas are")} assigned to nobody.`,
    also: (names: readonly string[]) => `Also ${names.join(", ")}`,
    nobody: "Nobody can be assigned areas yet. Invite counters first.",
    goesOn:
      "These are open to all. Phones without a network hear of it later; what they scan until then counts, and you are told.",
    save: "Save",
    saving: "Saving...",
    failed: "Failed to assign areas",
    fetchFailed: "Failed to fetch who can be assigned areas",
    byOthers: (names: string) => `Not assigned: ${names}`,
  },
  words: {
    fields: { name: "Session name", note: "Note" },
    name: "Session Name (Optional)",
    nameNote: "As people call it: Spring count, Window only. Counters may see it.",
    note: "Note (Optional)",
    noteNote: "Only administrators see it.",
    edit: "Name and Note",
    editOf: (session: string) => `Name and Note of ${session}`,
    save: "Save",
    saving: "Saving...",
    failed: "Failed to rename the session",
    saved: (session: string) => `The name and note of ${session} were saved.`,
  },
  scopes: {
    full: {
      label: "Full count",
      note: "Everything the store stocks is in scope. What nobody counts shows as a shortage. A deploy sets it to zero only if every area was closed or you choose this when deploying.",
    },
    partial: { label: "Partial count", note: "Only products that are counted are in scope." },
  },
  startDialog: {
    title: "Start session?",
    question: (store: string) =>
      `Are you sure you want to start a counting session in ${store}? This takes a snapshot of its inventory.`,
    noAreas:
      "This store has no areas yet, and nobody can scan until it has one. Add them now, or after the session has started.",
    addAreas: "Add Areas",
    earlierFailed: "Whether earlier reports can still be deployed or rolled back could not be read.",
    consequences: ["All areas are reset.", "Counters can scan as soon as the snapshot is complete."],
    endsDeploy: {
      full: (ended: string) =>
        `The report of ${ended} has not been deployed. Deploy it before this count ends; after that, this count replaces it.`,
      partial: (ended: string) =>
        `The report of ${ended} has not been deployed. Deploy it before this count ends; after that, it no longer includes the products of this count.`,
    },
    endsRollback: {
      full: (deployed: string) =>
        `The report deployed on ${deployed} can still be rolled back. After this count it can't.`,
      partial: (deployed: string) =>
        `The report deployed on ${deployed} can still be rolled back. If this count includes any of its products, it can't be afterwards.`,
    },
  },
  endDialog: {
    neverCounted: (items: number) =>
      `${countText(items, "SKU", "SKUs")} in stock ${items === 1 ? "was" : "were"} never counted`,
    neverCountedNote: (notThere: number, contradicted: number) =>
      `${notThere === 0 ? "None of them was" : `${quantityText(notThere)} ${notThere === 1 ? "was" : "were"}`} looked for and not found${contradicted === 0 ? "" : `, ${quantityText(contradicted)} contradicted`}. What is searched for before the end can be set to zero without typing a number.`,
    search: "Have Them Looked For",
    neverCountedFailed: "Failed to fetch what was never counted",
    title: "End session?",
    question: (store: string) =>
      `Are you sure you want to end the session in ${store}? This finalizes the counts and deactivates its invitations.`,
    consequences: [
      "Scans in areas that are still open are counted too.",
      "Scans received later are set aside for you to accept or dismiss in the report.",
      "An ended session can't be reopened.",
    ],
    unfinished: "Not finished yet",
    areasLeft: "Areas not closed",
    unsentLeft: "Unsent scans",
    silentLeft: "Not heard of",
    openAreas: (count: number) => countText(count, "area has not been closed", "areas have not been closed"),
    recounts: (count: number) => `${countText(count, "recount is", "recounts are")} still to be done`,
    secondCounts: (count: number, names: readonly string[]) =>
      `${countText(count, "second count is", "second counts are")} still open: ${names.join(", ")}${count > names.length ? ` and ${quantityText(count - names.length)} more` : ""}. None can be finished after the end`,
    toSecondCounts: "To the Second Counts",
    unsent: (count: number) =>
      countText(count, "device still has unsent scans", "devices still have unsent scans"),
    silent: (count: number) =>
      `${countText(count, "device", "devices")} in areas that are still open ${count === 1 ? "has" : "have"} not been heard of for five minutes`,
    lastSeen: (time: string) => `last seen ${time}`,
    onlyOpened: (time: string) => `opened an area ${time}, and has sent nothing`,
    silentNote: "Scans made without a network since then are still on the device.",
    putAway: "Other devices not heard of for five minutes",
    putAwayNote:
      "None of them has said that it holds scans, and most were simply put away. If somebody counts on without a network, wait for their scans.",
    exceptions: (count: number) =>
      `${countText(count, "scan needs", "scans need")} a decision: now, while the items are at hand, or later in the report`,
    decide: "Decide Now",
    sheets: (numbers: readonly number[]) =>
      `${countText(numbers.length, "count sheet is", "count sheets are")} still out: ${numbers.join(", ")}. Nothing on paper can be keyed after the end`,
    keySheets: "Key or Declare Void",
    unstored: (numbers: readonly number[]) =>
      `${countText(numbers.length, "count sheet was", "count sheets were")} keyed and not stored whole: ${numbers.join(", ")}. The rest is not counted, and can't be stored after the end`,
    storeSheets: "Store the Rest",
    noAreas: "This store has no areas, so nobody has confirmed that everything was counted",
    ready: "Every area is closed, and no device has said that it holds scans.",
    progressFailed: "The progress of the count could not be read.",
    secondCountsFailed: "Whether second counts are still open could not be read.",
    sheetsFailed: "The count sheets of the session could not be read.",
  },
  soFar: {
    title: "Largest differences so far",
    note: "Compared with Shopify's stock as last read, products of closed areas only. What lies in areas that are still open is not counted yet.",
    figures: (counted: string, onHand: string) => `Counted ${counted}, Shopify has ${onHand}:`,
    unknownCost: "cost unknown",
    failed: "The differences so far could not be read.",
  },
  again: {
    title: (code: string) => `Count ${code} Again`,
    question: (code: string, name: string) =>
      `Are you sure you want to have area ${areaText(code, name)} counted again from zero?`,
    consequences: [
      "What is counted there now no longer counts. Until the session ends, it can be restored under Previous counts.",
      "Everyone who counts in this session is told at once.",
    ],
    confirm: "Count Again",
    done: (code: string, name: string) =>
      `Area ${areaText(code, name)} is to be counted again from zero. Everyone who counts was told.`,
    failed: "Failed to reopen area",
  },
  areaStatus: { not_started: "Not Started", in_progress: "In Progress", closed: "Completed" },
  /** Of all invitations, how many people have joined, and how many came by the session code. */
  invitations: (all: number, joined: number, byCode: number) => {
    const parts = [
      ...(all === 0 ? [] : [`${quantityText(joined)} joined`]),
      ...(byCode === 0 ? [] : [`${quantityText(byCode)} by the session code`]),
    ];
    return parts.length === 0 ? quantityText(all) : `${quantityText(all)} (${parts.join(", ")})`;
  },
  recount: "Recount needed",
  recountRequested: "Recount requested",
  recountMessages: {
    needed: "Recount needed: the declared total did not match.",
    requested: "Recount requested: an administrator asked for it.",
  },
  live: {
    areas: "Areas",
    everyArea: "Every area",
    devices: "Devices",
    counters: "Who is counting where",
    scans: (count: number) => (count === 1 ? "scan so far" : "scans so far"),
    recounts: (count: number) => countText(count, "recount to be done", "recounts to be done"),
    exceptions: (count: number) => countText(count, "scan needs a decision", "scans need a decision"),
    betweenAreas: "Between areas",
    nothingYet: (assigned: string, hasDevice: boolean) =>
      [hasDevice ? "" : "Joined, ", assigned === "" ? "" : `${assigned} assigned, `, "nothing counted yet"]
        .join("")
        .replace(/^n/, "N"),
    heard: (ago: string) => `Last signal: ${ago}`,
    notSent: (count: number) => `${quantityText(count)} not sent`,
    notSentNote:
      "Not Sent is how much a device said that it holds: scans, each of whatever quantity, undos, resets and finishes.",
    unreadTitle: (since: string) => `Shopify's stock could not be read since ${since}`,
    unread:
      "Counting goes on and no scan is lost. What is sold or received meanwhile is marked uncertain in the report and not deployed until you decide. If this lasts, look at System Health in Settings.",
    totalsMissing: (names: string) => `Own totals missing: ${names}`,
    nobody: "Nobody has joined yet.",
    noAreas: "This store has no areas. Add them under Locations.",
    onDevices: (count: number) => countText(count, "device", "devices"),
    open: (areas: string) => `Show ${areas} and Devices`,
    title: (store: string) => `Count in ${store}`,
    countAgain: "What to Count Again",
    neverCounted: "Never Counted",
    secondCounts: (open: number) => (open === 0 ? "Second Counts" : `Second Counts (${open} to choose)`),
  },
  wall: {
    title: "Count on a Screen",
    open: "Show on a Screen",
    choose: "Choose a session",
    back: "Back to Sessions",
    of: (done: number, all: number) => `${quantityText(done)} of ${quantityText(all)}`,
    closed: "Areas completed",
    scans: "Scans so far",
    scansMean: "Scans: units counted so far, without what was undone or recounted",
    pace: "Scans an hour",
    end: "Expected end",
    recounts: "Recounts to do",
    ended: "This count has ended.",
    people: "People",
    heading: (state: string, areas: number) => `${state}: ${quantityText(areas)}`,
    page: (label: string, page: number, of: number) =>
      `${label}: page ${quantityText(page)} of ${quantityText(of)}`,
    pause: "Pause",
    goOn: "Go On",
  },
  earlier: {
    open: "Previous counts",
    title: (store: string) => `Previous counts of ${store}`,
    intro:
      "Counts that were restarted, each with the scans that counted until then. Restore one if that was a mistake.",
    none: "No area has been restarted in this session.",
    failed: "Failed to fetch data",
    restore: "Restore",
    restoreFailed: "Failed to restore the count",
    restoreTitle: "Restore this count?",
    question: (area: string, scans: number) =>
      `Are you sure you want to restore the previous count of ${area} with its ${countText(scans, "scan", "scans")}?`,
    consequences: [
      "Everything scanned in the area since then is removed from the count; it can be restored in the same way.",
    ],
    restored: (area: string) => `The previous count of ${area} was restored.`,
    endedAs: {
      closed: "Closed",
      reset: "Reset",
      reopened: "Reopened",
      mismatched: "Count mismatch",
      replaced: "Replaced by a previous count",
      restored: "Restored",
      session_ended: "Session ended",
    },
  },
} as const;

/** Messages of loading a device's saved queue, in one place. */
const deviceFile = {
  heading: "Import a device's scans",
  intro:
    "For a device that can no longer connect: choose Save Queue as File on its counter dashboard, then import the file here. Importing a file twice, or a device that reconnects later, never double-counts.",
  choose: "Choose File",
  notAQueue: "This file is not a device's saved queue, or it is incomplete. Save it on the device again.",
  failed: "Failed to import the file",
  safe: "Everything sent so far is stored. Continue from there now, or import the file again later: nothing is counted twice.",
  progress: (done: string, total: string) => `${done} of ${total} sent.`,
  waiting: "The server asked for a pause; importing continues by itself.",
  stop: "Stop",
  goOn: "Continue",
  title: "Import this device's scans?",
  from: (device: string, savedAt: string) => `Device ${device}, saved ${savedAt}`,
  holds: (scans: number, undos: number) =>
    `${countText(scans, "scan", "scans")}${undos === 0 ? "" : `, ${quantityText(undos)} undone`}`,
  send: "Import Scans",
  sending: "Importing...",
  close: "Close",
  done: "The file was imported",
  counted: "Counted",
  late: "Late: not counted until you accept them",
  unresolved: "Unknown codes: to be reviewed",
  voided: "No longer counted (undone, reset or recounted)",
  known: "Of these, already on the server",
  undone: "Undone, as on the device",
  leftOut: "Undone on the device before they were sent: not imported",
  refusedTitle: (count: number) => countText(count, "entry was refused", "entries were refused"),
  refusedIn: (what: string, areaCode: string, error: string) => `${what} in area ${areaCode}: ${error}`,
  toDecide: "Not applied, because others may have counted there since",
  finish: (areaCode: string, total: number) =>
    `Finish area ${areaCode} with ${countText(total, "item", "items")}`,
  ownTotal: (areaCode: string, total: number) =>
    `Finish area ${areaCode}, where this person alone counted ${countText(total, "item", "items")}`,
  reset: (areaCode: string) => `Reset area ${areaCode}`,
} as const;

/** Every text of the feature, one object of them. */
export const messages = { ...page, deviceFile } as const;
