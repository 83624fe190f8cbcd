import {
  createInvitation,
  health,
  type Invitation,
  listEarlierCounters,
  listInvitations,
  listOutboxMails,
  listSessions,
  listStores,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { activeSession, admin, store } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { withoutMail } from "../testing/without-mail.ts";

const mia: Invitation = {
  _id: "invitation-1",
  counterName: "Mia",
  email: "mia@example.com",
  token: "abcdefghijkl",
  createdAt: "2026-03-01T08:05:00.000Z",
  usedAt: null,
};

function listServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listSessions, { sessions: [activeSession()] });
  server.answer(listInvitations, { invitations: [mia] });
  server.answer(listOutboxMails, { mails: [] });
  server.answer(listEarlierCounters, {
    counters: [{ counterName: "Zoe", email: "zoe@example.com", invitedAt: "2026-02-01T08:05:00.000Z" }],
  });
  return server;
}

async function openList() {
  openPage("/admin/sessions");
  return listDialog();
}

async function listDialog() {
  await userEvent.click(await screen.findByRole("button", { name: "Invite Counters" }));
  await userEvent.click(await screen.findByRole("button", { name: "Invite a List" }));
  return within(await screen.findByRole("dialog", { name: "Invite a list of people to Harbour Street" }));
}

const rowsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole("listitem")
    .map((row) => row.textContent);

it("names the bad lines, and sends nothing until they are right", async () => {
  const sent = listServer().answer(createInvitation, { invitation: mia, delivery: "sent" });
  const dialog = await openList();
  await userEvent.click(dialog.getByLabelText("People"));
  await userEvent.paste("Tom, tom@example.com\nGrace, grace@example");
  expect(rowsOf(dialog.getByRole("list", { name: "Who will be invited" }))).toEqual([
    "1Tom tom@example.com",
    "2Grace grace@examplegrace@example is not a valid email address.",
  ]);
  expect(dialog.getByRole("button", { name: "Correct 1 line" })).toHaveProperty("disabled", true);
  expect(sent).toEqual([]);
});

it("invites each person once, leaves out whoever is invited, and says what came of each", async () => {
  const server = listServer();
  const sent = server.answer(createInvitation, ({ body }) => ({
    invitation: mia,
    delivery: JSON.stringify(body).includes("ada@") ? ("already" as const) : ("sent" as const),
  }));
  const dialog = await openList();
  await userEvent.click(dialog.getByLabelText("People"));
  await userEvent.paste("Tom, tom@example.com\nMia <MIA@example.com>\nAda;ada@example.com");
  await userEvent.click(dialog.getByRole("button", { name: "Send 2 Invitations" }));
  const told = await dialog.findByText("1 person was invited. 1 had been invited already.");
  // The button that sent them is gone; the keys go on from what came of it.
  await waitFor(() => expect(document.activeElement?.contains(told)).toBe(true));
  expect(document.activeElement?.tagName).toBe("DIV");
  expect(sent.map(({ body }) => body)).toEqual([
    {
      sessionId: "session-1",
      storeId: "store-1",
      counterName: "Tom",
      email: "tom@example.com",
      onlyOnce: true,
    },
    {
      sessionId: "session-1",
      storeId: "store-1",
      counterName: "Ada",
      email: "ada@example.com",
      onlyOnce: true,
    },
  ]);
  expect(rowsOf(dialog.getByRole("list", { name: "Invitations of this list" }))).toEqual([
    "1Tom tom@example.comSent",
    "2Ada ada@example.comInvited already",
  ]);
});

