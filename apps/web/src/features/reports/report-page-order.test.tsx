import { explainRow, rollbackReport } from "@stocktake/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { adjustment, reportItem, reportSummary, session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";
import { group, serveWaiting } from "./exceptions/testing/waiting-scans.ts";
import { address, reportServer, wholeReport } from "./testing/report-server.ts";

afterEach(() => vi.restoreAllMocks());

const never = reportItem({ sku: "TEE", areas: [], counted: 0, endOnHand: 9, variance: -9 });
const counted = reportItem({ sku: "LIN-S", variance: 3 });

it("the newest session is chosen by itself, and is in the address: a link to it leads there when there is a newer one", async () => {
  reportServer();
  const page = openPage("/admin/reports?row=LIN-S");
  await screen.findByText("Selected");
  expect(page.address()).toBe(`/admin/reports?row=LIN-S&session=${session()._id}`);
  await screen.findByRole("region", { name: "Variance Report" });
});

it("what nobody counted is shown when it is asked for; the part of the totals leads to it, and the address says so", async () => {
  reportServer({ items: [counted, never] });
  const page = openPage(address);
  await screen.findByRole("button", { name: "LIN-S" });
  expect(screen.queryByRole("button", { name: "TEE" })).toBeNull();
  const split = within(screen.getByRole("list", { name: "What the totals are made of" }));
  await userEvent.click(split.getByRole("button", { name: /^Never counted/ }));
  await screen.findByRole("button", { name: "TEE" });
  expect(page.address()).toBe(`${address}&show=not_counted&tab=variances`);
  expect(screen.queryByRole("button", { name: "LIN-S" })).toBeNull();
});

it("a link opens the report as it was sent: filter, order and search", async () => {
  reportServer({ items: [counted, never] });
  openPage(`${address}&show=variances&sort=impact&q=tee`);
  await screen.findByRole("button", { name: "TEE" });
  expect(screen.queryByRole("button", { name: "LIN-S" })).toBeNull();
  expect(screen.getByLabelText("Sort by")).toHaveProperty("value", "impact");
  expect(screen.getByLabelText("Search")).toHaveProperty("value", "tee");
});

it("a link to some of the rows lands on them, unless it names a part", async () => {
  reportServer({ items: [counted, never] }, [adjustment()]);
  openPage(`${address}&show=not_counted`);
  const rows = await screen.findByRole("heading", { name: "Variance Report" });
  await waitFor(() => expect(document.activeElement).toBe(rows));
});

it("a link to some of the rows that names a part lands on that part", async () => {
  reportServer({ items: [counted, never] }, [adjustment()]);
  openPage(`${address}&show=not_counted&tab=history`);
  const history = await screen.findByRole("heading", { name: "Adjustment History" });
  await waitFor(() => expect(document.activeElement).toBe(history));
});

it("a choice that is made before the last one is drawn keeps that one", async () => {
  reportServer({ items: [counted, never] });
  const page = openPage(address);
  const rows = await screen.findByLabelText("Rows");
  fireEvent.change(screen.getByLabelText("Show"), { target: { value: "shortages" } });
  fireEvent.change(rows, { target: { value: "flat" } });
  fireEvent.click(screen.getByRole("button", { name: /^Variances \(/ }));
  await waitFor(() => expect(page.address()).toBe(`${address}&show=shortages&rows=stake&tab=variances`));
  await screen.findByRole("button", { name: "TEE" });
});

it("areas that nobody closed are named above the figures that they may explain, and lead to what was not counted", async () => {
  const openAreas = Array.from({ length: 10 }, (_value, index) => ({
    ...{ _id: `area-${index}`, code: `A${index + 1}`, name: `A${index + 1}`, status: "not_started" as const },
  }));
  reportServer({
    session: session({ openAreas }),
    items: [counted, never],
    summary: reportSummary({ notCounted: { items: 1, units: 9, cost: 90 } }),
  });
  const page = openPage(address);
  await screen.findByText("10 areas were never closed: A1, A2, A3, A4, A5, A6, A7, A8, and 2 more");
  screen.getByText(/may not be: 1 SKU with 9 units were counted in no area/);
  await userEvent.click(screen.getByRole("button", { name: "Show What Was Not Counted" }));
  await screen.findByRole("button", { name: "TEE" });
  expect(page.address()).toBe(`${address}&show=not_counted&tab=variances`);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Variance Report" })),
  );
});

