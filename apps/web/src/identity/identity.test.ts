import { listStores, whoAmI } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "../http/query-client.ts";
import { counter } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { identityQuery, leaveIdentity, readEndedLogin } from "./identity.ts";

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
