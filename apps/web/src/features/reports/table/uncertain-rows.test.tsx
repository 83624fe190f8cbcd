import { includeFigures, UncertainReason, uncertainMessages } from "@stocktake/contract";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportItem, reportSummary } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer, wholeReport } from "../testing/report-server.ts";

const uncertain = { sku: "LIN-S", variance: -2, uncertain: "COUNTED_AFTER_END" } as const;
const words = "Uncertain: counted after the end, and its stock may have moved since";

describe("a row whose figure is uncertain", () => {
  it("says why, once, and how many wait for a decision", async () => {
    const items = [reportItem({ ...uncertain, skipReason: "COUNTED_AFTER_END" }), reportItem()];
    reportServer({ items, summary: reportSummary({ uncertain: 1 }) });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    expect(table.getAllByText(/Uncertain/).map(({ textContent }) => textContent)).toEqual([
      `${words} – won't be deployed until you decide`,
    ]);
    screen.getByText(/^1 row is uncertain and won't be deployed until you decide/);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Uncertain");
    expect(table.queryByText("LIN-M")).toBeNull();
    table.getByText("LIN-S");
  });

  it("says where it is included, unless only a count by hand decides", async () => {
    const ambiguous = reportItem({ sku: "LIN-L", variance: 1, skipReason: "AMBIGUOUS_MOVEMENT" });
    const where = /adjust the count, or press Include where the row has it/;
    reportServer({ items: [reportItem({ ...uncertain, skipReason: "COUNTED_AFTER_END" }), ambiguous] });
    openPage(address);
    await wholeReport();
    await screen.findByRole("button", { name: "Include: LIN-S" });
    expect(screen.getAllByText(where)).toHaveLength(2);
    cleanup();
    reportServer({ items: [ambiguous] });
    openPage(address);
    await wholeReport();
    expect(await screen.findAllByText(/adjust the count\.$/)).toHaveLength(2);
    expect(screen.queryByRole("button", { name: /^Include/ })).toBeNull();
  });

  it("asks for no decision once the report is deployed", async () => {
    const open = reportItem({ ...uncertain, skipReason: "COUNTED_AFTER_END" });
    reportServer({ items: [open, { ...open, sku: "LIN-L", deployed: -2 }], deployed: true });
    openPage(address);
    await screen.findByText("1 uncertain row was not deployed.");
    expect(screen.queryByText(/until you decide/)).toBeNull();
  });

  it.each(UncertainReason.options)("says in words why, for %s", async (reason) => {
    reportServer({ items: [reportItem({ uncertain: reason, skipReason: reason })] });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    table.getByText(`Uncertain: ${uncertainMessages[reason]} – won't be deployed until you decide`);
  });

  it("says that it was found after the row was deployed", async () => {
    const items = [
      reportItem({ ...uncertain, deployed: -2 }),
      reportItem({ ...uncertain, sku: "LIN-L", skipReason: "COUNTED_AFTER_END" }),
    ];
    reportServer({ items, deployed: true });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    expect(table.getAllByText(/Uncertain/).map(({ textContent }) => textContent)).toEqual([
      `${words} – not deployed`,
      `${words} – found after it was deployed`,
    ]);
  });

  it("is included by its button", async () => {
    const server = reportServer({ items: [reportItem({ ...uncertain, skipReason: "COUNTED_AFTER_END" })] });
    server.answer(includeFigures, { skus: ["LIN-S"], included: true });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Include: LIN-S" }));
    await screen.findByText("LIN-S is included: the next deploy applies its count as it is.");
  });

  it("that is included can be left out again, until it is deployed", async () => {
    const items = [reportItem({ ...uncertain, included: true })];
    reportServer({ items, deployed: true });
    openPage(address);
    await screen.findByText(`${words} – included by an administrator`);
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Leave Out: LIN-S" });
    expect(button.disabled).toBe(true);
  });
});

describe("the notice of rows that nobody has decided on", () => {
  const open = { ...uncertain, skipReason: "COUNTED_AFTER_END" } as const;
  const heading = /^\d SKUs? won't be deployed until you decide$/;

  it("says how many a deploy leaves out, and leads to them", async () => {
    reportServer({
      items: [
        reportItem(open),
        reportItem({ sku: "LIN-L", variance: 1, skipReason: "AMBIGUOUS_MOVEMENT" }),
        reportItem({ ...uncertain, sku: "LIN-XL", included: true }),
        reportItem(),
      ],
    });
    const page = openPage(address);
    await screen.findByText("2 SKUs won't be deployed until you decide");
    await userEvent.click(screen.getByRole("button", { name: "Show Uncertain Rows" }));
    expect(page.address()).toContain("show=uncertain");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Variance Report"));
  });

  it("is not there where each is decided, nor once the report is deployed", async () => {
    reportServer({ items: [reportItem({ ...uncertain, included: true }), reportItem()] });
    openPage(address);
    await screen.findByRole("table", { name: "Variance Report" });
    expect(screen.queryByText(heading)).toBeNull();
    cleanup();
    reportServer({ items: [reportItem(open)], deployed: true });
    openPage(address);
    await screen.findByRole("table", { name: "Variance Report" });
    expect(screen.queryByText(heading)).toBeNull();
  });
});

describe("levels that could not be read for a time", () => {
  const stockGaps = [{ from: "2026-03-01T10:00:00.000Z", to: "2026-03-01T11:00:00.000Z" }];

  const across = { uncertain: "COUNTED_ACROSS_GAP", skipReason: "COUNTED_ACROSS_GAP" } as const;
  const rows = [
    reportItem({ sku: "OPEN", ...across }),
    reportItem({ sku: "TAKEN", ...across, skipReason: null, included: true }),
  ];

  it("are named with the rows that it makes uncertain", async () => {
    reportServer({ stockGaps, items: [reportItem(across), reportItem({ sku: "LIN-S" })] });
    openPage(address);
    const title = await screen.findByText("Shopify's stock could not be read all the time");
    const text = title.parentElement?.textContent ?? "";
    expect(text).toMatch(
      /It was not read from .+ to .+\. 1 SKU was counted and moved then, and marked uncertain\./,
    );
  });

  it("count no row that is included, and lead to the others", async () => {
    reportServer({ stockGaps, items: rows });
    const page = openPage(address);
    const title = await screen.findByText("Shopify's stock could not be read all the time");
    const notice = within(title.closest<HTMLElement>("[role=note]") ?? document.body);
    notice.getByText(/1 SKU was counted and moved then, and marked uncertain/);
    await userEvent.click(notice.getByRole("button", { name: "Show Uncertain Rows" }));
    await waitFor(() => expect(page.address()).toContain("show=uncertain"));
  });

  it("ask for no decision once the report is deployed", async () => {
    reportServer({ stockGaps, items: rows, deployed: true });
    openPage(address);
    await screen.findByText(/1 SKU was counted and moved then, and not deployed because nobody had decided/);
    expect(screen.queryByRole("button", { name: "Show Uncertain Rows" })).toBeNull();
  });

  it("say so where every row is decided on", async () => {
    reportServer({ stockGaps, items: rows.slice(1) });
    openPage(address);
    await screen.findByText(/Somebody has decided on every row that was counted and moved then\./);
  });

  it("are named where no figure is in doubt because of them, too, as where what they marked was counted by hand", async () => {
    reportServer({ stockGaps, items: [reportItem({ sku: "OPEN", counted: 4, manual: true })] });
    openPage(address);
    await screen.findByText(/ to [^.]+\. No figure is in doubt because of it\.$/);
  });
});

describe("the notes below the sums", () => {
  it.each([
    [1, "1 item is left out of the cost impact: Shopify has no unit cost for it, or one too large"],
    [2, "2 items are left out of the cost impact: Shopify has no unit cost for them, or one too large"],
  ])("say of %i items why they are in no sum", async (withoutCost, words) => {
    reportServer({ summary: reportSummary({ withoutCost }) });
    openPage(address);
    await screen.findByText(new RegExp(`^${words}`));
  });

  it("say that a sum is too large to be shown", async () => {
    reportServer({ summary: reportSummary({ totalCostImpact: null }) });
    openPage(address);
    await screen.findByText("The total cost impact is too large to be shown exactly.");
  });
});
