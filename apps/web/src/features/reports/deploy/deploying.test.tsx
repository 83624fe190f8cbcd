import { deployReport, listAdjustments, previewDeploy, setBasis, varianceReport } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment, reportItem, reportSummary, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { openDeploy } from "../testing/open-deploy.ts";
import {
  address,
  deployPreview,
  report,
  reportServer,
  uncountedStock,
  wholeReport,
} from "../testing/report-server.ts";

const oneUncounted = uncountedStock({ items: 1, units: 4, cost: 40 });

describe("deploying", () => {
  it("shows what was never counted, in SKUs, units and money, and which areas were never closed", async () => {
    const open = { _id: "a", code: "B2", name: "Back", status: "in_progress" } as const;
    reportServer({
      session: session({ openAreas: [open] }),
      exceptions: { unresolved: 1, late: 2 },
    }).answer(
      previewDeploy,
      deployPreview({ totalAdjustments: 1, uncounted: { ...oneUncounted, withoutCost: 1 } }),
    );
    const dialog = await openDeploy();
    dialog.getByText(
      "1 SKU with 4 units on hand, worth $40.00, plus 1 SKU without a cost. They will stay as they are unless you choose otherwise below.",
    );
    dialog.getByText(/1 area was never closed: B2 – Back/);
    dialog.getByText("1 SKU will change in Shopify.");
    dialog.getByText("3 scans that need a decision are not in the count.");
    dialog.getByText(/This updates the inventory levels/);
  });

  it("says what became of the others that the report has as never counted", async () => {
    const uncounted = { variance: -2, areas: [], firstCountedAt: null, lastCountedAt: null };
    const items = [
      reportItem({ ...uncounted, sku: "LEFT" }),
      reportItem({ ...uncounted, sku: "SET", skipReason: "BUNDLE" }),
    ];
    reportServer({ items }).answer(
      previewDeploy,
      deployPreview({ uncounted: oneUncounted, skipped: [{ sku: "SET", reason: "BUNDLE" }] }),
    );
    const dialog = await openDeploy();
    dialog.getByText(/ 1 more SKU was never counted: it is among those that won't be deployed\.$/);
  });

  it("its figures add up: what changes and what stays, and what is left out afterwards", async () => {
    const server = reportServer();
    server.answer(
      previewDeploy,
      deployPreview({
        totalAdjustments: 4,
        uncounted: uncountedStock({ items: 3, units: 9, cost: 90 }),
        skipped: [{ sku: "GIFT", reason: "UNTRACKED" }],
      }),
    );
    const dialog = await openDeploy();
    dialog.getByText("4 SKUs will change in Shopify.");
    dialog.getByText("4 SKUs will stay as they are: 3 never counted, 1 skipped.");
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    dialog.getByText("7 SKUs will change in Shopify.");
    dialog.getByText("1 SKU will stay as it is: 1 skipped.");
  });

  it("what changes is told in units and money too, with what goes to zero", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ uncounted: oneUncounted }));
    const dialog = await openDeploy();
    dialog.getByText("That is +3 and -2 units, +$10.00 at cost.");
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    dialog.getByText("That is +3 and -6 units, -$30.00 at cost.");
    dialog.getByText(
      "1 SKU with 4 units on hand, worth $40.00. They will be set to zero, as you chose below.",
    );
  });

  it("the money that is known is told beside how many SKUs have no cost", async () => {
    const items = [
      reportItem({ sku: "LIN-S", variance: 3, unitCost: 10 }),
      reportItem({ sku: "LIN-M", variance: -2, unitCost: null }),
    ];
    reportServer({ items });
    const dialog = await openDeploy();
    dialog.getByText("That is +3 and -2 units, +$30.00 at cost, plus 1 SKU without a cost.");
  });

  it("the money of what goes to zero is told also where no cost is known of what else changes", async () => {
    const moving = { above: 3, below: 0, cost: null, withoutCost: 1 };
    reportServer().answer(
      previewDeploy,
      deployPreview({ totalAdjustments: 1, moving, uncounted: oneUncounted }),
    );
    const dialog = await openDeploy();
    dialog.getByText("That is +3 and 0 units, at an unknown cost.");
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    dialog.getByText("That is +3 and -4 units, -$40.00 at cost, plus 1 SKU without a cost.");
  });

  it("what goes to zero from below rises, and is told with what changes", async () => {
    const belowZero = { items: 1, units: 2, cost: 10 };
    const uncounted = { ...oneUncounted, items: 2, belowZero };
    const moving = { above: 3, below: 0, cost: 30, withoutCost: 0 };
    reportServer().answer(previewDeploy, deployPreview({ totalAdjustments: 1, moving, uncounted }));
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    dialog.getByText("That is +5 and -4 units, $0.00 at cost.");
  });

  it("what that costs is left unsaid where a server of an earlier release does not tell it", async () => {
    const uncounted = { ...oneUncounted, items: 2, belowZero: { items: 1, units: 2 } };
    reportServer().answer(previewDeploy, deployPreview({ uncounted }));
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    dialog.getByText("That is +5 and -6 units.");
  });

  it("what the variance is compared with is explained for either choice", async () => {
    const server = reportServer();
    openPage(address);
    await screen.findByText(/what Shopify had on hand when the session ended/);
    server.answer(setBasis, { basis: "count" });
    server.answer(varianceReport, report({ basis: "count" }));
    await userEvent.selectOptions(screen.getByLabelText("Compare counts with"), "count");
    await screen.findByText(/what Shopify had on hand when it was counted/);
  });

  it("warns that what was never counted goes to zero where every area was closed", async () => {
    reportServer().answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: oneUncounted }));
    const dialog = await openDeploy();
    dialog.getByText(/Every area was closed, so they will be set to zero/);
    dialog.getByText("No area was left open.");
    expect(dialog.queryByRole("checkbox")).toBeNull();
  });

  it("confirms that everything was counted", async () => {
    reportServer().answer(previewDeploy, deployPreview({ zeroed: "always" }));
    const dialog = await openDeploy();
    dialog.getByText("Every SKU with stock was counted.");
    dialog.getByText("No area was left open.");
  });

  it("does not confirm it for a store without areas, nor where something is skipped that may be uncounted", async () => {
    const skipped = [{ sku: "SHIRT-M", reason: "COUNTED_LATER" } as const];
    reportServer().answer(previewDeploy, deployPreview({ zeroed: "by_choice", skipped }));
    const dialog = await openDeploy();
    dialog.getByText(/^The store had no areas/);
    expect(dialog.queryByText("Every SKU with stock was counted.")).toBeNull();
  });

  it("does not confirm it where what was not counted would not move, as another session has set it to zero", async () => {
    const summary = reportSummary({ notCounted: { items: 1, units: 4, cost: 40 } });
    reportServer({ summary }).answer(previewDeploy, deployPreview({ zeroed: "always" }));
    const dialog = await openDeploy();
    dialog.getByText("No area was left open.");
    expect(dialog.queryByText("Every SKU with stock was counted.")).toBeNull();
  });

  it("explains a partial count", async () => {
    reportServer({ session: session({ scope: "partial" }) });
    const dialog = await openDeploy();
    dialog.getByText("This was a partial count: only counted products change.");
    expect(dialog.queryByText("Every SKU with stock was counted.")).toBeNull();
  });

  it("names before the deploy what Shopify can't change, each reason once", async () => {
    reportServer().answer(
      previewDeploy,
      deployPreview({
        skipped: [
          { sku: "GIFT", reason: "UNTRACKED" },
          { sku: "SET-1", reason: "BUNDLE" },
          { sku: "SET-2", reason: "BUNDLE" },
        ],
      }),
    );
    const dialog = await openDeploy();
    dialog.getByText("3 SKUs won't be deployed");
    const reasons = dialog.getAllByRole("listitem", { hidden: true }).map((item) => item.textContent.trim());
    expect(reasons).toContain("Inventory not tracked in Shopify: GIFT");
    expect(reasons).toContain("Bundle, stocked as its components: SET-1, SET-2");
  });

  it("notes that Shopify was not asked where it did not respond", async () => {
    reportServer().answer(previewDeploy, deployPreview({ shopifyAsked: false }));
    const dialog = await openDeploy();
    dialog.getByText(/Shopify did not respond in time/);
    expect(dialog.getByRole("button", { name: "Deploy to Shopify" })).toHaveProperty("disabled", false);
  });

  it("can't be confirmed before it is known what would change, and is looked up again on request", async () => {
    const server = reportServer();
    server.refuse(previewDeploy, "SESSION_ENDING", "Another session is being ended.");
    const dialog = await openDeploy();
    dialog.getByText("Failed to work out what would change: Another session is being ended.");
    expect(dialog.getByRole("button", { name: "Deploy to Shopify" })).toHaveProperty("disabled", true);
    server.answer(previewDeploy, deployPreview());
    await userEvent.click(dialog.getByRole("button", { name: "Try Again" }));
    await dialog.findByText("2 SKUs will change in Shopify.");
  });

  it("sends nothing about zeroing unless it was chosen, and zeroing is asked for a second time", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ uncounted: oneUncounted }));
    const sent = server.answer(deployReport, { totalAdjustments: 1, status: "applied", skipped: [] });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    const second = within(await screen.findByRole("dialog", { name: /Set uncounted products to zero/ }));
    second.getByText(
      "1 SKU with 4 units on hand, worth $40.00, will be set to zero in Shopify because nobody counted them.",
    );
    expect(sent).toEqual([]);
    await userEvent.click(second.getByRole("button", { name: "Set to Zero and Deploy" }));
    await screen.findByText("1 inventory adjustment was deployed to Shopify.");
    expect(sent[0]?.body).toEqual({ zeroUncounted: true });
  });

  it("nothing to move is reported in the specification's text [spec:8.success.4]", async () => {
    reportServer().answer(deployReport, { totalAdjustments: 0, status: "applied", skipped: [] });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await screen.findByText("No inventory adjustments needed - all counts match expected values!");
  });

  it("where all that differs was left out does not say that the counts match, and lists it with the reason", async () => {
    const sent = reportServer().answer(deployReport, {
      totalAdjustments: 0,
      status: "applied",
      skipped: [{ sku: "LIN-M", reason: "UNTRACKED" }],
    });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await screen.findByText("Nothing was deployed: what differs was left out. The reasons are below.");
    const left = within(screen.getByText("Not Deployed (1)").parentElement ?? document.body);
    expect(left.getByRole("listitem", { hidden: true }).textContent.trim()).toBe(
      "Inventory not tracked in Shopify: LIN-M",
    );
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
    await wholeReport();
    const button = await screen.findByRole("button", { name: "Deployed (Rollback to Re-enable)" });
    expect(button).toHaveProperty("disabled", true);
    for (const adjust of screen.getAllByRole("button", { name: /Adjust Count/ })) {
      expect(adjust).toHaveProperty("disabled", true);
    }
  });

  it("while a deploy is under way the button shows Deploying... [spec:2.reports.6]", async () => {
    reportServer({ deployed: true }, [adjustment({ status: "pending" })]);
    openPage(address);
    const button = await screen.findByRole("button", { name: "Deploying..." });
    expect(button).toHaveProperty("disabled", true);
  });

  it("whoever requested it, and after a reload, the page shows how many chunks are done", async () => {
    const running = { status: "pending", progress: { done: 3, of: 61 } } as const;
    reportServer({ deployed: true }, [adjustment(running)]);
    openPage(address);
    await wholeReport();
    const actions = within(await screen.findByRole("region", { name: "Report Actions" }));
    await actions.findByText("Deploying... 3 of 61 chunks done");
    const table = within(await screen.findByRole("table", { name: "Adjustment History" }));
    table.getByText("Deploying... 3 of 61 chunks done");
  });

  it("the dialog shows the progress while the call is open", async () => {
    const server = reportServer();
    const deploying = server.answerLater(deployReport, {
      totalAdjustments: 2,
      status: "applied",
      skipped: [],
    });
    const dialog = await openDeploy();
    server.answer(listAdjustments, {
      adjustments: [adjustment({ status: "pending", progress: { done: 1, of: 2 } })],
    });
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await dialog.findByText("Deploying... 1 of 2 chunks done");
    deploying.release();
  });
});
