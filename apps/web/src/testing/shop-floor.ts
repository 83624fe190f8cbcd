import {
  type Invitation,
  listAreas,
  listCounters,
  listInvitations,
  listLocations,
  listOutboxMails,
  listSessions,
  listSheets,
  listShopifyLocations,
  listStores,
  readCoverage,
  scanActivity,
  sessionProgress,
} from "@stocktake/contract";
import { admin, area, location, session, store } from "./examples.ts";
import { FakeServer } from "./fake-server.ts";

const activeSession = session({ _id: "0000-0000-session-running1", status: "active", endedAt: null });

const invitation: Invitation = {
  _id: "invitation-1",
  counterName: "Mia",
  email: "mia@example.com",
  token: "abcdefghijkl",
  createdAt: "2026-03-01T08:05:00.000Z",
  usedAt: null,
};

const closedAreaProgress = {
  ...{ _id: "area-3", code: "A3", name: "Back", locationId: "location-1", locationName: "Sales Floor" },
  ...{ status: "closed" as const, pass: 1, scans: 0, usernames: [], lastScanAt: null, recountNeeded: false },
};

/** A server with every list of the administrator's pages: two stores, one of them counting. */
export function shopFloorServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store(), store({ _id: "store-2", name: "Old Mill" })] });
  server.answer(listShopifyLocations, {
    locations: [
      { id: "gid://shopify/Location/1", name: "Harbour Street" },
      { id: "gid://shopify/Location/9", name: "Airport" },
    ],
  });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, {
    areas: [area(), area({ _id: "area-3", code: "A3", name: "Back", status: "closed" })],
  });
  server.answer(listSessions, { sessions: [activeSession, session()] });
  server.answer(scanActivity, { begun: false, since: "2026-03-01T11:00:00.000Z", hours: [] });
  server.answer(listInvitations, { invitations: [invitation] });
  server.answer(listOutboxMails, { mails: [] });
  server.answer(listCounters, { counters: [] });
  server.answer(listSheets, { sheets: [] });
  server.answer(readCoverage, { open: [], certificate: null, canIssue: false });
  server.answer(sessionProgress, {
    areas: [closedAreaProgress],
    devices: [],
    exceptions: { unresolved: 0, late: 0 },
  });
  return server;
}
