import { health, listAreas, listSessions, listStores } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { admin, area, session, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const ok = { status: "ok", message: "" } as const;

function dashboardServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store(), store({ _id: "store-2" })] });
  server.answer(listAreas, {
    areas: [
      area({ _id: "1", status: "in_progress" }),
      area({ _id: "2", status: "closed" }),
      area({ _id: "3", status: "closed" }),
      area({ _id: "4", status: "closed" }),
    ],
  });
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
  it("shows the figures with the specification's fixed trends", async () => {
    dashboardServer();
    openPage("/admin");
    await expectFigure("Active Sessions", "1+12%");
    await expectFigure("Total Stores", "2");
    await expectFigure("Pending Areas", "1-5%");
    await expectFigure("Completed Areas", "3+8%");
  });

  it("lists the first five sessions", async () => {
    dashboardServer();
    openPage("/admin");
    const recent = await screen.findByRole("region", { name: "Recent Sessions" });
    expect(await within(recent).findAllByText("Harbour Street")).toHaveLength(5);
    within(recent).getByText("Active");
  });

  it("does not call a part connected that the server says is gone", async () => {
    dashboardServer().answer(health, {
      status: "ok",
      database: ok,
      shopify: { status: "unavailable", message: "Shopify does not answer." },
      sync: ok,
      mail: ok,
      demo: false,
      version: "1.0.0",
    });
    openPage("/admin");
    const panel = await screen.findByRole("region", { name: "System Status" });
    await within(panel).findByText("Unavailable");
    expect(within(panel).getAllByText("Connected")).toHaveLength(1);
  });

  it("the chart is announced as coming soon", async () => {
    dashboardServer();
    openPage("/admin");
    const chart = await screen.findByRole("region", { name: "Activity Chart" });
    within(chart).getByText("Coming soon");
  });
});
