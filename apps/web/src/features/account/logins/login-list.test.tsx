import { endOtherLogins, endOwnLogin, type Login, listLogins } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { counter } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

const permanent = { ...counter, isTemporary: false, invitationId: null };
const here: Login = {
  _id: "login-1",
  browser: "Firefox on Linux",
  signedInAt: "2026-03-01T08:00:00.000Z",
  lastSeenAt: "2026-03-02T08:00:00.000Z",
  endsAt: "2026-03-31T08:00:00.000Z",
  isThisOne: true,
};
const phone: Login = { ...here, _id: "login-2", browser: "Chrome on Android", isThisOne: false };
const unknown: Login = { ...here, _id: "login-3", browser: null, isThisOne: false };

function open(...logins: readonly Login[]): FakeServer {
  return openWithClient(...logins).server;
}

function openWithClient(...logins: readonly Login[]) {
  const server = new FakeServer(permanent);
  server.answer(listLogins, { logins: [...logins] });
  const { client } = openPage("/counter/logins");
  return { server, client };
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });
const inDialog = async (name: string) =>
  userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));

describe("the list of one's own logins", () => {
  it("names each browser and marks this one, which has no button to end it", async () => {
    open(here, phone, unknown);
    await screen.findByText("Firefox on Linux");
    screen.getByText("This browser");
    screen.getByText("Chrome on Android");
    screen.getByText("Unknown browser");
    expect(screen.getAllByRole("button", { name: /^End .*, / })).toHaveLength(2);
  });

  it("says where there is no other, and offers nothing to end", async () => {
    open(here);
    await screen.findByText("You are signed in nowhere else.");
    expect(screen.queryByRole("button", { name: /^End/ })).toBeNull();
  });

  it("that can't be read says so and can be read again", async () => {
    const server = new FakeServer(permanent);
    server.refuse(listLogins, "FORBIDDEN", "");
    openPage("/counter/logins");
    await screen.findByText("Failed to fetch logins");
    server.answer(listLogins, { logins: [here] });
    await userEvent.click(await button("Try Again"));
    await screen.findByText("Firefox on Linux");
  });
});

describe("ending logins", () => {
  it("asks on while the list can't be read again", async () => {
    const { server, client } = openWithClient(here, phone);
    await userEvent.click(await button(/^End Chrome on Android/));
    const question = await screen.findByRole("dialog");
    server.loseNetwork(listLogins);
    await client.invalidateQueries();
    await screen.findByText("Failed to fetch logins");
    expect(question).toHaveProperty("isConnected", true);
    screen.getByText("Firefox on Linux");
  });

  it("asks, ends the one that was chosen and reads the list again", async () => {
    const server = open(here, phone);
    const sent = server.answer(endOwnLogin, { success: true });
    await userEvent.click(await button(/^End Chrome on Android/));
    screen.getByText(/Scans that a device has not sent yet stay on it/);
    server.answer(listLogins, { logins: [here] });
    await inDialog("End");
    await screen.findByText("The login of Chrome on Android has ended.");
    expect(sent.map(({ path }) => path)).toEqual(["/api/auth/logins/login-2"]);
    await screen.findByText("You are signed in nowhere else.");
  });

  it("ends all others at once", async () => {
    const server = open(here, phone, unknown);
    server.answer(endOtherLogins, { ended: 2 });
    await userEvent.click(await button("End All Others"));
    server.answer(listLogins, { logins: [here] });
    await inDialog("End All Others");
    await screen.findByText("2 logins have ended.");
  });

  it("shows a refusal in the dialog, which stays open", async () => {
    open(here, phone).refuse(endOwnLogin, "NOT_FOUND", "The login was not found.");
    await userEvent.click(await button(/^End Chrome on Android/));
    await inDialog("End");
    await within(await screen.findByRole("dialog")).findByText("The login was not found.");
  });
});
