/** The first part of every query's key, so that events and mutations name what they make stale. */
export const queryRoots = {
  stores: "stores",
  locations: "locations",
  areas: "areas",
  sessions: "sessions",
  progress: "progress",
  invitations: "invitations",
  outbox: "outbox",
  report: "report",
  adjustments: "adjustments",
  exceptions: "exceptions",
  passes: "passes",
  searches: "searches",
  coverage: "coverage",
  counters: "counters",
  logins: "logins",
  notices: "notices",
  packs: "packs",
  products: "products",
  plans: "plans",
  security: "security",
  health: "health",
  operation: "operation",
} as const;

/** What a change makes stale, by what it changes. */
export const staleAfter = {
  session: [
    queryRoots.sessions,
    queryRoots.areas,
    queryRoots.progress,
    queryRoots.report,
    queryRoots.plans,
    queryRoots.invitations,
  ],
  pass: [queryRoots.passes, queryRoots.sessions, queryRoots.areas, queryRoots.progress, queryRoots.report],
  area: [queryRoots.areas, queryRoots.progress, queryRoots.sessions, queryRoots.plans],
  location: [queryRoots.locations, queryRoots.areas, queryRoots.plans],
  store: [
    ...[queryRoots.stores, queryRoots.locations, queryRoots.areas],
    // A store's name, and what is left of its areas, is in what is planned, running or over there.
    ...[queryRoots.plans, queryRoots.progress, queryRoots.sessions],
  ],
  invitation: [queryRoots.invitations, queryRoots.outbox, queryRoots.plans],
  plan: [queryRoots.plans],
  report: [queryRoots.report, queryRoots.adjustments, queryRoots.exceptions, queryRoots.sessions],
  exceptions: [queryRoots.exceptions, queryRoots.report, queryRoots.progress, queryRoots.areas],
} as const;
