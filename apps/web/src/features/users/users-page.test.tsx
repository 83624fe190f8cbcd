import {
  createCounter,
  listCounters,
  listInvitations,
  listSessions,
  updateCounter,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const night = { _id: "counter-1", username: "night", isActive: true, createdAt: "2026-01-05T08:00:00.000Z" };
const old = { ...night, _id: "counter-2", username: "old", isActive: false };

function usersServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listCounters, { counters: [night, old] });
  server.answer(listSessions, { sessions: [] });
  return server;
}

describe("permanent counters", () => {
  it("a new one needs a username and a password of at least 6 characters", async () => {
    const sent = usersServer().answer(createCounter, { counter: night });
    openPage("/admin/users");
    const form = within(await screen.findByRole("region", { name: "Add Counter" }));
    await userEvent.type(form.getByLabelText("Password"), "12345");
    await userEvent.click(form.getByRole("button", { name: "Add Counter" }));
    form.getByText("Username is required");
    form.getByText("The password must be at least 6 characters long");
    expect(sent).toEqual([]);
  });

  it("a username that is in use is reported, and stays in the field", async () => {
    usersServer().refuse(createCounter, "USERNAME_TAKEN", "There is a counter of this name already.");
    openPage("/admin/users");
    const form = within(await screen.findByRole("region", { name: "Add Counter" }));
    await userEvent.type(form.getByLabelText("Username"), "night");
    await userEvent.type(form.getByLabelText("Password"), "123456");
    await userEvent.click(form.getByRole("button", { name: "Add Counter" }));
    await form.findByText("There is a counter of this name already.");
    expect(form.getByLabelText("Username")).toHaveProperty("value", "night");
  });

  it("after one was added the next is typed at once, into the first field", async () => {
    usersServer().answer(createCounter, { counter: night });
    openPage("/admin/users");
    const form = within(await screen.findByRole("region", { name: "Add Counter" }));
    await userEvent.type(form.getByLabelText("Username"), "night");
    await userEvent.type(form.getByLabelText("Password"), "123456");
    await userEvent.click(form.getByRole("button", { name: "Add Counter" }));
    await screen.findByText("night was added.");
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText("Username")));
    await userEvent.keyboard("late");
    expect(form.getByLabelText("Username")).toHaveProperty("value", "late");
  });

  it("renaming without a new password keeps the present one", async () => {
    const sent = usersServer().answer(updateCounter, { counter: { ...night, username: "late" } });
    openPage("/admin/users");
    await userEvent.click(await screen.findByRole("button", { name: "Edit night" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Counter" }));
    await userEvent.clear(dialog.getByLabelText("Username"));
    await userEvent.type(dialog.getByLabelText("Username"), "late");
    await userEvent.click(dialog.getByRole("button", { name: "Save Changes" }));
    await screen.findByText("late was saved.");
    expect(sent[0]?.body).toEqual({ username: "late" });
  });

  it("a new password alone leaves the name, which may be another by now", async () => {
    const sent = usersServer().answer(updateCounter, { counter: night });
    openPage("/admin/users");
    await userEvent.click(await screen.findByRole("button", { name: "Edit night" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Counter" }));
    await userEvent.type(dialog.getByLabelText("New Password (Optional)"), "a longer one");
    await userEvent.click(dialog.getByRole("button", { name: "Save Changes" }));
    await screen.findByText("night was saved.");
    expect(sent[0]?.body).toEqual({ password: "a longer one" });
  });

  it("deactivating asks first because logins end; activating does not", async () => {
    const sent = usersServer().answer(updateCounter, { counter: night });
    openPage("/admin/users");
    await userEvent.click(await screen.findByRole("button", { name: "Deactivate night" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Deactivate counter?" }));
    dialog.getByText("The counter is signed out everywhere immediately.");
    dialog.getByText(/^Scans that a device has not sent yet stay on it/);
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Activate old" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ isActive: true }));
  });
});

describe("temporary counters", () => {
  it("are those invited to an active session, joined or not", async () => {
    const server = usersServer();
    server.answer(listSessions, {
      sessions: [session({ _id: "running", status: "active", endedAt: null }), session({ _id: "over" })],
    });
    const invited = { _id: "i1", counterName: "Mia", email: "mia@example.com", token: "…", usedAt: null };
    const asked = server.answer(listInvitations, {
      invitations: [
        { ...invited, createdAt: "2026-03-01T08:00:00.000Z" },
        {
          ...invited,
          _id: "i2",
          counterName: "Tom",
          createdAt: "2026-03-01T08:00:00.000Z",
          usedAt: "2026-03-01T09:00:00.000Z",
        },
      ],
    });
    openPage("/admin/users");
    const table = within(await screen.findByRole("table", { name: "Temporary Counters" }));
    const rows = table.getAllByRole("row").slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Miamia@example.comHarbour StreetInvited–$/),
      expect.stringMatching(/^Tommia@example.comHarbour StreetJoinedMar 1, 2026/),
    ]);
    expect(asked.map((call) => call.path)).toEqual(["/api/invitations/session/running"]);
  });

  it("stay with what they are searched for while they can't be read again", async () => {
    const server = usersServer();
    server.answer(listSessions, { sessions: [session({ status: "active", endedAt: null })] });
    const invited = { email: "mia@example.com", token: "…", createdAt: "2026-03-01T08:00:00.000Z" };
    server.answer(listInvitations, {
      invitations: Array.from({ length: 12 }, (_, index) => ({
        ...{ ...invited, _id: `i${index}`, counterName: `Mia ${index}`, usedAt: null },
      })),
    });
    const { client } = openPage("/admin/users");
    const section = within(await screen.findByRole("region", { name: "Temporary Counters" }));
    const search = await section.findByRole("searchbox");
    await userEvent.type(search, "Mia 7");
    server.loseNetwork(listInvitations);
    await client.invalidateQueries();
    await section.findByText("Failed to fetch counters");
    expect(search).toHaveProperty("isConnected", true);
    expect(search).toHaveProperty("value", "Mia 7");
    section.getByRole("cell", { name: "Mia 7" });
  });

  it("without any, the page explains where they come from", async () => {
    usersServer();
    openPage("/admin/users");
    await screen.findByText("No Temporary Counters");
  });
});
