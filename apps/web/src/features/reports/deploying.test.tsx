import { deployReport, listAdjustmentRows, rollbackReport, settleRow } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportItem, reportSummary, session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { address, adjustment, reportServer } from "./testing/report-server.ts";

async function openDeploy() {
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Deploy to Shopify" }));
  return within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
}

describe("deploying", () => {
  it("says what was never counted, in SKUs, units and money, and which areas were never closed", async () => {
    reportServer({
      session: session({ openAreas: [{ _id: "a", code: "B2", name: "Back", status: "in_progress" }] }),
      items: [
        reportItem({ variance: -4, counted: 0, skipReason: "NOT_COUNTED" }),
        reportItem({ sku: "2", variance: 1 }),
      ],
      summary: reportSummary({ notCounted: { items: 1, units: 4, cost: -40 } }),
    });
    const dialog = await openDeploy();
    dialog.getByText(/1 SKU with 4 units on hand, worth \$40\.00\. They stay as they are unless/);
    dialog.getByText(/1 area was never closed: B2 – Back/);
    dialog.getByText("1 SKU changes its stock in Shopify.");
    dialog.getByText(/This updates the inventory levels/);
  });

  it("says that what was never counted goes to zero where every area was closed", async () => {
    reportServer({
      items: [reportItem({ variance: -4, counted: 0 })],
      summary: reportSummary({ notCounted: { items: 1, units: 4, cost: -40 } }),
    });
    const dialog = await openDeploy();
    dialog.getByText(/Every area was closed, so they are set to zero/);
    expect(dialog.queryByRole("checkbox")).toBeNull();
  });

  it("sends nothing about zeroing unless it was chosen, and zeroing is asked for a second time", async () => {
    const server = reportServer({
      items: [reportItem({ variance: -4, counted: 0, skipReason: "NOT_COUNTED" })],
      summary: reportSummary({ notCounted: { items: 1, units: 4, cost: -40 } }),
    });
    const sent = server.answer(deployReport, { totalAdjustments: 1, status: "applied", skipped: [] });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set what was never counted to zero/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    const second = within(await screen.findByRole("dialog", { name: /Set what was never counted to zero/ }));
    expect(sent).toEqual([]);
    await userEvent.click(second.getByRole("button", { name: "Set to Zero and Deploy" }));
    await screen.findByText("1 inventory adjustment was deployed to Shopify.");
    expect(sent[0]?.body).toEqual({ zeroUncounted: true });
  });

  it("nothing to move is said in the specification's words, and rows left out are listed with the reason [spec:8.success.4]", async () => {
    const sent = reportServer().answer(deployReport, {
      totalAdjustments: 0,
      status: "applied",
      skipped: [{ sku: "LIN-M", reason: "UNTRACKED" }],
    });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await screen.findByText("No inventory adjustments needed - all counts match expected values!");
    screen.getByText("LIN-M: Shopify does not track its inventory");
    expect(sent[0]?.body).toBeUndefined();
  });

  it("a refusal follows the specification's prefix [spec:8.prefix.2]", async () => {
    reportServer().refuse(deployReport, "PLATFORM_UNAVAILABLE", "Shopify does not answer.");
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await dialog.findByText("Failed to deploy to Shopify: Shopify does not answer.");
  });

  it("a deployed report can neither be deployed nor adjusted until it is rolled back [spec:2.reports.7][spec:2.reports.18][spec:4.9]", async () => {
    reportServer({ deployed: true }, [adjustment()]);
    openPage(address);
    const button = await screen.findByRole("button", { name: "Deployed (Rollback to Re-enable)" });
    expect(button).toHaveProperty("disabled", true);
    for (const adjust of screen.getAllByRole("button", { name: /Adjust Count/ })) {
      expect(adjust).toHaveProperty("disabled", true);
    }
  });

  it("while a deploy is under way the button says Deploying... [spec:2.reports.6]", async () => {
    reportServer({ deployed: true }, [adjustment({ status: "pending" })]);
    openPage(address);
    const button = await screen.findByRole("button", { name: "Deploying..." });
    expect(button).toHaveProperty("disabled", true);
  });
});

describe("the adjustment history", () => {
  it("offers a rollback only for applied entries that were not rolled back [spec:2.reports.24]", async () => {
    const sent = reportServer({ deployed: true }, [
      adjustment(),
      adjustment({ _id: "2", rolledBackAt: "2026-03-02T09:00:00.000Z", appliedBy: null }),
      adjustment({ _id: "3", status: "failed", note: "Shopify did not answer." }),
      adjustment({ _id: "4", status: "partial" }),
    ]).answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Adjustment History" }));
    table.getByText("Rolled Back");
    table.getByText("System");
    table.getByText("Shopify did not answer.");
    await userEvent.click(table.getByRole("button", { name: "Rollback" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Roll back?" }));
    dialog.getByText(/This reverses all inventory changes/);
    await userEvent.click(dialog.getByRole("button", { name: "Rollback" }));
    await screen.findByText("2 inventory adjustments were rolled back.");
    expect(sent).toHaveLength(1);
  });

  it("an unclear row is settled by a person's word", async () => {
    const server = reportServer({ deployed: true }, [adjustment({ status: "partial" })]);
    server.answer(listAdjustmentRows, {
      rows: [
        {
          adjustmentId: "adjustment-1",
          sku: "LIN-M",
          delta: -2,
          state: "unclear",
          direction: "deploy",
          note: null,
        },
      ],
    });
    const sent = server.answer(settleRow, { adjustment: adjustment() });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Change Was Made: LIN-M" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ sku: "LIN-M", applied: true }));
  });
});
