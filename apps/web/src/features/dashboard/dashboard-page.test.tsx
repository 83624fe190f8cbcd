import { type Health, health, listAreas, listSessions, listStores, scanActivity } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, area, session, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { longDateText } from "../../ui/formats.ts";

const ok = { status: "ok", message: "" } as const;
const healthy: Health = {
  status: "ok",
  ...{ database: ok, shopify: ok, sync: ok, mail: ok },
  ...{ demo: false, version: "1.0.0", epoch: "epoch-1" },
};

function dashboardServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(health, healthy);
  server.answer(listStores, { stores: [store(), store({ _id: "store-2" })] });
  server.answer(listAreas, {
    areas: [
      area({ _id: "1", status: "in_progress" }),
      area({ _id: "2", status: "closed" }),
      area({ _id: "3", status: "closed" }),
      area({ _id: "4", status: "closed" }),
    ],
  });
  server.answer(scanActivity, { begun: false, since: "2026-03-01T11:00:00.000Z", hours: [] });
  server.answer(listSessions, {
    sessions: Array.from({ length: 7 }, (_, index) =>
      session({ _id: `s${index}`, status: index === 0 ? "active" : "closed" }),
    ),
  });
  return server;
}

async function expectFigure(label: string, text: string): Promise<void> {
  const name = await screen.findByText(label);
  await waitFor(() => expect(name.parentElement?.textContent).toBe(`${label}${text}`));
}

