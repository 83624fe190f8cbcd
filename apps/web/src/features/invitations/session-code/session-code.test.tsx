import {
  acceptInvitation,
  admitAll,
  admitPerson,
  askToJoin,
  listInvitations,
  listOutboxMails,
  listSessions,
  listStores,
  openSessionCode,
  readCode,
  readJoinRequest,
  readSessionCode,
  revokeSessionCode,
  type SessionCode,
} from "@stocktake/contract";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { activeSession, admin, counter, store } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

const code: SessionCode = {
  _id: "code-1",
  link: "https://count.brand.example/counter/join/0123456789",
  createdAt: "2026-03-01T08:05:00.000Z",
  admitUntil: null,
};
const tom = { _id: "request-1", counterName: "Tom", askedAt: "2026-03-01T08:06:00.000Z" };

function adminServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listSessions, { sessions: [activeSession()] });
  server.answer(listInvitations, { invitations: [] });
  server.answer(listOutboxMails, { mails: [] });
  server.answer(readSessionCode, { code, requests: [tom] });
  return server;
}

const open = () => openPage("/admin/sessions/session-1/code");

describe("the administrator's page of a session code", () => {
  it("is reached from the session, which says how many wait", async () => {
    adminServer();
    const page = openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("link", { name: "Session Code (1 waiting)" }));
    await waitFor(() => expect(page.path()).toBe("/admin/sessions/session-1/code"));
  });

  it("does not say that nobody was admitted before it is known who was", async () => {
    const { sent, release } = adminServer().answerLater(listInvitations, { invitations: [] });
    open();
    await screen.findByText("Tom");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByText("Nobody has been admitted by the code yet.")).toBeNull();
    release();
    await screen.findByText("Nobody has been admitted by the code yet.");
  });

  it("opens a code, shows it as a picture with its address, and closes it after a question", async () => {
    const server = adminServer();
    server.answer(readSessionCode, { code: null, requests: [] });
    const opened = server.answer(openSessionCode, () => {
      server.answer(readSessionCode, { code, requests: [] });
      return { code };
    });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Open a Code" }));
    await screen.findByRole("img", { name: "QR code of the session" });
    screen.getByText(code.link);
    expect(opened.map(({ path }) => path)).toEqual(["/api/session-code/session-1"]);
    const closed = server.answer(revokeSessionCode, { success: true });
    await userEvent.click(screen.getByRole("button", { name: "Close the Code" }));
    const question = within(await screen.findByRole("dialog", { name: "Close the code?" }));
    expect(closed).toEqual([]);
    await userEvent.click(question.getByRole("button", { name: "Close the Code" }));
    await waitFor(() => expect(closed.map(({ path }) => path)).toEqual(["/api/session-code/code-1"]));
  });

  it("admits a person with one press, and everybody with another", async () => {
    const server = adminServer();
    const admitted = server.answer(admitPerson, { success: true });
    const everybody = server.answer(admitAll, { code });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Admit Tom" }));
    await waitFor(() =>
      expect(admitted.map(({ path }) => path)).toEqual(["/api/join-requests/request-1/admit"]),
    );
    const until = new Date(Date.now() + 60_000).toISOString();
    server.answer(readSessionCode, { code: { ...code, admitUntil: until }, requests: [] });
    await userEvent.click(screen.getByRole("button", { name: "Admit Everyone for 30 Minutes" }));
    await screen.findByText(/^Everyone who asks is admitted until/);
    expect(everybody[0]?.body).toEqual({ admitting: true });
    screen.getByText(/^Nobody is waiting/);
    screen.getByText(
      /^Until .+ you are admitted at once\. After that, wait until the administrator admits you\.$/,
    );
  });

  it("tells people of one name apart by when they asked, and says what becomes of the name", async () => {
    const server = adminServer();
    const later = { _id: "request-2", counterName: "tom", askedAt: "2026-03-01T08:09:00.000Z" };
    const mia = { _id: "request-3", counterName: "Mia", askedAt: "2026-03-01T08:10:00.000Z" };
    server.answer(readSessionCode, { code, requests: [tom, later, mia] });
    open();
    const people = within(await screen.findByRole("list", { name: "Waiting to be admitted" }));
    const names = people.getAllByRole("button", { name: /^Admit/ });
    expect(names.map((button) => button.getAttribute("aria-label"))).toEqual([
      expect.stringMatching(/^Admit Tom, Asked at .+06/),
      expect.stringMatching(/^Admit tom, Asked at .+09/),
      "Admit Mia",
    ]);
    const said = "Others here have this name: whoever is admitted later gets a number behind it.";
    expect(people.getAllByText(said)).toHaveLength(2);
  });

  it("says of whoever waits alone under a name of an invitation that they get the number", async () => {
    const server = adminServer();
    const invited = { _id: "i1", counterName: "TOM", email: "tom@example.com", token: "t", usedAt: null };
    server.answer(listInvitations, { invitations: [{ ...invited, createdAt: "2026-03-01T08:05:00.000Z" }] });
    const later = { _id: "request-2", counterName: "tom", askedAt: "2026-03-01T08:09:00.000Z" };
    const said = "Others here have this name: this one gets a number behind it.";
    for (const requests of [[tom], [tom, later]]) {
      server.answer(readSessionCode, { code, requests });
      open();
      const people = within(await screen.findByRole("list", { name: "Waiting to be admitted" }));
      await waitFor(() => expect(people.getAllByText(said)).toHaveLength(requests.length));
      expect(people.queryByText(/admitted later/)).toBeNull();
      cleanup();
    }
  });

  it.each([
    ["fast", -60],
    ["slow", 60],
  ])(
    "of a desk whose clock is an hour %s says as the server does whether everyone is admitted",
    async (_, minutes) => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      onTestFinished(() => void vi.useRealTimers());
      const server = adminServer();
      const until = new Date(Date.now() + (minutes + 30) * 60_000).toISOString();
      server.answer(readSessionCode, { code: { ...code, admitUntil: until }, requests: [] });
      open();
      await screen.findByText(/^Everyone who asks is admitted until/);
      screen.getByRole("button", { name: "Stop Admitting Everyone" });
      server.answer(readSessionCode, { code, requests: [] });
      await vi.advanceTimersByTimeAsync(15_000);
      await screen.findByRole("button", { name: "Admit Everyone for 30 Minutes" });
      expect(screen.queryByText(/^Everyone who asks is admitted until/)).toBeNull();
    },
  );

  it("lists whom the code has let in, and whether they have joined", async () => {
    const server = adminServer();
    const at = { token: "t", createdAt: "2026-03-01T08:05:00.000Z" };
    server.answer(listInvitations, {
      invitations: [
        { ...at, _id: "i1", counterName: "Mia", email: "mia@example.com", usedAt: at.createdAt },
        { ...at, _id: "i2", counterName: "Ana", email: "", usedAt: at.createdAt },
        { ...at, _id: "i3", counterName: "Bo", email: "", usedAt: null },
      ],
    });
    open();
    const admitted = within(await screen.findByRole("list", { name: "Admitted" })).getAllByRole("listitem");
    expect(admitted.map(({ textContent }) => textContent?.replace(/ at .*/, ""))).toEqual([
      "AnaAdmitted",
      "BoNot joined yet, admitted",
    ]);
    screen.getByText("Wait until the administrator admits you.");
  });

  it("of a session that has ended says so", async () => {
    adminServer().answer(listSessions, { sessions: [] });
    open();
    await screen.findByText("No session is counted here");
  });
});

