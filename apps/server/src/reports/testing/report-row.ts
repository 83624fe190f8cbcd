import type { ReportContext } from "../counting-time.ts";
import type { ReportRow } from "../rows/report-row-queries.ts";

export const startedAt = new Date("2026-03-01T08:00:00Z");
export const endedAt = new Date("2026-03-01T12:00:00Z");
/** When a row's only scan was made. */
export const during = new Date("2026-03-01T10:00:00Z");

/** A session that compares with the end, all of whose areas were closed. */
export function makeContext(change: Partial<ReportContext> = {}): ReportContext {
  return {
    ...{ basis: "end", everyAreaClosed: true, startedAt, endedAt, closedAt: endedAt, countedDuring: null },
    ...{
      deployed: false,
      zeroUncounted: false,
      zeroSearched: false,
      clockWasSet: false,
      withoutEndStock: false,
      movedByOthers: new Map(),
    },
    ...change,
  };
}

/** Three were sold of ten and nine were counted, so that there are two too many. */
export function makeRow(change: Partial<ReportRow> = {}): ReportRow {
  return {
    sku: "TEE-M",
    inventoryItemId: "gid://shopify/InventoryItem/1",
    productTitle: "Tee",
    size: "M",
    image: null,
    startOnHand: 10,
    endOnHand: 7,
    counted: 9,
    hasCount: true,
    manual: false,
    unitCostCents: 1250,
    areas: ["Front"],
    firstCountedAt: during,
    lastCountedAt: during,
    tracked: true,
    bundle: false,
    stocked: true,
    gone: false,
    countedLater: false,
    booked: 0,
    readings: [],
    unknownTimes: 0,
    found: new Set(),
    movedBefore: null,
    inclusions: new Map(),
    search: null,
    leftAlone: null,
    ...change,
  };
}
