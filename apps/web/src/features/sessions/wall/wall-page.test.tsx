import { listSessions } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { active, sessionsServer } from "../testing/sessions-server.ts";

describe("the page for a screen in the stockroom", () => {
  it("shows the only running session: areas, who counts where, scans and recounts, without the menu", async () => {
    sessionsServer();
    openPage("/admin/wall");
    await screen.findByRole("heading", { name: "Harbour Street" });
    const areas = within(await screen.findByRole("list", { name: "Areas" }));
    expect(areas.getByRole("listitem").textContent).toBe("A1Recount needed: Mia");
    const [mia, tom] = within(screen.getByRole("list", { name: "Who is counting where" })).getAllByRole(
      "listitem",
    );
    expect(mia?.textContent).toBe("MiaA1 · 3 scans not sent12");
    expect(tom?.textContent).toBe("TomBetween areas9");
    expect(screen.getByText("Areas completed").parentElement?.textContent).toBe("0 of 1Areas completed");
    expect(screen.getByText("Recounts to do").parentElement?.textContent).toBe("1Recounts to do");
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("asks which of several is to be shown, and shows the one in its address", async () => {
    const other = session({ _id: "other", status: "active", storeId: { _id: "store-2", name: "Old Mill" } });
    sessionsServer().answer(listSessions, { sessions: [active, other] });
    openPage("/admin/wall");
    await screen.findByRole("heading", { name: "Choose a session" });
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links).toContain("/admin/wall?session=other");
  });

  it("says so where nothing is being counted", async () => {
    sessionsServer().answer(listSessions, { sessions: [] });
    openPage("/admin/wall");
    await screen.findByRole("heading", { name: "No Active Sessions" });
  });
});
