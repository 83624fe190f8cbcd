import {
  adminLogin,
  listAreas,
  listSessions,
  listShopifyLocations,
  listStores,
  logout,
  scanActivity,
} from "@stocktake/contract";
import { defaultScheduler, notifyManager, onlineManager } from "@tanstack/react-query";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { identityKey } from "../identity/identity.ts";
import { admin, counter, store } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.tsx";
import { shopFloorServer } from "../testing/shop-floor.ts";

function adminServer(user = admin): FakeServer {
  const server = new FakeServer(user);
  server.answer(listStores, { stores: [store()] });
  server.answer(listSessions, { sessions: [] });
  server.answer(listAreas, { areas: [] });
  server.answer(scanActivity, { begun: false, since: "2026-03-01T11:00:00.000Z", hours: [] });
  server.answer(listShopifyLocations, { locations: [] });
  return server;
}

describe("the routes' guards", () => {
  it.each(["/admin/stores", "/counter/scan", "/", "/no/such/page"])(
    "who is not signed in goes from %s to /login [spec:2.routes.10][spec:2.routes.11]",
    async (path) => {
      new FakeServer();
      const page = openPage(path);
      await screen.findByRole("heading", { name: "Administrator Login" });
      expect(page.path()).toBe("/login");
    },
  );

  it("a counter on an admin route is shown Access Denied [spec:2.routes.2][spec:2.routes.12][spec:2.unauthorized.1]", async () => {
    new FakeServer(counter);
    const page = openPage("/admin/stores");
    await screen.findByRole("heading", { name: "Access Denied" });
    expect(page.path()).toBe("/unauthorized");
    screen.getByText("You don't have permission to access this page.");
    screen.getByRole("button", { name: "Go Back" });
    screen.getByRole("button", { name: "Login with Different Account" });
  });

  it("what is drawn between the end of a login and the news of it finds who was let through", async () => {
    adminServer();
    const page = openPage("/admin/stores");
    await screen.findByRole("heading", { name: "Stores" });
    const held: (() => void)[] = [];
    notifyManager.setScheduler((tell) => void held.push(tell));
    page.client.setQueryData(identityKey, null);
    fireEvent.click(screen.getByRole("button", { name: "Open menu" }));
    expect(screen.queryByText("This page could not be shown")).toBeNull();
    notifyManager.setScheduler(defaultScheduler);
    act(() => {
      for (const tell of held) tell();
    });
    await screen.findByRole("heading", { name: "Administrator Login" });
  });

  it("after the login the person is back where they came from", async () => {
    new FakeServer();
    const page = openPage("/admin/stores");
    await screen.findByRole("heading", { name: "Administrator Login" });
    adminServer().answer(adminLogin, { user: admin });
    await userEvent.type(screen.getByLabelText("Password"), "correct horse");
    await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByRole("heading", { name: "Stores" });
    expect(page.path()).toBe("/admin/stores");
  });

  it("an administrator is led from / to the dashboard, in the layout with role and version [spec:2.routes.9][spec:2.layout.1][spec:2.layout.2][spec:9.9]", async () => {
    adminServer();
    const page = openPage("/");
    await screen.findByRole("heading", { name: "Welcome, admin!" });
    expect(page.path()).toBe("/admin");
    screen.getByText("Administrator");
    screen.getByText(/Version 1\.0/);
    expect(document.title).toBe("Dashboard · Stocktake");
    const links = screen.getAllByRole("link").map((link) => link.textContent);
    expect(links).toEqual(
      expect.arrayContaining(["Dashboard", "Stores", "Locations", "Sessions", "Users", "Reports"]),
    );
  });

  const adminRoutes = [
    ["/admin/stores, store management [spec:2.routes.4]", "/admin/stores", "Stores"],
    ["/admin/locations, locations and areas [spec:2.routes.5]", "/admin/locations", "Locations"],
    ["/admin/sessions, sessions and invitations [spec:2.routes.6]", "/admin/sessions", "Sessions"],
    ["/admin/users, which is in the navigation [spec:2.routes.7]", "/admin/users", "Users"],
    ["/admin/reports, reports & analytics", "/admin/reports", "Reports & Analytics"],
    ["/admin/settings, where the password is changed", "/admin/settings", "Settings"],
  ] as const;

  it.each(adminRoutes)("an administrator may open %s [spec:6.1]", async (_what, path, heading) => {
    shopFloorServer();
    const page = openPage(path);
    await screen.findByRole("heading", { name: heading, level: 1 });
    expect(page.path()).toBe(path);
  });

  it.each(adminRoutes)("a counter may not open %s", async (_what, path) => {
    new FakeServer(counter);
    const page = openPage(path);
    await screen.findByRole("heading", { name: "Access Denied" });
    expect(page.path()).toBe("/unauthorized");
  });

  it("a counter's layout names the role and leads to the dashboard and to scanning [spec:2.layout.3]", async () => {
    new FakeServer(counter);
    openPage("/counter");
    const navigation = within(await screen.findByRole("navigation", { name: "Main" }));
    const links = navigation.getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Dashboard", "/counter"],
      ["Scan", "/counter/scan"],
    ]);
    screen.getByText("Counter Staff");
  });

  it.each([
    ["/admin", "Dashboard"],
    ["/admin/locations", "Locations"],
    ["/admin/locations/location-1/labels", "Locations"],
  ])("the navigation marks on %s where the page belongs, and nothing else", async (path, label) => {
    shopFloorServer();
    openPage(path);
    const links = await screen.findAllByRole("link", { current: "page" });
    expect(links.map((link) => link.textContent)).toEqual([label]);
  });

  it("a 401 of any call leads to /login [spec:6.2]", async () => {
    const server = adminServer();
    server.refuse(listShopifyLocations, "UNAUTHENTICATED", "Sign in to continue.");
    const page = openPage("/admin/stores");
    await waitFor(() => expect(page.path()).toBe("/login"));
  });

  describe("a logout that the server does not hear", () => {
    /** The administrator has logged out; the server knows nothing of it and would tell that they are signed in. */
    async function logOutUnheard() {
      const server = adminServer();
      server.loseNetwork(logout);
      const page = openPage("/admin");
      await userEvent.click(await screen.findByRole("button", { name: "Logout" }));
      await screen.findByRole("heading", { name: "Administrator Login" });
      return { server, page };
    }

    function comeOnline(): void {
      act(() => {
        onlineManager.setOnline(false);
        onlineManager.setOnline(true);
      });
    }

    it("ends the login here, and says that the server is still to be told", async () => {
      const { page } = await logOutUnheard();
      expect(page.path()).toBe("/login");
      screen.getByText("The server has not heard that you logged out");
    });

    it("is told again once there is a network, and signs nobody in", async () => {
      const { server, page } = await logOutUnheard();
      const told = server.answer(logout, { success: true });
      comeOnline();
      await waitFor(() => expect(told).toHaveLength(1));
      await waitFor(() =>
        expect(screen.queryByText("The server has not heard that you logged out")).toBeNull(),
      );
      expect(page.path()).toBe("/login");
      expect(page.client.getQueryData(identityKey)).toBeNull();
    });

    it("holds after a reload, too", async () => {
      await logOutUnheard();
      cleanup();
      const page = openPage("/admin/stores");
      await screen.findByRole("heading", { name: "Administrator Login" });
      expect(page.path()).toBe("/login");
    });

    it("is done with once somebody signs in, whom nothing logs out again", async () => {
      const { server } = await logOutUnheard();
      const repeated = server.loseNetwork(logout);
      server.answer(adminLogin, { user: admin });
      await userEvent.type(screen.getByLabelText("Password"), "correct horse");
      await userEvent.click(screen.getByRole("button", { name: "Sign In" }));
      await screen.findByRole("heading", { name: "Welcome, admin!" });
      // Before the new login: after it the same call would end that.
      expect(repeated).toHaveLength(1);
      comeOnline();
      cleanup();
      openPage("/admin");
      await screen.findByRole("heading", { name: "Welcome, admin!" });
      expect(repeated).toHaveLength(1);
    });
  });

  it("the focus follows the route to the new page's heading", async () => {
    adminServer();
    openPage("/admin");
    await userEvent.click(await screen.findByRole("link", { name: "Stores" }));
    const heading = await screen.findByRole("heading", { name: "Stores", level: 1 });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe("Stores · Stocktake");
  });
});