it("without a mail server it says so before, and gives the links afterwards", async () => {
  const server = listServer();
  server.answer(health, withoutMail);
  server.answer(createInvitation, { invitation: { ...mia, token: "tomtomtomtom" }, delivery: "outbox" });
  const dialog = await openList();
  await dialog.findByText(/^No mail server is configured, so nothing will be sent\./);
  // The dialog below it doesn't say the same.
  expect(screen.getAllByText(/No mail server is configured/)).toHaveLength(1);
  expect(dialog.getByRole("link", { name: "Show the Session Code" }).getAttribute("href")).toBe(
    "/admin/sessions/session-1/code",
  );
  await userEvent.click(dialog.getByLabelText("People"));
  await userEvent.paste("Tom, tom@example.com");
  const link = "https://count.example/counter/invite/0123tomtomtomtom";
  const mail = { subject: "", text: "", createdAt: mia.createdAt };
  server.answer(listOutboxMails, {
    mails: [
      { ...mail, _id: "mail-0", to: "tom@example.com", link: "https://count.example/counter/invite/other" },
      { ...mail, _id: "mail-1", to: "tom@example.com", link },
    ],
  });
  await userEvent.click(dialog.getByRole("button", { name: "Create 1 Invitation" }));
  await dialog.findByText(
    "No mail server is configured, so nothing was sent. Pass on the links below, each to its person.",
  );
  await dialog.findByText(link);
  expect(rowsOf(dialog.getByRole("list", { name: "Invitations of this list" }))).toEqual([
    `1Tom tom@example.comNot sent${link}`,
  ]);
});

it("whoever could not be invited is named with the reason, and alone is tried again", async () => {
  const server = listServer();
  server.refuse(createInvitation, "MAIL_FAILED", "The mail server refused the address.");
  const dialog = await openList();
  await userEvent.click(dialog.getByLabelText("People"));
  await userEvent.paste("Tom, tom@example.com");
  await userEvent.click(dialog.getByRole("button", { name: "Send 1 Invitation" }));
  await dialog.findByText("The mail server refused the address.");
  const sent = server.answer(createInvitation, { invitation: mia, delivery: "sent" });
  await userEvent.click(dialog.getByRole("button", { name: "Try 1 Again" }));
  await dialog.findByText("1 person was invited.");
  expect(sent).toHaveLength(1);
});

it("earlier counters are lines of the list once they are checked, until they are not", async () => {
  listServer();
  const dialog = await openList();
  await userEvent.click(await dialog.findByText("Earlier counters (1)"));
  const zoe = dialog.getByRole("checkbox", { name: "Zoe · zoe@example.com" });
  await userEvent.click(zoe);
  expect(dialog.getByLabelText("People")).toHaveProperty("value", "Zoe <zoe@example.com>");
  dialog.getByRole("button", { name: "Send 1 Invitation" });
  await userEvent.click(zoe);
  expect(dialog.getByLabelText("People")).toHaveProperty("value", "");
});

it("earlier counters stay as they were unfolded while they can't be read again", async () => {
  const server = listServer();
  const { client } = openPage("/admin/sessions");
  const dialog = await listDialog();
  await userEvent.click(await dialog.findByText("Earlier counters (1)"));
  const zoe = dialog.getByRole("checkbox", { name: "Zoe · zoe@example.com" });
  await userEvent.click(zoe);
  server.loseNetwork(listEarlierCounters);
  await client.invalidateQueries();
  await dialog.findByText("Failed to fetch earlier counters");
  expect(zoe).toHaveProperty("isConnected", true);
  expect(zoe.closest("details")).toHaveProperty("open", true);
  expect(dialog.getByLabelText("People")).toHaveProperty("value", "Zoe <zoe@example.com>");
});

it("a file is read into the list, and one that is no text is refused", async () => {
  listServer();
  const dialog = await openList();
  const input = dialog.getByLabelText("Load a File", { selector: "input" });
  await userEvent.upload(
    input,
    new File(["Name,Email\nTom,tom@example.com\n"], "people.csv", { type: "text/csv" }),
  );
  await dialog.findByRole("button", { name: "Send 1 Invitation" });
  await userEvent.upload(input, new File(["\0\0"], "people.txt", { type: "text/plain" }));
  await dialog.findByText("This file holds no list. Choose a text file or a CSV file.");
});

it("a file that Excel saved in the machine's old character set keeps its names", async () => {
  listServer();
  const dialog = await openList();
  const bytes = Uint8Array.from("Jürgen,juergen@example.com", (character) => character.charCodeAt(0));
  await userEvent.upload(
    dialog.getByLabelText("Load a File", { selector: "input" }),
    new File([bytes], "people.csv", { type: "text/csv" }),
  );
  await dialog.findByRole("button", { name: "Send 1 Invitation" });
  expect(dialog.getByLabelText("People")).toHaveProperty("value", "Jürgen,juergen@example.com");
});
