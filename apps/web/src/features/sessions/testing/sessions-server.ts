import {
  differencesSoFar,
  listAreas,
  listCoveredAreas,
  listInvitations,
  listLocations,
  listPlans,
  listSessions,
  listSheets,
  listStores,
  neverCountedGroups,
  type Operation,
  readCoverage,
  sessionPasses,
  sessionProgress,
} from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { admin, area, location, session, store } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

/** Opens the sessions page; the answer is the card on which a store's session is started. */
export async function openStart(name = "Old Mill") {
  openPage("/admin/sessions");
  const section = within(await screen.findByRole("region", { name: "Start New Session" }));
  return within(await section.findByRole("article", { name }));
}

/** The session that counts. */
export const active = session({ status: "active", endedAt: null });

/** The start of a session in Old Mill, with what a test cares about changed. */
export function operation(changes: Partial<Operation> = {}): Operation {
  return {
    _id: "operation-1",
    kind: "start",
    status: "running",
    done: 40,
    of: 100,
    storeId: "store-2",
    sessionId: null,
    error: null,
    ...changes,
  };
}

/** An area that Mia counts and that did not match before. */
export const openArea = {
  _id: "area-1",
  code: "A1",
  name: "Window",
  locationId: "location-1",
  locationName: "Sales Floor",
  status: "in_progress" as const,
  pass: 1,
  scans: 12,
  usernames: ["Mia"],
  lastScanAt: null,
  recountNeeded: true,
};

/** A server whose Harbour Street is being counted, with two devices in one area; nothing counts in Old Mill. */
export function sessionsServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store(), store({ _id: "store-2", name: "Old Mill" })] });
  server.answer(listSessions, { sessions: [active, session({ _id: "closed-1" })] });
  const backRoom = location({ _id: "location-2", storeId: { _id: "store-2", name: "Old Mill" } });
  server.answer(listLocations, { locations: [location(), backRoom] });
  server.answer(listAreas, { areas: [area(), area({ _id: "area-2", locationId: "location-2" })] });
  server.answer(listInvitations, { invitations: [] });
  server.answer(listPlans, { plans: [] });
  server.answer(listSheets, { sheets: [] });
  server.answer(neverCountedGroups, {
    ...{ items: 0, unlisted: 0, notThere: 0, contradicted: 0, vendors: [], productTypes: [] },
  });
  server.answer(listCoveredAreas, { areas: [], next: null, total: 0 });
  server.answer(readCoverage, { open: [], certificate: null, canIssue: false });
  server.answer(sessionPasses, { passes: [] });
  server.answer(differencesSoFar, { differences: [], currency: "USD" });
  server.answer(sessionProgress, {
    areas: [openArea],
    devices: [
      { deviceId: "d1", username: "Mia", lastSeenAt: "2026-03-01T09:00:00.000Z", scans: 12, pending: 3 },
      { deviceId: "d2", username: "Tom", lastSeenAt: "2026-03-01T09:00:00.000Z", scans: 9, pending: 0 },
    ],
    exceptions: { unresolved: 1, late: 1 },
  });
  return server;
}
