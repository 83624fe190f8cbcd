import { adjustCount, listCountAdjustments, listSessions, varianceReport } from "@stocktake/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { adjustment, reportItem } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { address, report, reportServer, wholeReport } from "./testing/report-server.ts";

afterEach(() => vi.restoreAllMocks());

describe("choosing a session", () => {
  it("without completed sessions explains how to get one [spec:2.reports.1][spec:2.reports.4][spec:2.routes.8]", async () => {
    reportServer().answer(listSessions, { sessions: [] });
    openPage("/admin/reports");
    await screen.findByText("No Completed Sessions");
    screen.getByText("Complete a counting session to generate reports");
    screen.getByText("View variance reports and inventory adjustments");
  });

  it.each([
    ["running", "This session is still counting. It has a report once it has ended."],
    ["gone", "The session of this link was not found here."],
  ])("says of a link to a session without a report why it shows none: %s", async (id, text) => {
    reportServer();
    openPage(`/admin/reports?session=${id}`);
    await screen.findByText(text);
    await screen.findByRole("button", { name: /Harbour Street/ });
    expect(screen.queryByText("Selected")).toBeNull();
  });

  it("offers completed sessions only, and keeps the chosen one in the address [spec:2.reports.3]", async () => {
    reportServer();
    const page = openPage("/admin/reports");
    const cards = await screen.findAllByRole("button", { name: /Harbour Street/ });
    expect(cards).toHaveLength(1);
    await userEvent.click(screen.getByRole("button", { name: /Harbour Street/ }));
    await screen.findByText("Selected");
    await screen.findByRole("region", { name: "Variance Report" });
    expect(page.address()).toBe(address);
  });
});

it("shows nothing below itself until the sessions are known, which the report would push away", async () => {
  const server = reportServer();
  const sessions = server.answerLater(listSessions, { sessions: [report().session] });
  openPage("/admin/reports");
  const coming = () => document.querySelector("main [data-coming]")?.getAttribute("data-coming");
  await screen.findByRole("heading", { name: "Reports & Analytics" });
  expect(coming()).toBe("true");
  sessions.release();
  await screen.findByRole("region", { name: "Variance Report" });
  expect(coming()).toBe("false");
});

