import {
  type CallDefinition,
  changeAdminPassword,
  createAreas,
  createInvitation,
  createLocation,
  createStore,
  deleteArea,
  deleteLocation,
  deleteStore,
  endSession,
  exportReport,
  listAreas,
  listInvitations,
  listLocations,
  listSessions,
  listShopifyLocations,
  listStores,
  reopenArea,
  revokeInvitation,
  scanActivity,
  startSession,
  updateLocation,
  updateStore,
} from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { address, reportServer } from "../features/reports/testing/report-server.ts";
import type { FakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.tsx";
import { shopFloorServer } from "../testing/shop-floor.ts";

type Act = () => Promise<void>;
type FailingCase = readonly [title: string, text: string, call: CallDefinition, path: string, act: Act];

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
const choose = async (label: string, option: string) => {
  await screen.findByRole("option", { name: option });
  await userEvent.selectOptions(screen.getByLabelText(label), option);
};
const pressInDialog = async (name: string) =>
  userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));
/** Opens a question by its button and says yes to it. */
const confirm = (open: string, yes: string): Act => {
  return async () => {
    await press(open);
    await pressInDialog(yes);
  };
};
const nothing: Act = async () => undefined;

const stores = "/admin/stores";
const locations = "/admin/locations";
const sessions = "/admin/sessions";

const reading: readonly FailingCase[] = [
  [
    "the stores of the stores page: Failed to fetch stores [spec:8.fallback.2]",
    "Failed to fetch stores",
    listStores,
    stores,
    nothing,
  ],
  [
    "Shopify's locations [spec:8.fallback.3]",
    "Failed to fetch Shopify locations",
    listShopifyLocations,
    stores,
    nothing,
  ],
  [
    "the locations: Failed to fetch data [spec:8.fallback.6]",
    "Failed to fetch data",
    listLocations,
    locations,
    nothing,
  ],
  [
    "the areas of the locations page: Failed to fetch data",
    "Failed to fetch data",
    listAreas,
    locations,
    nothing,
  ],
  [
    "the stores of the locations page: Failed to fetch data",
    "Failed to fetch data",
    listStores,
    locations,
    nothing,
  ],
  ["the sessions: Failed to fetch data", "Failed to fetch data", listSessions, sessions, nothing],
  [
    "the sessions of the reports: Failed to fetch data",
    "Failed to fetch data",
    listSessions,
    "/admin/reports",
    nothing,
  ],
  ["the dashboard's figures: Failed to fetch data", "Failed to fetch data", listAreas, "/admin", nothing],
  ["the dashboard's chart: Failed to fetch data", "Failed to fetch data", scanActivity, "/admin", nothing],
  [
    "the invitations of a session",
    "Failed to fetch data",
    listInvitations,
    sessions,
    () => press("Invite Counters"),
  ],
];

async function addStore(): Promise<void> {
  await choose("Shopify Location", "Airport");
  await press("Add Store");
}

async function addLocation(): Promise<void> {
  await choose("Store", "Old Mill");
  await type("Location Name", "Cellar");
  await press("Add Location");
}

async function addAreas(): Promise<void> {
  await press("ADD AREAS Sales Floor");
  await userEvent.type(await screen.findByRole("textbox", { name: "Areas" }), "B1");
  await press("Add 1 Area");
}

async function startOldMill(): Promise<void> {
  const section = within(await screen.findByRole("region", { name: "Start New Session" }));
  const card = within(await section.findByRole("article", { name: "Old Mill" }));
  await userEvent.click(card.getByRole("button", { name: "Start Session" }));
  await pressInDialog("Start Session");
}

async function endHarbourStreet(): Promise<void> {
  await press("End Session");
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("Every area is closed, and no device has said that it holds scans.");
  await pressInDialog("End Session");
}

async function invite(): Promise<void> {
  await press("Invite Counters");
  await type("Counter Name", "Tom");
  await type("Email", "tom@example.com");
  await press("Send Invitation");
}

