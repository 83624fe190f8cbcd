/** The words of the sessions page (specification, sections 2, 4 and 8). */
export const texts = {
  title: "Sessions",
  subtitle: "Start counting a store, follow the count, and end it",
  activeHeading: "Active Sessions",
  noActive: "No Active Sessions",
  noActiveText: "Start a session below; counters can then be invited.",
  startHeading: "Start New Session",
  nothingToStart: "Nothing to Start",
  nothingToStartText: "Every active store has a session that is counting.",
  noStoresText: "Add a store before starting a session.",
  recentHeading: "Recent Sessions",
  noRecent: "No Sessions Yet",
  noRecentText: "Sessions appear here once they have been started.",
  invite: "Invite Counters",
  end: "End Session",
  ending: "Ending Session...",
  start: "Start Session",
  starting: "Starting Session...",
  viewReport: "View Report",
  fetchFailed: "Failed to fetch data",
  startFailed: "Failed to start session",
  endFailed: "Failed to end session",
  started: (store: string) => `Counting has started in ${store}.`,
  ended: (store: string) => `The session in ${store} has ended. Its report is ready.`,
  scopes: {
    full: {
      label: "Full count",
      note: "Everything the store stocks is in scope. What nobody counts shows as a shortage. A deploy sets it to zero only if every area was closed, or if you choose so there.",
    },
    partial: { label: "Partial count", note: "Only products that are counted are in scope." },
  },
  startDialog: {
    title: "Start session?",
    question: (store: string) =>
      `Are you sure you want to start a counting session in ${store}? This takes a snapshot of its inventory.`,
    consequences: [
      "Every area of the store goes to Not Started.",
      "Counters can scan as soon as the snapshot is complete.",
    ],
    endsDeploy: {
      full: (ended: string) =>
        `The report of ${ended} is not deployed. Deploy it before this count ends: then this count takes its place.`,
      partial: (ended: string) =>
        `The report of ${ended} is not deployed. Deploy it before this count ends: then the products of this count are left out of it.`,
    },
    endsRollback: {
      full: (deployed: string) =>
        `The report deployed on ${deployed} can be rolled back now. After this count it no longer can.`,
      partial: (deployed: string) =>
        `The report deployed on ${deployed} can be rolled back now. If this count includes any of its products, it no longer can afterwards.`,
    },
  },
  endDialog: {
    title: "End session?",
    question: (store: string) =>
      `Are you sure you want to end the session in ${store}? This finalizes the counts and deactivates its invitations.`,
    consequences: [
      "Scans in areas that are still open count too.",
      "Scans that arrive later are kept apart, for you to accept or dismiss under the report.",
      "An ended session can't be opened again.",
    ],
    openAreas: (count: number) =>
      count === 1 ? "1 area has not been closed" : `${count} areas have not been closed`,
    behind: (count: number) =>
      count === 1 ? "1 device still holds scans" : `${count} devices still hold scans`,
    exceptions: (count: number) =>
      count === 1
        ? "1 scan waits for a decision, under the report once the session has ended"
        : `${count} scans wait for a decision, under the report once the session has ended`,
    noAreas: "This store has no areas, so nobody has declared that everything is counted",
    ready: "Every area is closed, and every device has sent its scans.",
    progressFailed: "How far the count has come is not known.",
  },
  areaStatus: { not_started: "Not Started", in_progress: "In Progress", closed: "Completed" },
  recount: "Recount needed",
  live: {
    areas: "Areas",
    devices: "Devices",
    counters: "Who counts where",
    scans: (count: number) => (count === 1 ? "scan so far" : "scans so far"),
    exceptions: (count: number) =>
      count === 1 ? "1 scan needs a decision in the report" : `${count} scans need a decision in the report`,
    betweenAreas: "In no area at the moment",
    seen: (ago: string) => `Seen ${ago}`,
    notSent: (count: number) => (count === 1 ? "1 scan not sent" : `${count} scans not sent`),
    nobody: "Nobody has scanned yet.",
    noAreas: "This store has no areas. Add them under Locations.",
    more: (count: number) => (count === 1 ? "and 1 more person" : `and ${count} more people`),
    onDevices: (count: number) => `${count} devices`,
    open: (areas: string) => `Show ${areas} and Devices`,
    title: (store: string) => `The Count in ${store}`,
  },
  earlier: {
    open: "Earlier Counts",
    title: (store: string) => `Earlier Counts of ${store}`,
    intro: "Counts that were started again. Bring one back where that was a mistake.",
    none: "No area has been started again in this session.",
    failed: "Failed to fetch data",
    restore: "Bring Back",
    restoreFailed: "Failed to bring back the count",
    restoreTitle: "Bring back this count?",
    question: (area: string, scans: number) =>
      `Are you sure you want to bring back the earlier count of ${area} with its ${scans} scans?`,
    consequences: [
      "What has been scanned in the area since then leaves the count; it can be brought back in the same way.",
    ],
    restored: (area: string) => `The earlier count of ${area} is back.`,
    endedAs: {
      closed: "Closed",
      reset: "Reset",
      reopened: "Reopened",
      mismatched: "Count mismatch",
      replaced: "Replaced by an earlier count",
      restored: "Brought back",
      session_ended: "Session ended",
    },
  },
} as const;
