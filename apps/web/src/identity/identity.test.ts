import { listStores, logout, whoAmI } from "@stocktake/contract";
import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../http/query-client.ts";
import { counter } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import {
  confirmIdentity,
  enterIdentity,
  finishLogout,
  followOtherTabs,
  type Identity,
  identityKey,
  identityQuery,
  leaveIdentity,
  readEndedLogin,
} from "./identity.ts";

const restore = () => createQueryClient().fetchQuery(identityQuery);

describe("restoring the session", () => {
  it("returns the server's user, confirmed", async () => {
    new FakeServer(counter);
    expect(await restore()).toMatchObject({ user: { username: "Mia" }, confirmed: true });
  });

  it.each(["no network", "a broken server"])("with %s the last user continues, unconfirmed", async (what) => {
    const server = new FakeServer(counter);
    await restore();
    if (what === "no network") server.loseNetwork(whoAmI);
    else server.answerRaw(whoAmI, 502, "");
    expect(await restore()).toMatchObject({ user: { username: "Mia" }, confirmed: false });
  });

  it("only a 401 ends it, also for a later start without an answer", async () => {
    const server = new FakeServer(counter);
    await restore();
    server.refuse(whoAmI, "UNAUTHENTICATED", "Sign in to continue.");
    expect(await restore()).toBeNull();
    server.loseNetwork(whoAmI);
    expect(await restore()).toBeNull();
  });

  it("a 401 notes why the login is over, also before a page listens; a stranger's notes nothing", async () => {
    const body = { error: "Please sign in.", code: "UNAUTHENTICATED", loginEnd: "session_over" };
    const refuse = () => Response.json(body, { status: 401 });
    new FakeServer().answerWith(whoAmI, refuse);
    await restore();
    expect(readEndedLogin()).toBeNull();
    const server = new FakeServer(counter);
    await restore();
    server.answerWith(whoAmI, refuse);
    await restore();
    expect(readEndedLogin()).toEqual({ reason: "session_over", role: "counter", isTemporary: true });
  });

  it("without an earlier user and without the server nobody is signed in", async () => {
    new FakeServer().loseNetwork(whoAmI);
    expect(await restore()).toBeNull();
  });

  it("logging out drops what the user had loaded", async () => {
    new FakeServer(counter).answer(logout, { success: true });
    const client = createQueryClient();
    await client.fetchQuery(identityQuery);
    client.setQueryData([listStores.path], { stores: [] });
    await leaveIdentity(client);
    expect(client.getQueryData([listStores.path])).toBeUndefined();
  });
});