async function revoke(): Promise<void> {
  await press("Invite Counters");
  await press("Revoke Mia");
  await press("Revoke Invitation");
}

async function changePassword(): Promise<void> {
  await type("Current Password", "old-secret");
  await type("New Password", "new-secret");
  await type("Confirm New Password", "new-secret");
  await press("Change Password");
}

const changing: readonly FailingCase[] = [
  [
    "adding a store: Failed to create store [spec:8.fallback.4]",
    "Failed to create store",
    createStore,
    stores,
    addStore,
  ],
  [
    "saving a store [spec:8.fallback.4]",
    "Failed to update store",
    updateStore,
    stores,
    confirm("EDIT Old Mill", "Save Changes"),
  ],
  [
    "deleting a store [spec:8.fallback.5]",
    "Failed to delete store",
    deleteStore,
    stores,
    confirm("DELETE Old Mill", "Delete Store"),
  ],
  [
    "adding a location [spec:8.fallback.7]",
    "Failed to create location",
    createLocation,
    locations,
    addLocation,
  ],
  [
    "saving a location [spec:8.fallback.7]",
    "Failed to update location",
    updateLocation,
    locations,
    confirm("EDIT Sales Floor", "Save Changes"),
  ],
  [
    "adding areas: Failed to create areas [spec:8.fallback.8]",
    "Failed to create areas",
    createAreas,
    locations,
    addAreas,
  ],
  [
    "deleting a location [spec:8.fallback.9]",
    "Failed to delete location",
    deleteLocation,
    locations,
    confirm("DELETE Sales Floor", "Delete Location"),
  ],
  [
    "deleting an area [spec:8.fallback.10]",
    "Failed to delete area",
    deleteArea,
    locations,
    confirm("DELETE A1", "Delete Area"),
  ],
  [
    "reopening an area [spec:8.fallback.11]",
    "Failed to reopen area",
    reopenArea,
    locations,
    confirm("REOPEN A3", "Reopen Area"),
  ],
  [
    "starting a session: Failed to start session [spec:8.fallback.12]",
    "Failed to start session",
    startSession,
    sessions,
    startOldMill,
  ],
  [
    "ending a session: Failed to end session [spec:8.fallback.13]",
    "Failed to end session",
    endSession,
    sessions,
    endHarbourStreet,
  ],
  [
    "inviting somebody: Failed to send invitation [spec:8.fallback.14]",
    "Failed to send invitation",
    createInvitation,
    sessions,
    invite,
  ],
  [
    "revoking an invitation [spec:8.fallback.15]",
    "Failed to revoke invitation",
    revokeInvitation,
    sessions,
    revoke,
  ],
  [
    "changing the password [spec:8.fallback.16]",
    "Failed to change password",
    changeAdminPassword,
    "/admin/settings",
    changePassword,
  ],
];

/** The red box with the heading Error that holds the words. */
async function expectErrorBox(text: string): Promise<void> {
  const words = await screen.findByText(text);
  const box = words.closest<HTMLElement>("[role=alert]");
  expect(box?.className).toBe("notice error");
  within(box ?? words).getByText("Error");
}

function breakCall(server: FakeServer, call: CallDefinition, how: "no message" | "no network"): void {
  if (how === "no message") server.answerRaw(call, 502, "<html>Bad gateway</html>");
  else server.loseNetwork(call);
}

describe.each(["no message", "no network"] as const)("with %s from the server the red box shows", (how) => {
  it.each(reading)("reading %s", async (_what, text, call, path, act) => {
    breakCall(shopFloorServer(), call, how);
    openPage(path);
    await act();
    await expectErrorBox(text);
  });

  it.each(changing)("%s", async (_what, text, call, path, act) => {
    breakCall(shopFloorServer(), call, how);
    openPage(path);
    await act();
    await expectErrorBox(text);
  });

  it("exporting a report: Failed to export CSV [spec:8.fallback.18]", async () => {
    breakCall(reportServer(), exportReport, how);
    openPage(address);
    await press("Export CSV");
    await expectErrorBox("Failed to export CSV");
  });
});
