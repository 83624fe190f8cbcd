import { rollbackReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { adjustment, reportItem } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { address, reportServer } from "./testing/report-server.ts";

afterEach(() => vi.restoreAllMocks());

const never = reportItem({ sku: "TEE", areas: [], counted: 0, endOnHand: 9, variance: -9 });
const counted = reportItem({ sku: "LIN-S", variance: 3 });

it("the newest session is chosen by itself", async () => {
  reportServer();
  openPage("/admin/reports");
  await screen.findByText("Selected");
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
  expect(page.address()).toBe(`${address}&show=not_counted`);
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

it("the totals come before the rows, and the parts below are led to", async () => {
  reportServer({}, [adjustment()]);
  const page = openPage(address);
  await screen.findByRole("table", { name: "Adjustment History" });
  const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual([
    "Select Session",
    "Report Actions",
    "Totals",
    "Variance breakdown",
    "Variance Report",
    "Adjustment History",
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
  await userEvent.click(actions.getByRole("button", { name: "Roll Back Deploy" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Roll back?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Rollback" }));
  await screen.findByText("2 inventory adjustments were rolled back.");
  await waitFor(() => expect(sent).toHaveLength(1));
});