describe("a logout that the server has not heard", () => {
  async function leaveUnheard(refuse: (server: FakeServer) => void) {
    const server = new FakeServer(counter);
    const client = createQueryClient();
    await client.fetchQuery(identityQuery);
    refuse(server);
    await leaveIdentity(client);
    return { server, client };
  }

  it.each<[string, (server: FakeServer) => void]>([
    ["no network", (server) => server.loseNetwork(logout)],
    ["a proxy without its server", (server) => server.answerRaw(logout, 502, "Bad gateway")],
    ["a captive portal", (server) => server.answerRaw(logout, 200, "<h1>Welcome to our network</h1>")],
  ])(
    "with %s is repeated at each start until it is heard, and nobody is signed in",
    async (_what, refuse) => {
      const { server } = await leaveUnheard(refuse);
      expect(await restore()).toBeNull();
      const told = server.answer(logout, { success: true });
      expect(await restore()).toBeNull();
      expect(told).toHaveLength(1);
      server.answer(whoAmI, { user: counter, invitationData: null });
      expect(await restore()).toMatchObject({ user: { username: "Mia" } });
      expect(told).toHaveLength(1);
    },
  );

  it("is repeated by itself", async () => {
    vi.useFakeTimers();
    const { server, client } = await leaveUnheard((it) => it.loseNetwork(logout));
    const stop = new QueryObserver(client, identityQuery).subscribe(() => undefined);
    const told = server.answer(logout, { success: true });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(told).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(1);
    stop();
    vi.useRealTimers();
  });

  it("is repeated, too, where the page was closed before the server had answered", async () => {
    const server = new FakeServer(counter);
    const client = createQueryClient();
    await client.fetchQuery(identityQuery);
    const { sent } = server.answerLater(logout, { success: true });
    void leaveIdentity(client);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const told = server.answer(logout, { success: true });
    expect(await restore()).toBeNull();
    expect(told).toHaveLength(1);
  });

  it("stands against an answer that was on its way, which would sign the person in again in every tab", async () => {
    const server = new FakeServer(counter);
    const other = createQueryClient();
    await other.fetchQuery(identityQuery);
    const { release } = server.answerLater(whoAmI, { user: counter, invitationData: null });
    const asked = confirmIdentity(other);
    server.loseNetwork(logout);
    await leaveIdentity(createQueryClient());
    release();
    await asked;
    expect(other.getQueryData(identityKey)).toBeNull();
    expect(localStorage.getItem("stocktake.lastIdentity")).toBeNull();
  });

  /** As a page of an earlier release does it, which knows nothing of a logout that is owed. */
  async function rememberElsewhere(client: ReturnType<typeof createQueryClient>, user: typeof counter) {
    const leave = followOtherTabs(client);
    const [key, newValue] = ["stocktake.lastIdentity", JSON.stringify({ user, invitationData: null })];
    localStorage.setItem(key, newValue);
    const settled = vi.spyOn(client, "setQueryData").mockClear();
    window.dispatchEvent(new StorageEvent("storage", { key, newValue }));
    await vi.waitFor(() => expect(settled).toHaveBeenCalled());
    leave();
  }

  it("is not told once somebody else has signed in in a page that does not know of it: it would end their login", async () => {
    const { server, client } = await leaveUnheard((it) => it.loseNetwork(logout));
    const told = server.answer(logout, { success: true });
    const lars = { ...counter, _id: "another", username: "Lars" };
    server.answer(whoAmI, { user: lars, invitationData: null });
    await rememberElsewhere(client, lars);
    expect(client.getQueryData(identityKey)).toMatchObject({ user: { username: "Lars" } });
    // The first, who comes back to such a page later, is signed in too.
    server.answer(whoAmI, { user: counter, invitationData: null });
    await rememberElsewhere(client, counter);
    expect(client.getQueryData(identityKey)).toMatchObject({ user: { username: "Mia" } });
    expect(told).toEqual([]);
  });

  it("stands where such a page merely learns who was signed in", async () => {
    const { server, client } = await leaveUnheard((it) => it.loseNetwork(logout));
    const told = server.answer(logout, { success: true });
    await rememberElsewhere(client, counter);
    expect([client.getQueryData(identityKey), told.length]).toEqual([null, 1]);
    expect(localStorage.getItem("stocktake.lastIdentity")).toBeNull();
  });

  it("stands where such a page remembers somebody else, and the server still knows the person who left", async () => {
    const { server, client } = await leaveUnheard((it) => it.loseNetwork(logout));
    const told = server.answer(logout, { success: true });
    await rememberElsewhere(client, { ...counter, _id: "another", username: "Lars" });
    expect([client.getQueryData(identityKey), told.length]).toEqual([null, 1]);
  });

  it("is told before the next person signs in, and owed no longer once they have", async () => {
    const { server, client } = await leaveUnheard((it) => it.loseNetwork(logout));
    const told = server.loseNetwork(logout);
    await finishLogout(client);
    expect(told).toHaveLength(1);
    enterIdentity(client, { ...counter, username: "Lars" });
    await finishLogout(client);
    expect(told).toHaveLength(1);
    expect(await restore()).toMatchObject({ confirmed: true });
  });
});

describe("another tab of the browser", () => {
  const changed = () => window.dispatchEvent(new StorageEvent("storage", { key: "stocktake.lastIdentity" }));

  /** A page in which the counter is signed in and has loaded the stores. */
  async function openTab() {
    const server = new FakeServer(counter);
    const client = createQueryClient();
    await client.fetchQuery(identityQuery);
    client.setQueryData([listStores.path], { stores: [] });
    const userOf = () => client.getQueryData<Identity | null>(identityKey)?.user.username ?? null;
    return { server, client, userOf, leave: followOtherTabs(client) };
  }

  it("signs somebody else in: this one follows, and keeps nothing of the person before", async () => {
    const { client, userOf, leave } = await openTab();
    new FakeServer({ ...counter, _id: "another", username: "Lars" });
    changed();
    await vi.waitFor(() => expect(userOf()).toBe("Lars"));
    await vi.waitFor(() => expect(client.getQueryData([listStores.path])).toBeUndefined());
    leave();
  });

  it("logs out: nobody is signed in here either", async () => {
    const { server, userOf, leave } = await openTab();
    server.refuse(whoAmI, "UNAUTHENTICATED", "Sign in to continue.");
    changed();
    await vi.waitFor(() => expect(userOf()).toBeNull());
    leave();
  });

  it("confirms the same person: what was loaded stays", async () => {
    const { client, userOf, leave } = await openTab();
    await confirmIdentity(client);
    expect(userOf()).toBe("Mia");
    expect(client.getQueryData([listStores.path])).toEqual({ stores: [] });
    leave();
  });

  it("is not there: the browser has cleared its storage, which ends no login, with or without the server", async () => {
    const { server, client, userOf, leave } = await openTab();
    server.loseNetwork(whoAmI);
    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage", { key: null }));
    await client.refetchQueries({ queryKey: identityKey });
    expect(userOf()).toBe("Mia");
    leave();
  });

  it("keeps something else: nobody is asked", async () => {
    const { client, leave } = await openTab();
    const asked = vi.spyOn(client, "cancelQueries");
    window.dispatchEvent(new StorageEvent("storage", { key: "something else" }));
    expect(asked).not.toHaveBeenCalled();
    leave();
  });
});
