import {
  createInvitation,
  health,
  type Invitation,
  listInvitations,
  listLocations,
  listOutboxMails,
  listSessions,
  listStores,
  revokeInvitation,
} from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, location, session, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";
import { withoutMail } from "./testing/without-mail.ts";

const invitation: Invitation = {
  _id: "invitation-1",
  counterName: "Mia",
  email: "mia@example.com",
  token: "abcdefghijkl",
  createdAt: "2026-03-01T08:05:00.000Z",
  usedAt: null,
};

const mail = {
  _id: "mail-1",
  to: "mia@example.com",
  subject: "Count Harbour Street",
  text: "Hello Mia",
  link: "http://localhost/counter/invite/0123456789abcdefghijkl",
  createdAt: "2026-03-01T08:05:00.000Z",
};

const active = session({ status: "active", endedAt: null });

function inviteServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listSessions, { sessions: [active] });
  server.answer(listInvitations, { invitations: [invitation] });
  server.answer(listOutboxMails, { mails: [] });
  return server;
}

async function openDialog() {
  return (await openWithClient()).dialog;
}

async function openWithClient() {
  const { client } = openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "Invite Counters" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Invite Counters to Harbour Street" }));
  return { client, dialog };
}

async function fillAndSend(dialog: Awaited<ReturnType<typeof openDialog>>, button = "Send Invitation") {
  await userEvent.type(dialog.getByLabelText("Counter Name"), "Tom");
  await userEvent.type(dialog.getByLabelText("Email"), "tom@example.com");
  await userEvent.click(dialog.getByRole("button", { name: button }));
}

