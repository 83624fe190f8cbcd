import { acceptInvitation, askToJoin, readCode, readJoinRequest } from "@stocktake/contract";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { keepJoinKey, readJoinKeys } from "../../../identity/join-keys.ts";
import { counter } from "../../../testing/examples.ts";
import { FakeServer, type SentCall } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

const where = {
  code: { store: { name: "Harbour Street" }, session: { startedAt: "2026-03-01T08:00:00.000Z" } },
};
const names = new Map([
  ["toms-key", "Tom"],
  ["adas-key", "Ada"],
]);

const keyIn = ({ path }: SentCall) => path.split("/").at(-1) ?? "";

/** A server whose requests, of these keys and any other, are in this state. */
function serverWith(status: "waiting" | "admitted"): FakeServer {
  const server = new FakeServer();
  server.answer(readCode, where);
  server.answer(readJoinRequest, (sent) => ({
    request: { counterName: names.get(keyIn(sent)) ?? "Zoe", status, store: { name: "Harbour Street" } },
  }));
  return server;
}

const joins = (server: FakeServer) =>
  server.signIn(acceptInvitation, {
    user: counter,
    invitationData: { storeId: "store-1", locationId: null },
  });

const open = () => openPage("/counter/join/code-1");
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("a phone that has joined by a session code before", () => {
  it("goes on as the same counter, however often it signed out, and is not let in by itself", async () => {
    keepJoinKey("code-1", "toms-key");
    const server = serverWith("admitted");
    const joined = joins(server);
    for (const _time of [1, 2]) {
      const page = open();
      await screen.findByRole("heading", { name: "Continue the Count" });
      await press("Continue as Tom");
      await waitFor(() => expect(page.path()).toBe("/counter"));
      cleanup();
      server.signOut();
    }
    expect(joined.map(({ path }) => path)).toEqual([
      "/api/auth/invite/toms-key/accept",
      "/api/auth/invite/toms-key/accept",
    ]);
  });

  it("lets somebody else ask, and then offers both", async () => {
    keepJoinKey("code-1", "toms-key");
    const server = serverWith("admitted");
    const joined = joins(server);
    const asked = server.answer(askToJoin, {
      request: { counterName: "Zoe", status: "admitted", store: { name: "Harbour Street" } },
    });
    const page = open();
    await press("I Am Somebody Else");
    await userEvent.type(await screen.findByLabelText("Your name"), "Zoe");
    await press("Ask to Join");
    await waitFor(() => expect(page.path()).toBe("/counter"));
    const key = Object(asked[0]?.body).key;
    expect(key).not.toBe("toms-key");
    expect(joined.map(({ path }) => path)).toEqual([`/api/auth/invite/${key}/accept`]);
    cleanup();
    open();
    await screen.findByRole("button", { name: "Continue as Zoe" });
    screen.getByRole("button", { name: "Continue as Tom" });
  });

  it("is led back from the login page, until the session is over", async () => {
    keepJoinKey("code-1", "toms-key");
    keepJoinKey("code-1", "adas-key");
    const server = serverWith("admitted");
    const login = openPage("/login");
    await userEvent.click(await screen.findByRole("link", { name: "Continue the Count" }));
    await screen.findByRole("button", { name: "Continue as Ada" });
    expect(login.path()).toBe("/counter/join/code-1");
    cleanup();
    const over = "Invalid or expired session code";
    server.refuse(readJoinRequest, "NOT_FOUND", over);
    server.refuse(readCode, "NOT_FOUND", over);
    open();
    await screen.findByRole("heading", { name: "This code is not valid" });
    await userEvent.click(screen.getByRole("link", { name: "Go to Login" }));
    await screen.findByRole("heading", { name: "Administrator Login" });
    expect(screen.queryByRole("link", { name: "Continue the Count" })).toBeNull();
  });

  it("keeps its key where something in between answers that nothing is there, and asks on", async () => {
    keepJoinKey("code-1", "toms-key");
    const server = serverWith("admitted");
    const asked = server.answerRaw(readJoinRequest, 404, "<h1>404 Not Found</h1>");
    open();
    await waitFor(() => expect(asked).toHaveLength(1));
    server.answer(readJoinRequest, {
      request: { counterName: "Tom", status: "admitted", store: { name: "Harbour Street" } },
    });
    await screen.findByRole("button", { name: "Continue as Tom" });
    expect(readJoinKeys("code-1")).toEqual(["toms-key"]);
  });
});

describe("a phone that waits", () => {
  it("says when too many wait, and goes on asking", async () => {
    keepJoinKey("code-1", "toms-key");
    const server = serverWith("waiting");
    open();
    await screen.findByRole("heading", { name: "Waiting for the administrator" });
    server.refuse(readJoinRequest, "RATE_LIMITED", "Many people are asking to join at the moment.");
    await screen.findByText(/^Too many people are waiting/);
    const joined = joins(server);
    server.answer(readJoinRequest, {
      request: { counterName: "Tom", status: "admitted", store: { name: "Harbour Street" } },
    });
    await waitFor(() => expect(joined).toHaveLength(1));
  });
});

describe("a phone that has not joined yet", () => {
  it("keeps the name that is being typed while the server can't be reached, until it says that the code is over", async () => {
    const server = new FakeServer();
    server.answer(readCode, where);
    const { client } = open();
    const name = await screen.findByRole("textbox");
    await userEvent.type(name, "Ada");
    const asked = server.loseNetwork(readCode);
    await client.invalidateQueries();
    expect(asked).toHaveLength(1);
    // What is drawn from an answer is drawn a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.getByRole("textbox")).toHaveProperty("value", "Ada");
    server.refuse(readCode, "NOT_FOUND", "Invalid or expired session code");
    await client.invalidateQueries();
    await screen.findByRole("heading", { name: "This code is not valid" });
  });
});