const where = {
  code: { store: { name: "Harbour Street" }, session: { startedAt: "2026-03-01T08:00:00.000Z" } },
};
const request = (status: "waiting" | "admitted" | "declined") => ({
  request: { counterName: "Tom", status, store: { name: "Harbour Street" } },
});

async function giveName() {
  await userEvent.type(await screen.findByLabelText("Your name"), "Tom");
  await userEvent.click(screen.getByRole("button", { name: "Ask to Join" }));
}

describe("the phone that reads a session code", () => {
  it("asks for a name, waits, and counts once it is admitted", async () => {
    const server = new FakeServer();
    server.answer(readCode, where);
    server.answer(readJoinRequest, request("waiting"));
    const asked = server.answer(askToJoin, request("waiting"));
    const page = openPage("/counter/join/the-token");
    await giveName();
    await screen.findByRole("heading", { name: "Waiting for the administrator" });
    const key = Object(asked[0]?.body).key;
    expect(asked[0]?.body).toEqual({ counterName: "Tom", key: expect.stringMatching(/^[\w-]{43}$/) });
    const joined = server.signIn(acceptInvitation, {
      user: counter,
      invitationData: { storeId: "store-1", locationId: null },
    });
    server.answer(readJoinRequest, request("admitted"));
    await waitFor(() => expect(page.path()).toBe("/counter"));
    expect(joined.map(({ path }) => path)).toEqual([`/api/auth/invite/${key}/accept`]);
  });

  it("needs a name", async () => {
    const server = new FakeServer();
    server.answer(readCode, where);
    const asked = server.answer(askToJoin, request("waiting"));
    openPage("/counter/join/nameless");
    const name = await screen.findByLabelText("Your name");
    expect(document.activeElement).toBe(name);
    await userEvent.click(await screen.findByRole("button", { name: "Ask to Join" }));
    await screen.findByText("Your name is required.");
    expect(asked).toEqual([]);
  });

  it("goes on waiting after a reload, and can ask again when it was declined", async () => {
    const server = new FakeServer();
    server.answer(readCode, where);
    server.answer(readJoinRequest, request("declined"));
    const asked = server.answer(askToJoin, request("waiting"));
    openPage("/counter/join/declined");
    await giveName();
    await screen.findByRole("heading", { name: "You were not admitted" });
    cleanup();
    openPage("/counter/join/declined");
    await userEvent.click(await screen.findByRole("button", { name: "Ask Again" }));
    server.answer(readJoinRequest, request("waiting"));
    await giveName();
    await screen.findByRole("heading", { name: "Waiting for the administrator" });
    expect(Object(asked[1]?.body).key).not.toBe(Object(asked[0]?.body).key);
  });

  it("asks once where the answer was lost and the page is loaded again, unless by another name", async () => {
    const server = new FakeServer();
    server.answer(readCode, where);
    const keys: string[] = [];
    const askAfresh = async (name: string) => {
      const asked = server.loseNetwork(askToJoin);
      openPage("/counter/join/lost");
      await userEvent.type(await screen.findByLabelText("Your name"), name);
      await userEvent.click(screen.getByRole("button", { name: "Ask to Join" }));
      await screen.findByRole("alert");
      keys.push(Object(asked[0]?.body).key);
      cleanup();
    };
    for (const name of ["Tom", " tom", "Ada"]) await askAfresh(name);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    server.answer(readJoinRequest, request("waiting"));
    const heard = server.answer(askToJoin, request("waiting"));
    openPage("/counter/join/lost");
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada");
    await userEvent.click(screen.getByRole("button", { name: "Ask to Join" }));
    await screen.findByRole("heading", { name: "Waiting for the administrator" });
    expect(Object(heard[0]?.body).key).toBe(keys[2]);
    expect(localStorage.getItem("stocktake.pendingJoin.lost")).toBeNull();
  });

  it("asks anew after a refusal and a reload", async () => {
    const server = new FakeServer();
    server.answer(readCode, where);
    const asked = server.refuse(askToJoin, "RATE_LIMITED", "Many people are asking to join at the moment.");
    for (const _time of [1, 2]) {
      openPage("/counter/join/refused");
      await giveName();
      await screen.findByText(/Many people are asking/);
      cleanup();
    }
    expect(Object(asked[1]?.body).key).not.toBe(Object(asked[0]?.body).key);
  });

  it("says that a code is not valid, without leaving the page", async () => {
    new FakeServer().refuse(readCode, "NOT_FOUND", "Invalid or expired session code");
    const page = openPage("/counter/join/gone");
    await screen.findByRole("heading", { name: "This code is not valid" });
    screen.getByText("Invalid or expired session code");
    expect(page.path()).toBe("/counter/join/gone");
  });
});