describe("inviting counters", () => {
  it("needs name and email [spec:5.2]", async () => {
    const sent = inviteServer().answer(createInvitation, { invitation, delivery: "sent" });
    const dialog = await openDialog();
    await userEvent.type(dialog.getByLabelText("Counter Name"), "Tom");
    await userEvent.click(dialog.getByRole("button", { name: "Send Invitation" }));
    await dialog.findByText("All fields are required");
    expect(sent).toEqual([]);
    expect(dialog.getByLabelText("Email").getAttribute("type")).toBe("email");
  });

  it("shows that the address is not valid, until it is", async () => {
    const sent = inviteServer().answer(createInvitation, { invitation, delivery: "sent" });
    const dialog = await openDialog();
    const invalid = "The email address is not valid. Enter one like name@example.com.";
    await userEvent.type(dialog.getByLabelText("Email"), "tom@example");
    await userEvent.click(dialog.getByRole("button", { name: "Send Invitation" }));
    dialog.getByText("All fields are required");
    dialog.getByText(invalid);
    await userEvent.type(dialog.getByLabelText("Counter Name"), "Tom");
    expect(dialog.queryByText("All fields are required")).toBeNull();
    dialog.getByText(invalid);
    expect(dialog.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
    await userEvent.type(dialog.getByLabelText("Email"), ".com");
    expect(dialog.queryByText(invalid)).toBeNull();
    expect(sent).toEqual([]);
  });

  it("an address that was invited before is asked about, and not refused", async () => {
    const sent = inviteServer().answer(createInvitation, { invitation, delivery: "sent" });
    const dialog = await openDialog();
    await dialog.findByText("…abcdefghijkl");
    await userEvent.type(dialog.getByLabelText("Counter Name"), "Mia again");
    await userEvent.type(dialog.getByLabelText("Email"), "Mia@Example.com");
    await userEvent.click(dialog.getByRole("button", { name: "Send Invitation" }));
    const question = within(await screen.findByRole("dialog", { name: "Invite again?" }));
    question.getByText(/mia@example.com has already been invited to this session as Mia/);
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole("button", { name: "Send Invitation" }));
    await dialog.findByText("Invitation sent successfully!");
    expect(sent).toHaveLength(1);
  });

  it("nobody is invited before it is known who has been", async () => {
    const server = inviteServer();
    const { release } = server.answerLater(listInvitations, { invitations: [invitation] });
    const sent = server.answer(createInvitation, { invitation, delivery: "sent" });
    const dialog = await openDialog();
    await userEvent.type(dialog.getByLabelText("Counter Name"), "Mia again");
    await userEvent.type(dialog.getByLabelText("Email"), "mia@example.com{Enter}");
    const send = dialog.getByRole("button", { name: "Send Invitation" });
    expect(send).toHaveProperty("disabled", true);
    release();
    await pressOnceEnabled(send);
    await screen.findByRole("dialog", { name: "Invite again?" });
    expect(sent).toEqual([]);
  });

  it("explains that a location is only pre-selected", async () => {
    const stockroom = location({ _id: "location-2", name: "Stockroom" });
    inviteServer().answer(listLocations, { locations: [location(), stockroom] });
    const dialog = await openDialog();
    const choice = await dialog.findByLabelText("Location (Optional)");
    await dialog.findByRole("option", { name: "Sales Floor" });
    expect(dialog.queryByText(/pre-selects/)).toBeNull();
    await userEvent.selectOptions(choice, "Sales Floor");
    dialog.getByText("This only pre-selects the location; the counter can open all areas of the store.");
  });

  it("asks for no location where the store has but one: phones choose it by themselves", async () => {
    const elsewhere = { _id: "store-2", name: "Old Mill" };
    const cellar = location({ _id: "location-2", name: "Cellar", storeId: elsewhere });
    const server = inviteServer();
    server.answer(listLocations, { locations: [location(), cellar] });
    const sent = server.answer(createInvitation, { invitation, delivery: "sent" });
    const dialog = await openDialog();
    await dialog.findByRole("table", { name: "Invitations" });
    expect(dialog.queryByLabelText("Location (Optional)")).toBeNull();
    await fillAndSend(dialog);
    await dialog.findByText("Invitation sent successfully!");
    expect(sent.map(({ body }) => Object(body).locationId)).toEqual([undefined]);
  });

  it("tells invitations of one name apart by their addresses until both have joined", async () => {
    const namesake = { ...invitation, _id: "invitation-2", email: "mia.b@example.com" };
    const other = { ...invitation, _id: "invitation-3", counterName: "Tom", email: "tom@example.com" };
    const joined = { ...invitation, _id: "invitation-4", usedAt: "2026-03-01T08:06:00.000Z" };
    inviteServer().answer(listInvitations, { invitations: [joined, namesake, other] });
    const dialog = await openDialog();
    await dialog.findByText("mia.b@example.com");
    const said = "Others here have this name: whoever joins later gets a number behind it.";
    expect(dialog.getAllByText(said)).toHaveLength(1);
    const [, revoke] = dialog.getAllByRole("button", { name: "Revoke Mia" });
    if (revoke === undefined) throw new Error("There is no second Mia.");
    await userEvent.click(revoke);
    await screen.findByText("Are you sure you want to revoke the invitation of Mia (mia.b@example.com)?");
  });

  it("shows with an invitation the location that was chosen in it", async () => {
    const chosen = { ...invitation, locationId: "location-1", locationName: "Sales Floor" };
    const other = { ...invitation, _id: "invitation-2", counterName: "Tom", email: "tom@example.com" };
    inviteServer().answer(listInvitations, { invitations: [chosen, other] });
    const dialog = await openDialog();
    const rows = within(await dialog.findByRole("table", { name: "Invitations" })).getAllByRole("row");
    expect(rows.map((row) => /Location: .*?(?=…)/.exec(row.textContent)?.[0] ?? null)).toEqual([
      null,
      "Location: Sales Floor",
      null,
    ]);
  });

  it("a mail that the server took was sent [spec:2.sessions.5][spec:8.success.1]", async () => {
    const sent = inviteServer().answer(createInvitation, { invitation, delivery: "sent" });
    const dialog = await openDialog();
    await fillAndSend(dialog);
    await dialog.findByText("Invitation sent successfully!");
    expect(sent[0]?.body).toEqual({
      sessionId: active._id,
      storeId: "store-1",
      counterName: "Tom",
      email: "tom@example.com",
    });
  });

  it("says before anybody is invited that nothing is sent where there is no mail server", async () => {
    const server = inviteServer();
    server.answer(health, withoutMail);
    const dialog = await openDialog();
    await dialog.findByText(/^No mail server is configured, so nothing will be sent\./);
    dialog.getByRole("button", { name: "Create Invitation" });
    expect(dialog.queryByRole("button", { name: "Send Invitation" })).toBeNull();
  });

  it("a mail in the outbox is not called sent, and can be opened", async () => {
    const server = inviteServer();
    server.answer(health, withoutMail);
    server.answer(createInvitation, { invitation, delivery: "outbox" });
    server.answer(listOutboxMails, { mails: [mail] });
    const dialog = await openDialog();
    await dialog.findByText(/so nothing will be sent/);
    await fillAndSend(dialog, "Create Invitation");
    await dialog.findByText(/no mail server is configured, so nothing was sent/);
    expect(dialog.getAllByText(/no mail server is configured/i)).toHaveLength(1);
    expect(dialog.queryByText("Invitation sent successfully!")).toBeNull();
    await userEvent.click(await dialog.findByRole("button", { name: "Open Email for Mia" }));
    const opened = within(await screen.findByRole("dialog", { name: "Email in the outbox" }));
    expect(opened.getByRole("link").getAttribute("href")).toBe(mail.link);
  });

  it.each([
    ["http://127.0.0.1:3000", 1],
    ["https://count.brand.example", 0],
    ["", 0],
  ])('a mail with a link to "%s" shows whether a phone can open it', async (origin, notices) => {
    const server = inviteServer();
    server.answer(createInvitation, { invitation, delivery: "outbox" });
    server.answer(listOutboxMails, {
      mails: [{ ...mail, link: mail.link.replace("http://localhost", origin) }],
    });
    const dialog = await openDialog();
    await fillAndSend(dialog);
    await userEvent.click(await dialog.findByRole("button", { name: "Open Email for Mia" }));
    const opened = within(await screen.findByRole("dialog", { name: "Email in the outbox" }));
    expect(opened.queryAllByText(/^This link only works on this computer/)).toHaveLength(notices);
  });

  it("names who was invited before there was a mail server, and nobody else, as not sent", async () => {
    const server = inviteServer();
    const mailed = { ...invitation, _id: "invitation-2", counterName: "Tom", token: "tomtomtomtom" };
    server.answer(listInvitations, { invitations: [invitation, mailed] });
    server.answer(listOutboxMails, { mails: [mail] });
    const dialog = await openDialog();
    await dialog.findByRole("button", { name: "Open Email for Mia" });
    const rows = within(dialog.getByRole("table", { name: "Invitations" })).getAllByRole("row");
    expect(rows.filter((row) => row.textContent?.includes("nothing was sent"))).toEqual([
      dialog.getByRole("button", { name: "Revoke Mia" }).closest("tr"),
    ]);
  });

  it("what was typed stays where the mail could not be sent", async () => {
    inviteServer().refuse(createInvitation, "MAIL_FAILED", "The mail server refused the address.");
    const dialog = await openDialog();
    await fillAndSend(dialog);
    await dialog.findByText("The mail server refused the address.");
    expect(dialog.getByLabelText("Email")).toHaveProperty("value", "tom@example.com");
  });

  it("lists the last 12 characters of the token and revokes after a question [spec:2.sessions.6][spec:9.11][spec:8.confirmation.7][spec:8.success.2]", async () => {
    const sent = inviteServer().answer(revokeInvitation, { success: true });
    const dialog = await openDialog();
    await dialog.findByText("…abcdefghijkl");
    await userEvent.click(dialog.getByRole("button", { name: "Revoke Mia" }));
    const question = within(await screen.findByRole("dialog", { name: "Revoke invitation?" }));
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole("button", { name: "Revoke Invitation" }));
    await screen.findByText("Invitation revoked successfully");
    expect(sent[0]?.path).toBe("/api/invitations/invitation-1");
  });

  it("asks on whether to revoke while the list can't be read again", async () => {
    const server = inviteServer();
    const { client, dialog } = await openWithClient();
    await userEvent.click(await dialog.findByRole("button", { name: "Revoke Mia" }));
    const question = await screen.findByRole("dialog", { name: "Revoke invitation?" });
    server.loseNetwork(listInvitations);
    await client.invalidateQueries();
    await screen.findByText("Failed to fetch data");
    expect(question).toHaveProperty("isConnected", true);
    screen.getByText("…abcdefghijkl");
  });
});