describe("the dashboard", () => {
  it("shows the figures with the specification's fixed trends [spec:2.dashboard.2][spec:2.dashboard.3]", async () => {
    dashboardServer();
    openPage("/admin");
    await expectFigure("Active Sessions", "1+12%");
    await expectFigure("Total Stores", "2");
    await expectFigure("Pending Areas", "1-5%Being counted now. Areas not started are left out.");
    await expectFigure("Completed Areas", "3+8%Of each store's running or last count.");
  });

  it.each([
    ["in_progress", "1-5%Left open by an ended count. Nothing is being counted now."],
    ["not_started", "0-5%Nothing is being counted now."],
  ] as const)("with no session running calls no area being counted: %s", async (status, text) => {
    const server = dashboardServer();
    server.answer(listSessions, { sessions: [session({ _id: "s1" })] });
    server.answer(listAreas, { areas: [area({ status })] });
    openPage("/admin");
    await expectFigure("Pending Areas", text);
  });

  it("greets with today's date and leads on to sessions, stores and reports [spec:2.dashboard.1][spec:2.dashboard.4][spec:2.routes.3]", async () => {
    dashboardServer();
    const opened = longDateText(new Date());
    openPage("/admin");
    await screen.findByRole("heading", { name: "Welcome, admin!" });
    screen.getByText((text) => [opened, longDateText(new Date())].includes(text));
    const actions = await within(screen.getByRole("main")).findAllByRole("link");
    expect(actions.map((link) => link.getAttribute("href"))).toEqual(
      expect.arrayContaining(["/admin/sessions", "/admin/stores", "/admin/reports"]),
    );
  });

  it("shows nothing that the first steps would push away before it is known whether they come", async () => {
    const server = dashboardServer();
    server.answer(listSessions, { sessions: [] });
    const activity = { begun: false, since: "2026-03-01T11:00:00.000Z", hours: [] };
    const { sent, release } = server.answerLater(scanActivity, activity);
    openPage("/admin");
    await screen.findByRole("heading", { name: "Welcome, admin!" });
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByText("Total Stores")).toBeNull();
    release();
    await screen.findByText("Total Stores");
    screen.getByRole("region", { name: "First Steps" });
  });

  it.each([
    ["refuses", (server: FakeServer) => server.refuse(listAreas, "INTERNAL", "Something went wrong.")],
    ["is not there for", (server: FakeServer) => server.answerRaw(listAreas, 404, "Not here")],
  ])(
    "stays, and says what is missing, where the server %s what tells of the first steps",
    async (_what, fail) => {
      const server = dashboardServer();
      server.answer(listSessions, { sessions: [] });
      const asked = fail(server);
      openPage("/admin");
      const stores = await screen.findByText("Total Stores");
      await screen.findByRole("button", { name: "Try Again" }, { timeout: 20_000 });
      expect(stores.isConnected).toBe(true);
      expect(screen.queryByRole("region", { name: "First Steps" })).toBeNull();
      expect(asked.length).toBeLessThan(6);
    },
  );

  it("lists the first five sessions [spec:2.dashboard.5][spec:9.2]", async () => {
    dashboardServer();
    openPage("/admin");
    const recent = await screen.findByRole("region", { name: "Recent Sessions" });
    expect(await within(recent).findAllByText("Harbour Street")).toHaveLength(5);
    within(recent).getByText("Active");
  });

  it("does not say that there are no sessions where they could not be read", async () => {
    const server = dashboardServer();
    server.loseNetwork(listSessions);
    openPage("/admin");
    const recent = within(await screen.findByRole("region", { name: "Recent Sessions" }));
    const again = await recent.findByRole("button", { name: "Try Again" });
    expect(recent.queryByText("No Sessions Yet")).toBeNull();
    server.answer(listSessions, { sessions: [session()] });
    await userEvent.click(again);
    await recent.findByText("Harbour Street");
  });

  it("a recent session leads to its report, a running one to the sessions", async () => {
    dashboardServer();
    openPage("/admin");
    const recent = within(await screen.findByRole("region", { name: "Recent Sessions" }));
    const links = await recent.findAllByRole("link", { name: /^Harbour Street, started / });
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/admin/sessions",
      ...[1, 2, 3, 4].map((number) => `/admin/reports?session=s${number}`),
    ]);
  });

  it("does not call a part connected that the server reports as gone [spec:2.dashboard.7]", async () => {
    dashboardServer().answer(health, {
      ...healthy,
      shopify: { status: "unavailable", message: "Shopify does not answer." },
    });
    openPage("/admin");
    const panel = await screen.findByRole("region", { name: "System Status" });
    await within(panel).findByText("Unavailable");
    expect(within(panel).getAllByText("Connected")).toHaveLength(1);
  });

  it("the chart is announced as coming soon until the first scan exists [spec:2.dashboard.6]", async () => {
    dashboardServer();
    openPage("/admin");
    const chart = await screen.findByRole("region", { name: "Activity Chart" });
    await within(chart).findByText("Coming soon");
  });

  it("the chart then shows the scans per hour of the last days, as text too", async () => {
    const hours = Array.from({ length: 72 }, (_none, hour) => (hour === 69 ? 340 : 1));
    dashboardServer().answer(scanActivity, { begun: true, since: "2026-03-01T11:00:00.000Z", hours });
    openPage("/admin");
    const chart = await screen.findByRole("region", { name: "Activity Chart" });
    await within(chart).findByText(
      /^411 scans in the last 3 days, most of them in the hour from Wed,? 8\sAM: 340\.$/,
    );
    expect(within(chart).queryByText("Coming soon")).toBeNull();
  });

  it("reports that there were no scans lately", async () => {
    const hours = Array.from({ length: 72 }, () => 0);
    dashboardServer().answer(scanActivity, { begun: true, since: "2026-03-01T11:00:00.000Z", hours });
    openPage("/admin");
    const chart = await screen.findByRole("region", { name: "Activity Chart" });
    await within(chart).findByText("No scans in the last 3 days.");
  });

  describe("the first steps of an empty installation", () => {
    function emptyServer(): FakeServer {
      const server = dashboardServer();
      server.answer(listStores, { stores: [] });
      server.answer(listAreas, { areas: [] });
      server.answer(listSessions, { sessions: [] });
      return server;
    }

    it("lead on to what is next, and mark what has been done", async () => {
      emptyServer().answer(listStores, { stores: [store()] });
      openPage("/admin");
      const steps = within(await screen.findByRole("region", { name: "First Steps" }));
      steps.getByText("2 of 6 done");
      const next = steps.getByRole("link");
      expect(next.textContent).toBe("Add Areas");
      expect(next.getAttribute("href")).toBe("/admin/locations");
      expect(steps.getAllByRole("listitem").map((step) => step.textContent?.slice(0, 6))).toEqual([
        ...["Done: ", "Done: ", "To do:", "To do:", "To do:", "To do:"],
      ]);
    });

    it("begin with Shopify where it is not connected", async () => {
      emptyServer().answer(health, { ...healthy, shopify: { status: "not_configured", message: "" } });
      openPage("/admin");
      const steps = within(await screen.findByRole("region", { name: "First Steps" }));
      expect(steps.getByRole("link").getAttribute("href")).toBe("/admin/settings");
    });

    it.each([
      ["refuses the token", 0, "To do:"],
      ["does not answer for now, though a store of its is here", 1, "Done: "],
    ] as const)("with a Shopify that %s", async (_what, stores, first) => {
      const server = emptyServer();
      server.answer(health, {
        ...healthy,
        shopify: { status: "unavailable", message: "Shopify refuses it." },
      });
      server.answer(listStores, { stores: stores === 0 ? [] : [store()] });
      openPage("/admin");
      const steps = within(await screen.findByRole("region", { name: "First Steps" }));
      expect(steps.getAllByRole("listitem")[0]?.textContent?.slice(0, 6)).toBe(first);
    });

    it("are gone once there is a report", async () => {
      dashboardServer();
      openPage("/admin");
      await screen.findAllByText("Closed");
      await screen.findByText("Coming soon");
      expect(screen.queryByRole("region", { name: "First Steps" })).toBeNull();
    });
  });
});
