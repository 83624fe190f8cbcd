import { adminLogin, counterLogin } from "@stocktake/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, counter } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { holdTimers } from "../../testing/hold-timers.ts";
import { openPage } from "../../testing/open-page.tsx";
import { shopFloorServer } from "../../testing/shop-floor.ts";
import { destinationAfterLogin } from "./login-page.tsx";

describe("the login", () => {
  it("asks an administrator for a password alone and refers counters to their invitations [spec:2.login.1][spec:2.routes.1]", async () => {
    new FakeServer();
    openPage("/login");
    await screen.findByRole("heading", { name: "Administrator Login" });
    expect(screen.queryByLabelText("Username")).toBeNull();
    screen.getByText("Counter staff receive invitation links by email.");
    expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  });

  it("shows the server's sentence and keeps what was typed", async () => {
    new FakeServer().refuse(adminLogin, "UNAUTHENTICATED", "The password is wrong.");
    openPage("/login");
    await userEvent.type(await screen.findByLabelText("Password"), "guess");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByText("The password is wrong.");
    expect(screen.getByLabelText("Password")).toHaveProperty("value", "guess");
  });

  it("shows Login failed where the server sent no message [spec:8.fallback.1]", async () => {
    new FakeServer().answerRaw(adminLogin, 502, "");
    openPage("/login");
    await userEvent.type(await screen.findByLabelText("Password"), "guess");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByText("Login failed");
  });

  it("a quiet link opens username and password for counters with an account", async () => {
    const sent = new FakeServer().refuse(counterLogin, "UNAUTHENTICATED", "Username or password is wrong.");
    openPage("/login");
    await userEvent.click(await screen.findByText(/Counter with an account/));
    await userEvent.type(screen.getByLabelText("Username"), "night");
    await userEvent.type(screen.getByLabelText("Password"), "secret");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByText("Username or password is wrong.");
    expect(sent[0]?.body).toEqual({ username: "night", password: "secret" });
  });
});

describe("after a login", () => {
  it("an administrator is led on when 100 ms have passed, not before [spec:2.login.3][spec:9.3]", async () => {
    const server = new FakeServer();
    const page = openPage("/login");
    await userEvent.type(await screen.findByLabelText("Password"), "correct horse");
    const held = holdTimers(100);
    server.answer(adminLogin, { user: admin });
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await held.begun();
    expect(page.path()).toBe("/login");
    await held.pass();
    await waitFor(() => expect(page.path()).toBe("/admin"));
  });
});

describe("who is signed in already", () => {
  it.each([
    ["an administrator to /admin [spec:2.login.2]", admin, "/admin"],
    ["a counter to /counter [spec:2.login.2]", counter, "/counter"],
  ] as const)("is led from the login: %s", async (_who, user, home) => {
    new FakeServer(user);
    const page = openPage("/login");
    await waitFor(() => expect(page.path()).toBe(home));
  });

  it("is led from the login back to the page they came from [spec:2.login.2]", async () => {
    shopFloorServer();
    const from = { pathname: "/admin/stores", search: "?from=here", hash: "", state: null, key: "k" };
    const page = openPage({ pathname: "/login", state: { from } });
    await waitFor(() => expect(page.address()).toBe("/admin/stores?from=here"));
  });
});

describe("where a login leads", () => {
  const from = { pathname: "/admin/reports", search: "?session=1", hash: "", state: { kept: 1 }, key: "k" };

  it("back to where the person came from, with the state of that page", () => {
    expect(destinationAfterLogin("admin", { from })).toEqual({
      to: "/admin/reports?session=1",
      state: { kept: 1 },
    });
  });

  it("to the role's own dashboard where the role may not see that page or there is none", () => {
    expect(destinationAfterLogin("counter", { from }).to).toBe("/counter");
    expect(destinationAfterLogin("admin", null).to).toBe("/admin");
  });
});
