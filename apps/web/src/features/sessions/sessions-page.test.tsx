import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { openPage } from "../../testing/open-page.tsx";
import { sessionsServer } from "./testing/sessions-server.ts";

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
});