it("the address names the part that was led to last, and whoever opens it lands there", async () => {
  const server = reportServer({ items: [counted, never] }, [adjustment({ status: "partial", resumable: 1 })]);
  serveWaiting(server, [group()]);
  const page = openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Adjustment History (1)" }));
  expect(page.address()).toBe(`${address}&tab=history`);
  const split = within(screen.getByRole("list", { name: "What the totals are made of" }));
  await userEvent.click(split.getByRole("button", { name: /^Never counted/ }));
  await waitFor(() => expect(page.address()).toBe(`${address}&tab=variances&show=not_counted`));
  await userEvent.click(await screen.findByRole("button", { name: "Go to These Scans" }));
  await waitFor(() => expect(page.address()).toContain("tab=decisions"));
  await userEvent.click(screen.getByRole("button", { name: "Go to Adjustment History" }));
  await waitFor(() => expect(page.address()).toContain("tab=history"));
  expect(document.activeElement?.textContent).toBe("Adjustment History");
});

it("a link leads once more to the part that the page was opened with", async () => {
  reportServer({ items: [counted, never] }, [adjustment()]);
  const page = openPage(`${address}&tab=history`);
  const history = await screen.findByRole("heading", { name: "Adjustment History" });
  await waitFor(() => expect(document.activeElement).toBe(history));
  await userEvent.click(screen.getByRole("button", { name: /^Variances \(/ }));
  await waitFor(() => expect(page.address()).toBe(`${address}&tab=variances`));
  await page.goTo(`${address}&tab=history`);
  await waitFor(() => expect(document.activeElement).toBe(history));
});

it("says how many rows differ, also while every product is shown", async () => {
  const right = reportItem({ sku: "CAP", variance: 0, varianceAtCount: { low: 0, high: 0 }, wouldMove: 0 });
  reportServer({ items: [counted, never, right] });
  openPage(`${address}&show=all`);
  await screen.findByRole("button", { name: "CAP" });
  screen.getByRole("button", { name: "Variances (2)" });
});

it("the totals come before the rows, and the parts below are led to", async () => {
  reportServer({}, [adjustment()]);
  const page = openPage(address);
  await wholeReport();
  await screen.findByRole("table", { name: "Adjustment History" });
  await screen.findByRole("heading", { name: "Coverage" });
  const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual([
    "Select Session",
    "Report Actions",
    "Totals",
    "Variance breakdown",
    "What to Count Again",
    "Variance Report",
    "Adjustment History",
    "Coverage",
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Adjustment History (1)" }));
  expect(document.activeElement?.textContent).toBe("Adjustment History");
  expect(page.address()).toBe(`${address}&tab=history`);
});

it("the session's line says what became of it, and rolls a deploy back", async () => {
  const server = reportServer({ deployed: true }, [adjustment()]);
  const sent = server.answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
  openPage(address);
  const actions = within(await screen.findByRole("region", { name: "Report Actions" }));
  await actions.findByText(/^Deployed · Harbour Street, /);
  await userEvent.click(await actions.findByRole("button", { name: "Roll Back Deploy" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Roll back?" }));
  await pressOnceEnabled(dialog.getByRole("button", { name: "Rollback" }));
  await screen.findByText("2 inventory adjustments were rolled back.");
  await waitFor(() => expect(sent).toHaveLength(1));
});

it("rows are listed without their products too, the money at stake first, and ordered by any column's heading", async () => {
  const belt = reportItem({ sku: "BELT", productTitle: "Belt", variance: -1, costImpact: -4 });
  reportServer({ items: [belt, reportItem({ sku: "LIN", variance: 9, costImpact: 90 })] });
  const page = openPage(address);
  const table = within(await screen.findByRole("table", { name: "Variance Report" }));
  const skus = () =>
    table.getAllByRole("button", { name: /^(BELT|LIN)$/ }).map(({ textContent }) => textContent);
  expect(skus()).toEqual(["BELT", "LIN"]);
  await userEvent.selectOptions(screen.getByLabelText("Rows"), "One list");
  await waitFor(() => expect(skus()).toEqual(["LIN", "BELT"]));
  table.getByText("Belt");
  expect(screen.getByLabelText("Sort by")).toHaveProperty("value", "stake");
  await userEvent.click(table.getByRole("button", { name: "Variance" }));
  await waitFor(() => expect(page.address()).toBe(`${address}&rows=variance`));
  await userEvent.click(table.getByRole("button", { name: "Variance" }));
  await waitFor(() => expect(skus()).toEqual(["BELT", "LIN"]));
  expect(page.address()).toBe(`${address}&rows=variance-up`);
  expect(table.getByRole("columnheader", { name: "Variance" }).getAttribute("aria-sort")).toBe("ascending");
});

it("a bar of a chart leads to its rows, whatever else was looked for; what nobody counted is beside the bars and leads to its own", async () => {
  reportServer({ items: [counted, never] });
  const page = openPage(`${address}&q=tee`);
  const areas = within(await screen.findByRole("figure", { name: "Variance by area, in units" }));
  expect(areas.getAllByRole("button")).toHaveLength(1);
  await userEvent.click(areas.getByRole("button", { name: "Window: +3" }));
  await screen.findByRole("button", { name: "LIN-S" });
  expect(page.address()).toContain("place=area%3AWindow");
  const breakdown = within(screen.getByRole("region", { name: "Variance breakdown" }));
  const impacts = within(
    screen.getByRole("figure", { name: "Ten largest cost impacts of what was counted, in USD" }),
  );
  impacts.getByText(/1 SKU that nobody counted, -9 units, -\$90\.00\.$/);
  await userEvent.click(breakdown.getByRole("button", { name: "Show What Was Never Counted" }));
  await screen.findByRole("button", { name: "TEE" });
  expect(page.address()).toContain("show=not_counted");
  expect(page.address()).not.toContain("place=");
  await userEvent.click(impacts.getByRole("button", { name: /^Linen Shirt · M: / }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "TEE" })).toBeNull());
});

it("where nobody counted anything that differs, the breakdown says so and leads to it", async () => {
  reportServer({ items: [never] });
  const page = openPage(address);
  const breakdown = within(await screen.findByRole("region", { name: "Variance breakdown" }));
  breakdown.getByText("All of the variance is stock that nobody counted: 1 SKU, -9 units, -$90.00.");
  expect(breakdown.queryByRole("figure")).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Areas (0)" }));
  expect(document.activeElement?.textContent).toBe("Variance breakdown");
  await userEvent.click(breakdown.getByRole("button", { name: "Show What Was Never Counted" }));
  await waitFor(() => expect(page.address()).toContain("show=not_counted"));
});

it("where nothing differs there is no breakdown, and nothing leads to it", async () => {
  reportServer({ items: [] });
  openPage(address);
  const button = await screen.findByRole("button", { name: "Areas (0)" });
  expect(button).toHaveProperty("disabled", true);
  expect(screen.queryByRole("region", { name: "Variance breakdown" })).toBeNull();
});

it("what nets to zero inside one product can be hidden", async () => {
  const lost = reportItem({ sku: "LIN-M", variance: -3 });
  const belt = reportItem({ sku: "BELT", productTitle: "Belt", variance: -1 });
  reportServer({ items: [counted, lost, belt] });
  openPage(address);
  const hide = await screen.findByRole("switch", {
    name: "Hide products whose variances cancel out (1 product)",
  });
  await userEvent.click(hide);
  await waitFor(() => expect(screen.queryByRole("button", { name: "LIN-M" })).toBeNull());
  screen.getByRole("button", { name: "BELT" });
});

it("likely swapped SKUs are shown side by side with their net, and lead to what explains each", async () => {
  const lost = reportItem({ sku: "LIN-L", size: "L", variance: -3, areas: ["Back"], costImpact: -27 });
  const server = reportServer({ items: [counted, lost], areaOrder: [["Back", "Window"]] });
  server.answerRaw(explainRow, 404, "");
  openPage(address);
  const pairs = within(await screen.findByRole("region", { name: "Likely swapped (1 pair)" }));
  await userEvent.click(pairs.getByRole("button", { name: "Show Swaps" }));
  const [pair] = pairs.getAllByRole("listitem");
  expect(pair?.textContent).toContain("Neighbouring variants");
  expect(pair?.textContent).toContain("Together 0 units, +$3.00");
  await userEvent.click(pairs.getByRole("button", { name: "LIN-L" }));
  await screen.findByRole("dialog");
});

it("a row that is half of a pair leads to it; of a half that the rows leave out the pair says why", async () => {
  const lost = reportItem({
    ...{ sku: "LIN-L", size: "L", variance: -3, endOnHand: 3, counted: 0, areas: [] },
  });
  reportServer({ items: [counted, lost] });
  openPage(address);
  const row = await screen.findByRole("button", { name: "Likely swapped with L · LIN-L (-3)" });
  await userEvent.click(row);
  const region = within(screen.getByRole("region", { name: "Likely swapped (1 pair)" }));
  const pair = region.getByRole("listitem");
  expect(document.activeElement).toBe(pair);
  within(pair).getByText("Its row is not among those shown now: nobody counted it.");
  await userEvent.click(region.getByRole("button", { name: "Hide Swaps" }));
  expect(region.queryByRole("listitem")).toBeNull();
  await userEvent.click(row);
  expect(document.activeElement).toBe(region.getByRole("listitem"));
  await userEvent.click(region.getByRole("button", { name: "Show All Variances" }));
  await screen.findByRole("button", { name: "Likely swapped with M · LIN-S (+3)" });
  expect(region.queryByText(/Its row is not among/)).toBeNull();
});

it("sizes of one product that cancel out are shown beside the pairs, each with its figure, and lead to and from their rows", async () => {
  const [small, large, wide] = [
    reportItem({ sku: "LIN-S", size: "S", variance: 3, areas: ["Back"], costImpact: 27 }),
    reportItem({ sku: "LIN-XL", size: "XL", variance: -2, areas: ["Back"], costImpact: -18 }),
    reportItem({ sku: "LIN-3XL", size: "XXXL", variance: -1, areas: ["Window"], costImpact: -9 }),
  ];
  const pair = ["SILK-S", "SILK-M"].map((sku, index) =>
    reportItem({
      sku,
      productTitle: "Silk Shirt",
      size: sku.slice(-1),
      variance: 1 - 2 * index,
      costImpact: 1,
    }),
  );
  reportServer({ items: [...pair, wide, small, large], areaOrder: [["Back", "Window"]] });
  openPage(address);
  const [row] = await screen.findAllByRole("button", { name: "Cancels out with 2 other sizes" });
  const region = within(screen.getByRole("region", { name: "Likely swapped (1 pair, 1 group of sizes)" }));
  await userEvent.click(row ?? document.body);
  const [group, other] = region.getAllByRole("listitem");
  expect(document.activeElement).toBe(group);
  expect(group?.textContent).toMatch(/\+3 units.*LIN-S.*-2 units.*LIN-XL.*-1 unit.*LIN-3XL/);
  expect(group?.textContent).toContain("Sizes of one product that cancel outTogether 0 units, $0.00");
  expect(other?.textContent).toContain("Neighbouring variants");
  await userEvent.click(region.getByRole("button", { name: "LIN-XL" }));
  await screen.findByRole("dialog");
});
