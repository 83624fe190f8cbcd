import { reopenArea, restorePass, sessionPasses, sessionProgress } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { area } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { openArea, sessionsServer } from "../testing/sessions-server.ts";

const areaAt = (at: number, changes: Partial<typeof openArea> = {}) => ({
  ...{ ...openArea, recountNeeded: false, _id: `area-${at}`, code: `B${at}`, name: `Shelf ${at}` },
  ...changes,
});

async function listedAreas() {
  const card = within(await screen.findByRole("article", { name: "Harbour Street" }));
  return within(await card.findByRole("group", { name: "Every area" }));
}

describe("the areas on the card of a running session", () => {
  it("are all there, each with its state, and those counted can be counted again", async () => {
    sessionsServer().answer(sessionProgress, {
      areas: [
        areaAt(1, { recountNeeded: true }),
        { ...areaAt(2, { scans: 0 }), status: "not_started" },
        { ...areaAt(3), status: "closed" },
        areaAt(4, { scans: 0 }),
      ],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/sessions");
    const areas = await listedAreas();
    areas.getByText("Recount needed: the declared total did not match.");
    const rows = areas.getAllByRole("listitem");
    expect(rows.map((row) => row.textContent)).toEqual([
      "B1 – Shelf 1Recount neededCount Again",
      "B2 – Shelf 2Not Started",
      "B3 – Shelf 3CompletedCount Again",
      "B4 – Shelf 4In Progress",
    ]);
  });

  it("name their locations where there are several", async () => {
    sessionsServer().answer(sessionProgress, {
      areas: [areaAt(1), areaAt(2, { locationId: "location-2", locationName: "Stockroom" })],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/sessions");
    (await listedAreas()).getByText("Sales Floor: B1 – Shelf 1");
  });

  it("are counted again by two clicks, of which the second confirms; the page then says so", async () => {
    const sent = sessionsServer().answer(reopenArea, { area: area({ status: "not_started" }) });
    openPage("/admin/sessions");
    const areas = await listedAreas();
    await userEvent.click(areas.getByRole("button", { name: "Count A1 Again" }));
    expect(sent).toEqual([]);
    const dialog = within(screen.getByRole("dialog", { name: "Count A1 Again" }));
    await userEvent.click(dialog.getByRole("button", { name: "Count Again" }));
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ areaId: "area-1" }));
    await screen.findByText(
      "Area A1 – Window is to be counted again from zero. Everyone who counts was told.",
    );
  });

  it("are given back an earlier count where there is one: the last that was voided", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, {
      areas: [areaAt(1), { ...areaAt(2, { scans: 0 }), status: "not_started" }, areaAt(3)],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    const ended = { declaredTotal: null, serverTotal: null, endedAt: "2026-03-01T09:00:00.000Z" };
    server.answer(sessionPasses, {
      passes: [
        { ...ended, areaId: "area-1", pass: 1, scans: 0, endedAs: "reset" },
        { ...ended, areaId: "area-1", pass: 2, scans: 12, endedAs: null, endedAt: null },
        { ...ended, areaId: "area-2", pass: 3, scans: 40, endedAs: "reopened" },
        { ...ended, areaId: "area-2", pass: 1, scans: 7, endedAs: "mismatched" },
        { ...ended, areaId: "area-3", pass: 1, scans: 9, endedAs: "closed" },
      ],
    });
    const sent = server.answer(restorePass, { area: area({ status: "closed" }) });
    openPage("/admin/sessions");
    const areas = await listedAreas();
    const restore = await areas.findByRole("button", { name: /^Restore/ });
    expect(restore.getAttribute("aria-label")).toBe("Restore: Sales Floor: B2 – Shelf 2, 40");
    await userEvent.click(restore);
    const question = within(screen.getByRole("dialog", { name: "Restore this count?" }));
    question.getByText(/the previous count of Sales Floor: B2 – Shelf 2 with its 40 scans/);
    await userEvent.click(question.getByRole("button", { name: "Restore" }));
    await screen.findByText("The previous count of Sales Floor: B2 – Shelf 2 was restored.");
    expect(sent[0]?.body).toEqual({ areaId: "area-2", pass: 3 });
  });

  it("offer an earlier count last where they are complete: nothing has to be restored there", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, {
      areas: [{ ...areaAt(2), status: "closed" }],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    const ended = { declaredTotal: null, serverTotal: null, endedAt: "2026-03-01T09:00:00.000Z" };
    server.answer(sessionPasses, {
      passes: [{ ...ended, areaId: "area-2", pass: 3, scans: 40, endedAs: "reopened" }],
    });
    openPage("/admin/sessions");
    const areas = await listedAreas();
    await areas.findByRole("button", { name: "Restore: Sales Floor: B2 – Shelf 2, 40" });
    const names = areas.getAllByRole("button").map((button) => button.textContent);
    expect(names).toEqual(["Count Again", "Restore"]);
    await userEvent.click(areas.getByRole("button", { name: /^Restore/ }));
    screen.getByRole("dialog", { name: "Restore this count?" });
  });

  it("are searched where there are many", async () => {
    sessionsServer().answer(sessionProgress, {
      areas: Array.from({ length: 30 }, (_, at) => areaAt(at + 1)),
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/sessions");
    const areas = await listedAreas();
    await userEvent.type(areas.getByRole("searchbox", { name: "Search: Every area" }), "Shelf 27");
    await waitFor(() => expect(areas.getAllByRole("listitem")).toHaveLength(1));
    areas.getByRole("button", { name: "Count B27 Again" });
  });
});

it("from the list of areas and devices an area is counted again too, which is said there", async () => {
  const sent = sessionsServer().answer(reopenArea, { area: area({ status: "not_started" }) });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "Show 1 Area and Devices" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Count in Harbour Street" }));
  await userEvent.click(dialog.getByRole("button", { name: "Count A1 Again" }));
  const question = within(screen.getByRole("dialog", { name: "Count A1 Again" }));
  await userEvent.click(question.getByRole("button", { name: "Count Again" }));
  await dialog.findByText("Area A1 – Window is to be counted again from zero. Everyone who counts was told.");
  expect(sent).toHaveLength(1);
});
