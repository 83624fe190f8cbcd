/** Messages and fixed figures of the dashboard (specification, section 2). */
export const messages = {
  title: "Dashboard",
  activeSessions: "Active Sessions",
  totalStores: "Total Stores",
  pendingAreas: "Pending Areas",
  pendingAreasLeaveOut: "Being counted now. Areas not started are left out.",
  pendingAreasIdle: (open: number) =>
    open === 0
      ? "Nothing is being counted now."
      : "Left open by an ended count. Nothing is being counted now.",
  completedAreas: "Completed Areas",
  completedAreasOf: "Of each store's running or last count.",
  quickActions: "Quick Actions",
  recentSessions: "Recent Sessions",
  toReport: (session: string, started: string) => `${session}, started ${started}: View Report`,
  toSession: (session: string, started: string) => `${session}, started ${started}: Go to Sessions`,
  noSessions: "No Sessions Yet",
  noSessionsText: "Start a counting session to see it here.",
  activityChart: "Activity Chart",
  comingSoon: "Coming soon",
  scans: "Scanned",
  noScansLately: "No scans in the last 3 days.",
  activity: (total: string, most: string, hour: string) =>
    `${total} scans in the last 3 days, most of them in the hour from ${hour}: ${most}.`,
  systemStatus: "System Status",
  failed: "Failed to fetch data",
  firstSteps: "First Steps",
  stepDone: "Done: ",
  stepOpen: "To do: ",
  stepsDone: (done: number, all: number) => `${done} of ${all} done`,
} as const;

/** What leads from an empty installation to the first report, in this order. */
export const firstSteps = {
  shopify: {
    label: "Connect Shopify",
    note: "Whoever installed Stocktake sets the shop and its access; Settings shows what is missing.",
    action: "Open Settings",
    to: "/admin/settings",
  },
  store: {
    label: "Add a store",
    note: "A store is counted against the stock of one Shopify location.",
    action: "Add a Store",
    to: "/admin/stores",
  },
  areas: {
    label: "Add its locations and areas",
    note: "A location is a floor or a stockroom; an area is what one person counts in one go, such as a shelf.",
    action: "Add Areas",
    to: "/admin/locations",
  },
  session: {
    label: "Start a counting session",
    note: "It takes down Shopify's stock of this moment, and opens the store for counting.",
    action: "Start a Session",
    to: "/admin/sessions",
  },
  scan: {
    label: "Invite people, and scan the first item",
    note: "By e-mail, or by a session code that phones read from your screen.",
    action: "Invite People",
    to: "/admin/sessions",
  },
  report: {
    label: "End the session and read the report",
    note: "It compares what was counted with Shopify's stock. Nothing changes in Shopify until you deploy it.",
    action: "Open Sessions",
    to: "/admin/sessions",
  },
} as const;

export type FirstStep = keyof typeof firstSteps;

/** Percentages that the specification fixes. */
export const trends = { activeSessions: 12, pendingAreas: -5, completedAreas: 8 } as const;

export const quickActions = [
  { to: "/admin/sessions", label: "Start Counting Session", note: "Open a store for counting" },
  { to: "/admin/stores", label: "Manage Stores", note: "Stores and their Shopify locations" },
  { to: "/admin/reports", label: "View Reports", note: "Variances and adjustments" },
] as const;
