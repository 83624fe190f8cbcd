import { readCoverage } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";

const sold = reportItem({ sku: "SOLD", variance: 2, varianceAtCount: { low: -1, high: -1 } });
const left = reportItem({ ...sold, sku: "GIFT", skipReason: "UNTRACKED", wouldMove: null });
const still = reportItem({ sku: "STILL", variance: 2, varianceAtCount: { low: 2, high: 2 } });

async function totals() {
  return within(await screen.findByRole("region", { name: "Totals" }));
}

it("what was sold between the count and the end is told at the totals, and leads to its rows", async () => {
  reportServer({ items: [sold, left, still] });
  const page = openPage(address);
  const inTotals = await totals();
  inTotals.getByText("1 SKU moved in Shopify after being counted");
  inTotals.getByText(
    /would put back what was sold after it was counted, and take out what came in: 3 units\./,
  );
  await userEvent.click(inTotals.getByRole("button", { name: "Show These Rows" }));
  await waitFor(() => expect(page.address()).toContain("show=moved_after_count"));
  const rows = screen.getByRole("table", { name: "Variance Report" });
  await waitFor(() =>
    expect(Array.from(rows.querySelectorAll("button[data-sku]"), ({ textContent }) => textContent)).toEqual([
      "SOLD",
    ]),
  );
});

it("how much it is at most, where nobody can tell what was on hand at the count", async () => {
  reportServer({ items: [reportItem({ variance: 2, varianceAtCount: { low: 0, high: 2 } })] });
  openPage(address);
  (await totals()).getByText(/take out what came in: up to 2 units\./);
});

it.each([
  { why: "the count is compared with its own time", basis: "count" as const, items: [sold] },
  { why: "nothing moved", basis: "end" as const, items: [still, left] },
])("is not told where $why", async ({ basis, items }) => {
  reportServer({ items, basis });
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
