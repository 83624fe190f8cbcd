import { listStores, whoAmI } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../http/query-client.ts";
import { counter } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import {
  confirmIdentity,
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
    new FakeServer(counter);
    const client = createQueryClient();
    await client.fetchQuery(identityQuery);
    client.setQueryData([listStores.path], { stores: [] });
    leaveIdentity(client);
    expect(client.getQueryData([listStores.path])).toBeUndefined();
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
