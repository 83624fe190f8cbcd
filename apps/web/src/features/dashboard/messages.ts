/** Messages and fixed figures of the dashboard (specification, section 2). */
export const messages = {
  title: "Dashboard",
  activeSessions: "Active Sessions",
  totalStores: "Total Stores",
  pendingAreas: "Pending Areas",
  completedAreas: "Completed Areas",
  quickActions: "Quick Actions",
  recentSessions: "Recent Sessions",
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
} as const;

/** Percentages that the specification fixes. */
export const trends = { activeSessions: 12, pendingAreas: -5, completedAreas: 8 } as const;

export const quickActions = [
  { to: "/admin/sessions", label: "Start Counting Session", note: "Open a store for counting" },
  { to: "/admin/stores", label: "Manage Stores", note: "Stores and their Shopify locations" },
  { to: "/admin/reports", label: "View Reports", note: "Variances and adjustments" },
] as const;
