import { listSessions } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { sessionsServer } from "./testing/sessions-server.ts";

async function headings() {
  openPage("/admin/sessions");
  await screen.findByRole("heading", { level: 2, name: "Recent Sessions" });
  return screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
}

describe("the page begins with", () => {
  it("what is being counted", async () => {
    sessionsServer();
    expect((await headings())[0]).toBe("Active Sessions");
  });

  it("the stores to start where nothing is, not with a card that says so", async () => {
    sessionsServer().answer(listSessions, { sessions: [session()] });
    expect((await headings())[0]).toBe("Start New Session");
  });
});

describe("recent sessions", () => {
  it("are called active while they count and closed once they have ended [spec:4.3]", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    const table = within(await screen.findByRole("table", { name: "Recent Sessions" }));
    const states = table
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getAllByRole("cell")[1]?.textContent);
    expect(states).toEqual(["Active", "Closed"]);
  });

  it("only a closed one leads to its report [spec:2.sessions.4]", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    const table = within(await screen.findByRole("table", { name: "Recent Sessions" }));
    const links = table.getAllByRole("link", { name: /View Report/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/admin/reports?session=closed-1"]);
  });

  it("says of an archived session where its counts are, and lets nobody rename it", async () => {
    const archived = { at: "2026-06-01T09:00:00.000Z", file: "spring.archive", scans: 1200, skus: 340 };
    sessionsServer().answer(listSessions, { sessions: [session({ archived })] });
    openPage("/admin/sessions");
    const table = within(await screen.findByRole("table", { name: "Recent Sessions" }));
    table.getByText("Archived");
    table.getByText(/^1,200 scans of 340 SKUs, in the file spring\.archive since .*2026/);
    table.getByRole("link", { name: /View Report/ });
    expect(table.queryByRole("button")).toBeNull();
  });
});
