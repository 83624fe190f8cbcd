import {
  type Adjustment,
  type CallAnswer,
  controlSamples,
  countDifferences,
  decidedExceptions,
  exceptionGroups,
  listAdjustmentRows,
  listAdjustments,
  listCountAdjustments,
  listCountedAreas,
  listCoveredAreas,
  listMoveEvents,
  listPlans,
  listSessions,
  listShopifyLocations,
  listToCountAgain,
  previewDeploy,
  previewRollback,
  type RollbackPreviewRow,
  readCoverage,
  varianceReport,
} from "@stocktake/contract";
import { screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { admin, reportItem, reportSummary, session } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";

export type Report = CallAnswer<typeof varianceReport>;
type DeployPreview = CallAnswer<typeof previewDeploy>;
type RollbackPreview = CallAnswer<typeof previewRollback>;

const ended = session();
/** The address of the ended session's report. */
export const address = `/admin/reports?session=${ended._id}`;

/** The ended session's report, with what a test cares about changed. */
export function report(changes: Partial<Report> = {}): Report {
  return {
    session: ended,
    items: [
      reportItem({ sku: "LIN-S", size: "S", variance: 3, image: "https://img.example/1.jpg" }),
      reportItem({ sku: "LIN-M", size: "M", variance: -2, areas: ["Window", "Back"] }),
    ],
    summary: reportSummary(),
    basis: "end",
    deployed: false,
    exceptions: { unresolved: 0, late: 0 },
    ...changes,
  };
}

/** What was never counted, with what a test cares about changed: so little that nothing has to be typed. */
export function uncountedStock(
  changes: Partial<DeployPreview["uncounted"]> = {},
): DeployPreview["uncounted"] {
  return { items: 0, units: 0, cost: 0, withoutCost: 0, confirmUnits: null, largest: [], ...changes };
}

/** What a deploy of the report would do, with what a test cares about changed. */
export function deployPreview(changes: Partial<DeployPreview> = {}): DeployPreview {
  return {
    totalAdjustments: 2,
    skipped: [],
    uncounted: uncountedStock(),
    found: { items: 0, units: 0, skus: [] },
    zeroed: "by_choice",
    shopifyAsked: true,
    ...changes,
  };
}

/** What a rollback would find in Shopify: nothing has moved, unless a test changes it. */
export function rollbackPreview(changes: Partial<RollbackPreview> = {}): RollbackPreview {
  return {
    adjustmentId: "adjustment-1",
    totalAdjustments: 2,
    checked: 2,
    moved: 0,
    negative: 0,
    cannotMove: 0,
    unknown: 0,
    affected: 0,
    rows: [],
    readAt: "2026-03-02T10:00:00.000Z",
    ...changes,
  };
}

/** A row of such a preview: a SKU that has not moved. */
export function rollbackRow(changes: Partial<RollbackPreviewRow> = {}): RollbackPreviewRow {
  return {
    sku: "LIN-M",
    productTitle: "Linen Shirt",
    size: "M",
    delta: -2,
    onHandNow: 12,
    afterRollback: 10,
    availableNow: 11,
    availableAfter: 9,
    movedSince: 0,
    wouldGoNegative: false,
    cannotMove: null,
    ...changes,
  };
}

/** A server with one ended session, its report and its history. */
export function reportServer(changes: Partial<Report> = {}, history: Adjustment[] = []): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [ended, session({ _id: "running", status: "active" })] });
  server.answer(listShopifyLocations, { locations: [] });
  server.answer(varianceReport, report(changes));
  server.answer(listAdjustments, { adjustments: history });
  server.answer(previewDeploy, deployPreview());
  server.answer(previewRollback, rollbackPreview());
  server.answer(listAdjustmentRows, { rows: [] });
  server.answer(listMoveEvents, { events: [] });
  server.answer(listPlans, { plans: [] });
  server.answer(listCoveredAreas, { areas: [], next: null, total: 0 });
  server.answer(readCoverage, { open: [], certificate: null, canIssue: true });
  server.answer(listToCountAgain, { rows: [], currency: "USD", unknownCosts: 0, next: null, total: 0 });
  server.answer(listCountedAreas, { areas: [] });
  server.answer(listCountAdjustments, { counts: [] });
  server.answer(exceptionGroups, { groups: [], devices: [], waiting: 0, next: null, total: 0 });
  server.answer(decidedExceptions, { scans: [], next: null, total: 0 });
  server.answer(countDifferences, { differences: [], open: 0, next: null, total: 0 });
  server.answer(controlSamples, { commitment: null, available: 0, samples: [], next: null, total: 0 });
  return server;
}

/** Resolves once all pieces of a report are drawn. */
export async function wholeReport(): Promise<void> {
  await screen.findByRole("region", { name: "Report Actions" });
  await waitFor(() => expect(document.querySelector("[data-coming='true']")).toBeNull());
}
