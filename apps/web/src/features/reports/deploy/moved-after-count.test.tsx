import { type ReportSummary, readCoverage, varianceReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reportItem, reportSummary } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, report, reportServer } from "../testing/report-server.ts";

const sold = reportItem({ sku: "SOLD", variance: 2, varianceAtCount: { low: -1, high: -1 } });
const cancelled = reportItem({ sku: "CANCELLED", variance: 0, varianceAtCount: { low: -2, high: -2 } });
const left = reportItem({ ...sold, sku: "GIFT", skipReason: "UNTRACKED", wouldMove: null });
const still = reportItem({ sku: "STILL", variance: 2, varianceAtCount: { low: 2, high: 2 } });

async function totals() {
  return within(await screen.findByRole("region", { name: "Totals" }));
}

const told = (changes: Partial<NonNullable<ReportSummary["movedAfterCount"]>> = {}) =>
  reportSummary({
    movedAfterCount: { items: 1, units: 3, isCertain: true, firstSkus: ["SOLD"], ...changes },
  });

it("what was sold between the count and the end is told at the totals, and leads to its rows, those too without a variance", async () => {
  const server = reportServer({ items: [left, still], summary: told({ items: 2 }) });
  const sent = server.answer(varianceReport, ({ query }) =>
    report({
      items: query.view === "all" ? [sold, cancelled, left, still] : [sold, left, still],
      summary: told({ items: 2 }),
    }),
  );
  const page = openPage(address);
  const inTotals = await totals();
  inTotals.getByText("2 SKUs moved in Shopify after being counted");
  inTotals.getByText(
    /would put back what was sold after it was counted, and take out what came in: 3 units\./,
  );
  await userEvent.click(inTotals.getByRole("button", { name: "Show These Rows" }));
  await waitFor(() => expect(page.address()).toContain("show=moved_after_count"));
  await waitFor(() => expect(sent.map(({ query }) => query.view)).toEqual(["variances", "all"]));
  const rows = screen.getByRole("table", { name: "Variance Report" });
  await waitFor(() =>
    expect(
      Array.from(rows.querySelectorAll("button[data-sku]"), ({ textContent }) => textContent).sort(),
    ).toEqual(["CANCELLED", "SOLD"]),
  );
});

it("the deploy's dialog says of as many SKUs, and names the first", async () => {
  reportServer({ items: [still], summary: told({ items: 7, firstSkus: ["A", "B", "C", "D", "E"] }) });
  openPage(address);
  (await totals()).getByText("7 SKUs moved in Shopify after being counted");
  await userEvent.click(screen.getByRole("button", { name: "Deploy to Shopify" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
  await dialog.findByText("7 SKUs moved in Shopify after being counted");
  dialog.getByText(/take out what came in: A, B, C, D, E, 2 more\./);
});

it("how much it is at most, where nobody can tell what was on hand at the count", async () => {
  reportServer({ summary: told({ units: 2, isCertain: false }) });
  openPage(address);
  (await totals()).getByText(/take out what came in: up to 2 units\./);
});

it("is not told where the server tells of none", async () => {
  reportServer({ items: [still, left] });
  openPage(address);
  expect((await totals()).queryByText(/moved in Shopify after being counted/)).toBeNull();
});

it("the deploy's dialog names no number of open things that is being read again", async () => {
  const server = reportServer();
  server.answer(readCoverage, {
    open: [{ kind: "exceptions", count: 2, names: [] }],
    certificate: null,
    canIssue: true,
  });
  openPage(address);
  await screen.findByText("No coverage certificate: 2 things open");
  const again = server.answerLater(readCoverage, {
    open: [{ kind: "exceptions", count: 1, names: [] }],
    certificate: null,
    canIssue: true,
  });
  await userEvent.click(screen.getByRole("button", { name: "Deploy to Shopify" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
  await dialog.findByText("Coverage certificate: reading what is open...");
  expect(dialog.queryByText(/things? open/)).toBeNull();
  again.release();
  await dialog.findByText("No coverage certificate: 1 thing open");
});

it.each([
  ["what was read before", true],
  ["nothing before", false],
])("the deploy's dialog says that the open things could not be read, after %s", async (_before, wasRead) => {
  const server = reportServer();
  const open = [{ kind: "exceptions" as const, count: 2, names: [] }];
  if (wasRead) server.answer(readCoverage, { open, certificate: null, canIssue: true });
  else server.refuse(readCoverage, "OVERLOADED", "The server is busy.");
  openPage(address);
  if (wasRead) await screen.findByText("No coverage certificate: 2 things open");
  server.refuse(readCoverage, "OVERLOADED", "The server is busy.");
  await userEvent.click(await screen.findByRole("button", { name: "Deploy to Shopify" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
  await dialog.findByText("Coverage certificate: what is open could not be read");
  expect(dialog.queryByText(/things? open/)).toBeNull();
});