describe("the variance report", () => {
  it("has the specification's columns, signs and colours [spec:2.reports.11][spec:2.reports.17][spec:9.6]", async () => {
    reportServer();
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    expect(table.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual([
      "Product",
      "SKU",
      "Start ON_HAND",
      "End ON_HAND",
      "Natural Movement",
      "Counted",
      "Variance",
      "Cost Impact",
      "Areas Found",
      "Actions",
    ]);
    expect(table.getByText("+3").style.color).toContain("positive");
    expect(table.getByText("-2").style.color).toContain("negative");
    expect(table.getByText("+$30.00").style.color).toContain("positive");
    table.getByText("Window, Back");
    table.getByText("2 sizes");
  });

  it("offers its actions, explains that counts are saved at once, and sums up [spec:2.reports.5][spec:2.reports.8][spec:2.reports.19][spec:2.reports.20][spec:5.8][spec:9.8]", async () => {
    reportServer();
    openPage(address);
    await wholeReport();
    const actions = within(await screen.findByRole("region", { name: "Report Actions" }));
    actions.getByRole("button", { name: "Export CSV" });
    actions.getByRole("button", { name: "Deploy to Shopify" });
    screen.getByText("Auto-Save");
    screen.getByText(/saved immediately. You can resume later, and they are included in the deploy/);
    const figures = screen
      .getAllByRole("term")
      .map((term) => `${term.textContent} ${term.nextSibling?.textContent}`);
    expect(figures).toEqual([
      "Total Items 10",
      "Shortages 1",
      "Overages 2",
      "Perfect Matches 7",
      "Total Cost Impact +$10.00",
    ]);
  });

  it("lists its adjustments with who and how they ended [spec:2.reports.21][spec:2.reports.22][spec:2.reports.23][spec:4.7]", async () => {
    reportServer({}, [
      adjustment({ _id: "1", rolledBackAt: "2026-03-02T09:00:00.000Z" }),
      adjustment({ _id: "2", status: "failed", appliedBy: null }),
      adjustment({ _id: "3", status: "partial" }),
    ]);
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Adjustment History" }));
    const headers = table.getAllByRole("columnheader").map((header) => header.textContent);
    expect(headers).toEqual(["Applied At", "Total Items", "Status", "Applied By", "Actions"]);
    const [applied, failed, partial] = table.getAllByRole("row").slice(1);
    expect(applied?.textContent).toContain("appliedRolled Backadmin");
    expect(failed?.textContent).toContain("failedSystem");
    const toneOf = (row: HTMLElement | undefined) => row?.querySelector(".badge")?.className;
    expect([applied, failed, partial].map(toneOf)).toEqual([
      "badge positive",
      "badge negative",
      "badge warning",
    ]);
  });

  it("without rows reports that everything matches [spec:2.reports.10]", async () => {
    reportServer({ items: [] });
    openPage(address);
    await screen.findByText("No Variances Found");
    screen.getByText("All counted items match the expected inventory levels");
  });

  it("asks for every product where the administrator wants them all", async () => {
    const server = reportServer();
    const sent = server.answer(varianceReport, report());
    openPage(address);
    await userEvent.selectOptions(await screen.findByLabelText("Show"), "All products");
    await waitFor(() => expect(sent.map((call) => call.query.view)).toEqual(["variances", "all"]));
  });

  it("is narrowed by a filter and a search, shows how many rows match, and can be cleared [spec:2.reports.9]", async () => {
    reportServer();
    openPage(address);
    const section = within(await screen.findByRole("region", { name: "Variance Report" }));
    section.getByText("2 items");
    await userEvent.selectOptions(section.getByLabelText("Show"), "Shortages");
    await section.findByText("1 of 2 items");
    expect(section.queryByText("LIN-S")).toBeNull();
    await userEvent.type(section.getByLabelText("Search"), "lin-s");
    await section.findByText("No product matches this search and filter.");
    await userEvent.click(section.getByRole("button", { name: "Show All Variances" }));
    await section.findByText("2 items");
  });

  it("can be sorted by cost impact", async () => {
    const belt = reportItem({ sku: "BELT", productTitle: "Belt", variance: -1, costImpact: -4 });
    reportServer({ items: [belt, reportItem({ sku: "LIN", variance: -1, costImpact: -90 })] });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    const titles = () => table.getAllByRole("rowheader").map((header) => header.textContent);
    expect(titles()[0]).toMatch(/^Belt/);
    await userEvent.selectOptions(screen.getByLabelText("Sort by"), "Cost impact");
    await waitFor(() => expect(titles()[0]).toMatch(/^Linen Shirt/));
  });

  it("charts the variance by area and the largest cost impacts, each bar with its figures", async () => {
    reportServer();
    openPage(address);
    const charts = within(await screen.findByRole("region", { name: "Variance breakdown" }));
    const areas = within(charts.getByRole("figure", { name: "Variance by area, in units" }));
    expect(areas.getAllByRole("button").map((bar) => bar.textContent)).toEqual([
      "Window+3",
      "Several areas-2",
    ]);
    areas.getByRole("button", { name: "Window: +3" });
    charts.getByRole("figure", { name: "Ten largest cost impacts of what was counted, in USD" });
  });

  it("draws only what is in sight, and every row for paper", async () => {
    const items = Array.from({ length: 300 }, (_none, index) =>
      reportItem({ sku: `SKU-${index}`, productTitle: `Product ${index}`, variance: 1 }),
    );
    // happy-dom lays nothing out, and rows without a height would all be in sight.
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(60);
    reportServer({ items });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    expect(table.getAllByRole("row").length).toBeLessThan(100);
    act(() => globalThis.dispatchEvent(new Event("beforeprint")));
    expect(table.getAllByRole("row")).toHaveLength(1 + 2 * items.length);
    act(() => globalThis.dispatchEvent(new Event("afterprint")));
    expect(table.getAllByRole("row").length).toBeLessThan(100);
  });

  it("the picture opens whole and closes by a click, by × or by Escape [spec:2.reports.16]", async () => {
    reportServer();
    openPage(address);
    const open = () => userEvent.click(screen.getByRole("button", { name: "Open image of Linen Shirt" }));
    await screen.findByRole("button", { name: "Open image of Linen Shirt" });
    await open();
    await userEvent.click(await screen.findByRole("img", { name: "Linen Shirt" }));
    await waitFor(() => expect(screen.queryByRole("img", { name: "Linen Shirt" })).toBeNull());
    await open();
    await userEvent.click(await screen.findByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("img", { name: "Linen Shirt" })).toBeNull());
    await open();
    await screen.findByRole("img", { name: "Linen Shirt" });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("img", { name: "Linen Shirt" })).toBeNull());
  });

  it("ends with the hash of its audit log, which is printed whole", async () => {
    const hash = "0123456789abcdef".repeat(4);
    reportServer({ auditHash: hash });
    openPage(address);
    const link = await screen.findByRole("link", { name: "Audit log of this session" });
    expect(link.getAttribute("href")).toBe(`/admin/audit?session=${report().session._id}`);
    screen.getByText(hash);
  });

  it("a report that can't be read shows an error [spec:8.fallback.17]", async () => {
    reportServer().answerRaw(varianceReport, 502, "");
    openPage(address);
    await screen.findByText("Failed to fetch variance report");
  });
});

