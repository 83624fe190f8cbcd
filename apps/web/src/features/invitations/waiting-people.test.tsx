import {
  listInvitations,
  listOutboxMails,
  listSessions,
  listStores,
  revokeInvitation,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { activeSession, admin, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

it("whom a started plan is still to invite is named, with why, and can be taken out", async () => {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listSessions, { sessions: [activeSession()] });
  server.answer(listOutboxMails, { mails: [] });
  const ada = { _id: "w1", counterName: "Ada", email: "ada@example.com", problem: null, givenUp: false };
  const problem = "The mail server refused the address.";
  const tom = { _id: "w2", counterName: "Tom", email: "tom@example.com", problem, givenUp: true };
  server.answer(listInvitations, { invitations: [], waiting: [ada, tom] });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "Invite Counters" }));
  const table = within(await screen.findByRole("table", { name: "Still to be invited" }));
  const [, first, second] = table.getAllByRole("row");
  expect(first?.textContent).toContain("The mail is being sent. This is tried again by itself.");
  expect(second?.textContent).toContain(problem);
  expect(second?.textContent).toContain("This is not tried any more.");
  const sent = server.answer(revokeInvitation, () => {
    server.answer(listInvitations, { invitations: [], waiting: [ada] });
    return { success: true } as const;
  });
  await userEvent.click(table.getByRole("button", { name: "Take Out: Tom" }));
  await waitFor(() => expect(table.getAllByRole("row")).toHaveLength(2));
  expect(sent).toMatchObject([{ path: "/api/invitations/w2" }]);
});
