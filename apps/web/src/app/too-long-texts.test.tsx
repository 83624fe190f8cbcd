import {
  limits,
  listAreas,
  listAudit,
  listCounters,
  listInvitations,
  listLocations,
  listOutboxMails,
  listSessions,
  listShopifyLocations,
  listStores,
} from "@stocktake/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { address, reportServer } from "../features/reports/testing/report-server.ts";
import { admin, location, session, store } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.tsx";

function adminServer(): void {
  const server = new FakeServer(admin);
  const counter = { _id: "c1", username: "night", isActive: true, createdAt: "2026-01-05T08:00:00.000Z" };
  server.answer(listStores, { stores: [store()] });
  server.answer(listShopifyLocations, { locations: [] });
  server.answer(listCounters, { counters: [counter] });
  server.answer(listSessions, { sessions: [session({ status: "active", endedAt: null })] });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas: [] });
  server.answer(listInvitations, { invitations: [] });
  server.answer(listOutboxMails, { mails: [] });
  server.answer(listAudit, { entries: [], next: null });
}

interface Place {
  readonly path: string;
  /** The button that opens the form, where it is not on the page. */
  readonly open?: string;
  readonly label: string;
  /** What the message names the text. */
  readonly text: string;
  readonly maximum: number;
}

const { name, email, passwordMaximum, reason } = limits;
const settings = { path: "/admin/settings", text: "A password", maximum: passwordMaximum };

const places: readonly Place[] = [
  { path: "/admin/stores", label: "Store Name", text: "Store name", maximum: name },
  {
    ...{ path: "/admin/stores", open: "EDIT Harbour Street" },
    ...{ label: "Store Name", text: "Store name", maximum: name },
  },
  { path: "/admin/users", label: "Username", text: "Username", maximum: name },
  { path: "/admin/users", label: "Password", text: "A password", maximum: passwordMaximum },
  {
    ...{ path: "/admin/users", open: "Edit night", label: "New Password (Optional)" },
    ...{ text: "A password", maximum: passwordMaximum },
  },
  { path: "/admin/locations", label: "Location Name", text: "Location name", maximum: name },
  {
    ...{ path: "/admin/locations", open: "EDIT Sales Floor" },
    ...{ label: "Location Name", text: "Location name", maximum: name },
  },
  {
    ...{ path: "/admin/sessions", open: "Invite Counters", label: "Counter Name" },
    ...{ text: "Counter name", maximum: name },
  },
  {
    ...{ path: "/admin/sessions", open: "Invite Counters", label: "Email" },
    ...{ text: "An email address", maximum: email },
  },
  ...[
    { label: "Session Name (Optional)", text: "Session name", maximum: name },
    { label: "Note (Optional)", text: "Note", maximum: reason },
  ].map((field) => ({ path: "/admin/sessions", open: "Name and Note of Harbour Street", ...field })),
  { ...settings, label: "Current Password" },
  { ...settings, label: "New Password" },
  { ...settings, label: "Confirm New Password" },
  { path: "/admin/audit", label: "Done By", text: "Done By", maximum: name },
];

/** Pastes as many characters as are allowed, which the browser counts as two each, then one more. */
async function pasteTooMuch({ path, open, label, text, maximum }: Place): Promise<void> {
  const user = userEvent.setup();
  openPage(path);
  if (open !== undefined) {
    const [button] = await screen.findAllByRole("button", { name: open });
    await user.click(button ?? document.body);
  }
  const field = (await screen.findAllByLabelText(label)).at(-1) ?? document.body;
  const message = () => screen.queryByText(`${text} can have at most ${maximum} characters.`);
  const longest = "👕".repeat(maximum);
  await user.clear(field);
  await user.click(field);
  await user.paste(longest);
  expect(field).toHaveProperty("value", longest);
  expect(message()).toBeNull();
  await user.paste("!");
  await waitFor(() => expect(message()).not.toBeNull());
  expect(field).toHaveProperty("value", `${longest}!`);
  expect(field.getAttribute("aria-invalid")).toBe("true");
}

it.each(places)("a text too long for $label ($path) is kept, and the field shows so", async (place) => {
  adminServer();
  await pasteTooMuch(place);
});

it("a reason too long for a count is kept, and the field shows so", async () => {
  reportServer();
  const open = "Adjust Count of LIN-M";
  await pasteTooMuch({ path: address, open, label: "Reason (Optional)", text: "Reason", maximum: reason });
  expect(screen.getByRole("button", { name: "Save Adjustment" })).toHaveProperty("disabled", true);
});

it("a password too long for a login is kept, and the field shows so", async () => {
  new FakeServer();
  await pasteTooMuch({ path: "/login", label: "Password", text: "A password", maximum: passwordMaximum });
  expect(screen.getByRole("button", { name: "Sign In" })).toHaveProperty("disabled", true);
});
