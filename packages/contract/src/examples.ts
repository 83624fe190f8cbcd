import type { Adjustment } from "./calls/adjustments.ts";
import type { Area, Location } from "./calls/areas.ts";
import type { User } from "./calls/auth.ts";
import type { SessionPlan } from "./calls/planning/session-plans.ts";
import type { CountAdjustment, ReportItem, ReportSummary } from "./calls/reports.ts";
import type { CountingSession } from "./calls/sessions.ts";
import type { Store } from "./calls/stores.ts";

/**
 * Examples for tests and measures, made here and nowhere else, so that a new field does not compile until it is given
 * here: each function returns one, with what a test cares about changed.
 */
export const admin: User = {
  _id: "user-admin",
  username: "admin",
  role: "admin",
  isTemporary: false,
  invitationId: null,
};

export const counter: User = {
  _id: "user-counter",
  username: "Mia",
  role: "counter",
  isTemporary: true,
  invitationId: "invitation-1",
};

export function store(changes: Partial<Store> = {}): Store {
  return {
    _id: "store-1",
    name: "Harbour Street",
    shopifyLocationId: "gid://shopify/Location/1",
    isActive: true,
    createdAt: "2026-01-05T08:00:00.000Z",
    ...changes,
  };
}

export function location(changes: Partial<Location> = {}): Location {
  return {
    _id: "location-1",
    name: "Sales Floor",
    storeId: { _id: "store-1", name: "Harbour Street" },
    ...changes,
  };
}

export function area(changes: Partial<Area> = {}): Area {
  return {
    _id: "area-1",
    code: "A1",
    name: "Window",
    locationId: "location-1",
    status: "not_started",
    pass: 1,
    closedBy: null,
    closedAt: null,
    activity: null,
    ...changes,
  };
}

export function session(changes: Partial<CountingSession> = {}): CountingSession {
  return {
    _id: "0000-0000-session-abcdefgh",
    storeId: { _id: "store-1", name: "Harbour Street" },
    status: "closed",
    scope: "full",
    startedAt: "2026-03-01T08:00:00.000Z",
    endedAt: "2026-03-01T12:00:00.000Z",
    snapshot: { status: "complete", items: 10 },
    openAreas: [],
    name: null,
    ...changes,
  };
}

export function sessionPlan(changes: Partial<SessionPlan> = {}): SessionPlan {
  return {
    ...{ _id: "plan-1", storeId: { _id: "store-1", name: "Harbour Street" }, name: "Spring count" },
    ...{ note: "Racks first", scope: "partial", areaIds: ["area-1"] },
    people: [{ counterName: "Ada", email: "ada@example.com", areaIds: [] }],
    ...{ assignmentsEnforced: false, deletedAreas: [] },
    createdAt: "2026-03-01T08:00:00.000Z",
    ...changes,
  };
}

/** A session that is being counted. */
export function activeSession(changes: Partial<CountingSession> = {}): CountingSession {
  return session({ _id: "session-1", status: "active", endedAt: null, ...changes });
}

export function reportItem(changes: Partial<ReportItem> = {}): ReportItem {
  const { variance = 0, skipReason = null } = changes;
  return {
    productTitle: "Linen Shirt",
    image: null,
    size: "M",
    sku: "LIN-M",
    startOnHand: 5,
    endOnHand: 5,
    naturalMovement: 0,
    counted: 5 + variance,
    unitCost: 10,
    costImpact: variance * 10,
    areas: ["Window"],
    manual: false,
    skipReason: null,
    wouldMove: skipReason === null ? variance : null,
    movedByOthers: 0,
    deployed: 0,
    firstCountedAt: null,
    lastCountedAt: null,
    varianceAtCount: { low: variance, high: variance },
    uncertain: null,
    included: false,
    ...changes,
    variance,
  };
}

export function reportSummary(changes: Partial<ReportSummary> = {}): ReportSummary {
  return {
    totalItems: 10,
    shortages: 1,
    overages: 2,
    matches: 7,
    totalCostImpact: 10,
    withoutCost: 0,
    currency: "USD",
    notCounted: { items: 0, units: 0, cost: 0 },
    uncertain: 0,
    ...changes,
  };
}

/** One change of a count by hand. */
export function countAdjustment(changes: Partial<CountAdjustment> = {}): CountAdjustment {
  return {
    _id: "1",
    sku: "LIN-M",
    previousCount: 4,
    newCount: 6,
    reason: null,
    adjustedAt: "2026-03-02T10:00:00.000Z",
    adjustedBy: { username: "admin" },
    ...changes,
  };
}

/** A deploy of two SKUs that was not rolled back. */
export function adjustment(changes: Partial<Adjustment> = {}): Adjustment {
  return {
    _id: "adjustment-1",
    appliedAt: "2026-03-02T08:00:00.000Z",
    totalAdjustments: 2,
    status: "applied",
    rolledBackAt: null,
    appliedBy: { username: "admin" },
    rollingBack: false,
    note: null,
    progress: null,
    resumable: 0,
    ...changes,
  };
}