describe("adjusting a count", () => {
  async function openAdjust() {
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Adjust Count of LIN-M" }));
    return within(await screen.findByRole("dialog", { name: "Adjust Count" }));
  }

  it.each([
    ["", "Enter 0 or more"],
    ["-3", "Enter 0 or more"],
    ["1.5", "Enter a whole number"],
    ["1000001", "Enter at most 1,000,000"],
  ])("%j can't be saved, and the field shows why [spec:5.7]", async (entry, why) => {
    reportServer();
    const dialog = await openAdjust();
    await userEvent.clear(dialog.getByLabelText("New Count"));
    if (entry !== "") await userEvent.type(dialog.getByLabelText("New Count"), entry);
    expect(dialog.getByRole("button", { name: "Save Adjustment" })).toHaveProperty("disabled", true);
    const described = dialog.getByLabelText("New Count").getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(described)?.textContent).toBe(why);
  });

  it("sends the integer and the reason, and reports what changed [spec:5.6][spec:2.reports.25]", async () => {
    const sent = reportServer().answer(adjustCount, { previousCount: 3, newCount: 0 });
    const dialog = await openAdjust();
    dialog.getByText("Linen Shirt");
    dialog.getByText(/^Current Count/);
    dialog.getByText("Back");
    dialog.getByRole("button", { name: "Cancel" });
    await userEvent.clear(dialog.getByLabelText("New Count"));
    await userEvent.type(dialog.getByLabelText("New Count"), "0");
    await userEvent.type(dialog.getByLabelText("Reason (Optional)"), "Damaged");
    await userEvent.click(dialog.getByRole("button", { name: "Save Adjustment" }));
    await screen.findByText("The count of LIN-M was changed from 3 to 0.");
    expect(sent[0]?.body).toEqual({ sku: "LIN-M", newCount: 0, reason: "Damaged", seenCount: 3 });
  });

  it("shows who set the count before, when, from what to what, and why", async () => {
    const server = reportServer();
    const asked = server.answer(listCountAdjustments, {
      counts: [
        {
          _id: "2",
          sku: "LIN-M",
          previousCount: 5,
          newCount: 3,
          reason: "Two were damaged",
          adjustedAt: "2026-03-02T08:00:00.000Z",
          adjustedBy: { username: "admin" },
        },
      ],
    });
    const dialog = await openAdjust();
    const history = within(await dialog.findByRole("list", { name: "Previous Adjustments" }));
    expect(history.getByRole("listitem").textContent).toMatch(
      /^5 → 3admin, Mar 2, 2026, 8:00\sAMTwo were damaged$/,
    );
    expect(asked[0]?.query).toEqual({ sku: "LIN-M" });
  });
});
