import { limits, listSheets, printSheets, sessionProgress, voidSheet } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { path, running, sheet, sheetsServer } from "./testing/sheets-server.ts";

afterEach(() => vi.restoreAllMocks());

it("sheets of chosen areas are made, shown as they will be printed, and hold no figure but their numbers", async () => {
  const server = sheetsServer();
  const areas = ["A1", "B2"].map((code) => ({
    ...{ _id: `area-${code}`, code, name: code, locationId: "location-1", locationName: "Sales Floor" },
    ...{ status: "in_progress" as const, pass: 1, scans: 4711, usernames: ["Mia"], lastScanAt: null },
    recountNeeded: false,
  }));
  server.answer(sessionProgress, {
    ...{ areas, devices: [], exceptions: { unresolved: 0, late: 0 }, stockUnreadSince: null },
  });
  const made = server.answer(printSheets, { sheets: [sheet()] }, 201);
  const print = vi.fn();
  vi.stubGlobal("print", print);
  const page = openPage(path);
  await userEvent.click(await screen.findByRole("checkbox", { name: "B2" }));
  await userEvent.selectOptions(screen.getByLabelText("Order of the Products"), "By title and size");
  const extra = screen.getByLabelText("Extra Pages of Blank Lines");
  await userEvent.clear(extra);
  await userEvent.type(extra, "2");
  await userEvent.click(screen.getByRole("button", { name: "Print Sheets of 1 Area" }));
  const first = await screen.findByRole("region", { name: "Sheet 8, Page 1 of 1" });
  expect(made).toMatchObject([{ body: { areaIds: ["area-B2"], order: "title", blankPages: 2 } }]);
  expect(page.address()).toBe(`${path}/print?from=8&to=8`);
  const paper = within(first);
  paper.getByText("Linen Shirt");
  paper.getByText("5000000000010");
  expect(paper.getAllByRole("row")).toHaveLength(1 + 22);
  for (const word of ["Counted by", "Date", "From", "Until", "Total of all pages of this sheet"])
    paper.getByText(word);
  expect(first.textContent).not.toContain("4711");
  await userEvent.click(screen.getByRole("button", { name: "Print" }));
  expect(print).toHaveBeenCalledOnce();
});

it("chosen areas in which something is counted already are named before their sheets are made", async () => {
  const server = sheetsServer();
  const areas = (["in_progress", "not_started", "closed"] as const).map((status, index) => ({
    ...{ _id: `area-${index}`, code: `A${index}`, name: `A${index}`, status, pass: 1, recountNeeded: false },
    ...{ locationId: "location-1", locationName: "Sales Floor", scans: 1, usernames: [], lastScanAt: null },
  }));
  server.answer(sessionProgress, {
    ...{ areas, devices: [], exceptions: { unresolved: 0, late: 0 }, stockUnreadSince: null },
  });
  openPage(path);
  await userEvent.click(await screen.findByRole("checkbox", { name: "A1" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "A2" }));
  expect(screen.queryByText(/in progress$/)).toBeNull();
  await userEvent.click(screen.getByRole("checkbox", { name: "A0" }));
  screen.getByText("Area A0 is in progress");
  screen.getByText(/Reset such an area before it is counted on paper/);
});

it("a sheet of several pages has its number and the page on each", async () => {
  sheetsServer(sheet({ products: 2, blankLines: 64 }));
  openPage(`${path}/print?from=8&to=8`);
  const last = await screen.findByRole("region", { name: "Sheet 8, Page 3 of 3" });
  expect(within(last).getAllByRole("row").at(-1)?.textContent).toBe("66");
});

it.each(["from=8&to=8", "from=x", "from=9&to=8"])(
  "what is void, or no sheet, is not printed: %s",
  async (query) => {
    sheetsServer(sheet({ state: "void" }));
    openPage(`${path}/print?${query}`);
    await screen.findByText("No sheets to print");
  },
);

it("each sheet is listed with what became of it, and opened by its number", async () => {
  const server = sheetsServer();
  server.answer(listSheets, {
    sheets: [
      sheet({
        ...{ number: 7, state: "returned", returnedAt: "2026-03-02T11:00:00.000Z" },
        ...{ returnedBy: { username: "admin" }, countedBy: { username: "Mia" } },
        keyed: { rows: 3, units: 38, declaredTotal: 40, isStored: true },
      }),
      sheet(),
      sheet({
        ...{ number: 9, state: "void", voidedAt: "2026-03-02T11:00:00.000Z", voidReason: "Coffee" },
      }),
      sheet({
        ...{
          number: 10,
          state: "returned",
          keyed: { rows: 1, units: 1, declaredTotal: null, isStored: false },
        },
      }),
    ],
  });
  const page = openPage(path);
  const table = within(await screen.findByRole("table", { name: "Sheets of This Session" }));
  const rows = table.getAllByRole("row").map((row) => row.textContent ?? "");
  expect(rows[1]).toContain("38 units, declared 40 · counted by Mia");
  expect(rows[2]).toMatch(/^8A1 · Window · Sales FloorOut/);
  expect(rows[3]).toContain("Coffee");
  expect(rows[4]).toContain("Not stored whole");
  screen.getByText("1 sheet is out.");
  const number = screen.getByLabelText("Sheet Number");
  expect(document.activeElement).toBe(number);
  await userEvent.type(number, "77{Enter}");
  screen.getByText("There is no sheet 77 in this session.");
  await userEvent.clear(number);
  await userEvent.type(number, "8{Enter}");
  await screen.findByRole("heading", { name: "Sheet 8" });
  expect(page.path()).toBe(`${path}/8`);
});

