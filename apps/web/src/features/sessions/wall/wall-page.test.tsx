import { listSessions, sessionProgress } from "@stocktake/contract";
import { act, screen, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { active, openArea, sessionsServer } from "../testing/sessions-server.ts";

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
    expect(mia?.textContent).toBe("MiaA1 · 3 not sent12");
    expect(tom?.textContent).toBe("TomBetween areas9");
    expect(screen.getByText("Areas completed").parentElement?.textContent).toBe("0 of 1Areas completed");
    expect(screen.getByText("Recounts to do").parentElement?.textContent).toBe("1Recounts to do");
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("shows what is owed or under way first, and of the rest no more than codes, the closed ones last", async () => {
    const areaAt = (code: string, changes: Partial<typeof openArea>) => ({
      ...{ ...openArea, recountNeeded: false, _id: code, code },
      ...changes,
    });
    const waiting = { scans: 0, usernames: [] };
    const requestedAt = "2026-03-01T09:00:00.000Z";
    sessionsServer().answer(sessionProgress, {
      areas: [
        { ...areaAt("A1", {}), status: "closed" },
        { ...areaAt("A2", waiting), status: "not_started" },
        areaAt("A3", {}),
        {
          ...{ ...areaAt("A4", waiting), status: "not_started" },
          recount: { pass: 2, reason: null, requestedAt, requestedBy: "admin" },
        },
      ],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/wall");
    const areas = within(await screen.findByRole("list", { name: "Areas" })).getAllByRole("listitem");
    expect(areas.map(({ textContent }) => textContent)).toEqual([
      "A4Recount requested",
      "A3In Progress: Mia",
    ]);
    const [waits, closed] = ["Not Started", "Completed"].map((name) => screen.getByRole("region", { name }));
    expect(waits?.textContent).toBe("Not Started: 1A2");
    expect(closed?.textContent).toBe("Completed: 1A1");
  });

  it("tells areas of one code in several locations apart", async () => {
    const waiting = {
      ...openArea,
      recountNeeded: false,
      scans: 0,
      usernames: [],
      status: "not_started" as const,
    };
    sessionsServer().answer(sessionProgress, {
      areas: [
        { ...waiting, _id: "one", locationName: "Sales Floor" },
        { ...waiting, _id: "other", locationName: "Stockroom" },
      ],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/wall");
    const waits = await screen.findByRole("region", { name: "Not Started" });
    const names = within(waits)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
    expect(names).toEqual(["A1 (Sales Floor)", "A1 (Stockroom)"]);
  });

  it("shows an area under a second count as the phones of those who may take it do", async () => {
    const closed = {
      ...openArea,
      recountNeeded: false,
      status: "closed" as const,
      usernames: ["Mia"],
      scans: 12,
    };
    const again = { status: "not_started" as const, usernames: [], scans: [] };
    const lastSeenAt = "2026-03-01T09:00:00.000Z";
    const ofBen = [{ username: "Ben", scans: 7 }];
    sessionsServer().answer(sessionProgress, {
      areas: [
        { ...closed, _id: "A1", code: "A1", countedAgain: again },
        {
          ...{ ...closed, _id: "A2", code: "A2" },
          countedAgain: { status: "in_progress", usernames: ["Ben"], scans: ofBen },
        },
        { ...closed, _id: "A3", code: "A3", countedAgain: { ...again, status: null, scans: ofBen } },
        { ...closed, _id: "A4", code: "A4", countedAgain: null },
      ],
      devices: [{ deviceId: "phone-1", username: "Ben", lastSeenAt, scans: 5, pending: 0 }],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/wall");
    const waits = await screen.findByRole("region", { name: "Not Started" });
    expect(waits.textContent).toBe("Not Started: 1A1");
    expect(screen.getByRole("region", { name: "Completed" }).textContent).toBe("Completed: 2A3A4");
    expect(screen.getByRole("list", { name: "Areas" }).textContent).toBe("A2In Progress: Ben");
    expect(screen.getByText("Areas completed").parentElement?.textContent).toBe("2 of 4Areas completed");
    expect(screen.getByText("Scans so far").parentElement?.textContent).toBe("62Scans so far");
    const ben = within(screen.getByRole("list", { name: "Who is counting where" })).getByRole("listitem");
    expect(ben.textContent).toBe("BenA219");
  });

  it("expects no end of a count that has ended, and tells no pace of it", async () => {
    const began = "2026-03-01T09:00:00.000Z";
    vi.setSystemTime(new Date("2026-03-01T10:00:00.000Z"));
    const counting = { ...active, startedAt: began };
    onTestFinished(() => void vi.useRealTimers());
    const server = sessionsServer();
    server.answer(listSessions, { sessions: [counting] });
    const areaOf = (number: number, scans: number) => {
      const status = number === 0 ? ("in_progress" as const) : ("closed" as const);
      return { ...openArea, recountNeeded: false, _id: `area-${number}`, code: `A${number}`, status, scans };
    };
    const read = (scans: number) =>
      server.answer(sessionProgress, {
        areas: [0, 1, 2, 3].map((number) => areaOf(number, scans)),
        devices: [],
        exceptions: { unresolved: 0, late: 0 },
      });
    read(10);
    const { client } = openPage(`/admin/wall?session=${active._id}`);
    const figure = (label: string) => screen.getByText(label).previousSibling?.textContent;
    await screen.findByText("Expected end");
    vi.setSystemTime(new Date("2026-03-01T10:06:00.000Z"));
    read(20);
    await act(() => client.invalidateQueries());
    await vi.waitFor(() => expect(figure("Scans an hour")).toBe("400"));
    expect(figure("Expected end")).not.toBe("–");
    server.answer(listSessions, { sessions: [{ ...counting, status: "closed", endedAt: began }] });
    await act(() => client.invalidateQueries());
    await screen.findByText("This count has ended.");
    expect([figure("Scans an hour"), figure("Expected end")]).toEqual(["–", "–"]);
  });

  it("says what its figures are of, second counts too", async () => {
    sessionsServer();
    openPage("/admin/wall");
    await screen.findByText("Scans: units counted so far, without what was undone or recounted");
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