it("a sheet is declared void with a reason", async () => {
  const server = sheetsServer();
  const sent = server.answer(voidSheet, { sheet: sheet({ state: "void" }) });
  openPage(path);
  await userEvent.click(await screen.findByRole("button", { name: "Declare sheet 8 void" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Declare Sheet 8 Void" }));
  expect(dialog.getByRole("button", { name: "Declare Void" })).toHaveProperty("disabled", true);
  await userEvent.type(dialog.getByLabelText(/^Reason/), "Lost");
  await userEvent.click(dialog.getByRole("button", { name: "Declare Void" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent).toMatchObject([
    { path: `/api/session/${running._id}/sheets/8/void`, body: { reason: "Lost" } },
  ]);
});

/** Opens the question why sheet 8 is void. */
async function openVoiding() {
  const sent = sheetsServer().answer(voidSheet, { sheet: sheet({ state: "void" }) });
  openPage(path);
  await userEvent.click(await screen.findByRole("button", { name: "Declare sheet 8 void" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Declare Sheet 8 Void" }));
  return { sent, dialog, reason: dialog.getByLabelText(/^Reason/) };
}

it("a reason is as long as the server counts it, without the blanks around it", async () => {
  const { sent, dialog, reason } = await openVoiding();
  const longest = "x".repeat(limits.reason);
  await userEvent.click(reason);
  await userEvent.paste(`${longest}\n`);
  expect(reason.getAttribute("aria-invalid")).toBeNull();
  await userEvent.paste("!");
  dialog.getByText(`Reason can have at most ${limits.reason} characters.`);
  expect(dialog.getByRole("button", { name: "Declare Void" })).toHaveProperty("disabled", true);
  await userEvent.type(reason, "{Backspace}");
  await userEvent.click(dialog.getByRole("button", { name: "Declare Void" }));
  await vi.waitFor(() => expect(sent).toMatchObject([{ body: { reason: `${longest}\n` } }]));
});

it("a reason that can't be stored says so in its field, and an emptied one says nothing", async () => {
  const { sent, dialog, reason } = await openVoiding();
  await userEvent.click(reason);
  await userEvent.paste("Lost\u000bagain");
  dialog.getByText("Reason contains a character that can't be stored.");
  expect(dialog.getByRole("button", { name: "Declare Void" })).toHaveProperty("disabled", true);
  await userEvent.clear(reason);
  expect(reason.getAttribute("aria-invalid")).toBeNull();
  expect(dialog.queryByText(/^Reason (is|contains)/)).toBeNull();
  expect(dialog.getByRole("button", { name: "Declare Void" })).toHaveProperty("disabled", true);
  expect(sent).toEqual([]);
});

it("pages that can't be added are said in their field, and no sheets are made of them", async () => {
  const server = sheetsServer();
  const area = {
    ...{ _id: "area-1", code: "A1", name: "A1", locationId: "location-1", locationName: "Sales Floor" },
    ...{
      status: "closed" as const,
      pass: 1,
      scans: 1,
      usernames: [],
      lastScanAt: null,
      recountNeeded: false,
    },
  };
  server.answer(sessionProgress, {
    ...{ areas: [area], devices: [], exceptions: { unresolved: 0, late: 0 }, stockUnreadSince: null },
  });
  openPage(path);
  await userEvent.click(await screen.findByRole("checkbox", { name: "A1" }));
  const extra = screen.getByLabelText("Extra Pages of Blank Lines");
  const print = screen.getByRole("button", { name: "Print Sheets of 1 Area" });
  for (const wrong of ["{Backspace}", String(limits.sheetBlankPages + 1), "{Backspace}.5"]) {
    await userEvent.type(extra, wrong);
    screen.getByText(`Enter a whole number from 0 to ${limits.sheetBlankPages}.`);
    expect(print).toHaveProperty("disabled", true);
  }
  await userEvent.clear(extra);
  await userEvent.type(extra, String(limits.sheetBlankPages));
  expect(extra.getAttribute("aria-invalid")).toBeNull();
  expect(print).toHaveProperty("disabled", false);
});
