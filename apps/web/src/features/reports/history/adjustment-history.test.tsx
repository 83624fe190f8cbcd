import {
  type AdjustmentRow,
  deployReport,
  leaveRows,
  listAdjustmentRows,
  listAdjustments,
  resumeAdjustment,
  rollbackReport,
  settleRow,
  varianceReport,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment, reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../../testing/press.ts";
import { address, report, reportServer } from "../testing/report-server.ts";

function openRow(changes: Partial<AdjustmentRow> = {}): AdjustmentRow {
  const row = { adjustmentId: "adjustment-1", sku: "LIN-M", delta: -2, note: null };
  return { ...row, state: "not_moved", direction: "deploy", ...changes };
}

async function findHistory() {
  return within(await screen.findByRole("table", { name: "Adjustment History" }));
}

describe("the adjustment history", () => {
  it("offers a rollback only for applied entries that were not rolled back [spec:2.reports.24]", async () => {
    const sent = reportServer({ deployed: true }, [
      adjustment(),
      adjustment({ _id: "2", rolledBackAt: "2026-03-02T09:00:00.000Z", appliedBy: null }),
      adjustment({ _id: "3", status: "failed", note: "Shopify did not respond." }),
      adjustment({ _id: "4", status: "partial" }),
    ]).answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Adjustment History" }));
    table.getByText("Rolled Back");
    table.getByText("System");
    table.getByText("Shopify did not respond.");
    await userEvent.click(table.getByRole("button", { name: "Rollback" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Roll back?" }));
    dialog.getByText(/This reverses all inventory changes/);
    await pressOnceEnabled(dialog.getByRole("button", { name: "Rollback" }));
    await screen.findByText("2 inventory adjustments were rolled back.");
    expect(sent).toHaveLength(1);
  });

  it("an incomplete deploy is named at the top of the report, from where one press leads to it", async () => {
    const entries = [adjustment({ status: "partial", resumable: 3 })];
    reportServer({ deployed: true }, entries);
    openPage(address);
    await screen.findByText("The deploy is not complete");
    screen.getByText("3 SKUs were not updated. Resume the deploy, or leave them as they are.");
    await userEvent.click(screen.getByRole("button", { name: "Go to Adjustment History" }));
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Adjustment History" })),
    );
  });

  it("what a deploy skipped is named until that deploy is rolled back", async () => {
    const server = reportServer();
    server.answer(deployReport, {
      totalAdjustments: 2,
      status: "applied",
      skipped: [{ sku: "GIFT", reason: "UNTRACKED" }],
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Deploy to Shopify" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
    await dialog.findByText("2 SKUs will change in Shopify.");
    server.answer(varianceReport, report({ deployed: true }));
    server.answer(listAdjustments, { adjustments: [adjustment()] });
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await screen.findByText("Not Deployed (1)");
    server.answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
    await userEvent.click(await screen.findByRole("button", { name: "Rollback" }));
    const question = within(await screen.findByRole("dialog", { name: "Roll back?" }));
    server.answer(varianceReport, report());
    await pressOnceEnabled(question.getByRole("button", { name: "Rollback" }));
    await screen.findByText("2 inventory adjustments were rolled back.");
    expect(screen.queryByText("Not Deployed (1)")).toBeNull();
    expect(screen.queryByText("2 inventory adjustments were deployed to Shopify.")).toBeNull();
  });

  it("what the active deploy did not include is reached from its entry, with the reasons, after a reload too", async () => {
    const items = [
      reportItem({ sku: "LIN-S", variance: 3, deployed: 3 }),
      reportItem({ sku: "GIFT", variance: -1, skipReason: "UNTRACKED" }),
      reportItem({ sku: "LIN-M", variance: -2 }),
      reportItem({ sku: "LIN-L", variance: 0 }),
      reportItem({ sku: "LIN-XL", variance: 4 }),
      reportItem({ sku: "MUG", variance: -4 }),
    ];
    // Its stock was no longer tracked when it was deployed, which the report of the end does not know.
    const leftOut = [{ reason: "UNTRACKED", count: 1, skus: ["MUG"] }] as const;
    const earlier = adjustment({ _id: "2", rolledBackAt: "2026-03-02T07:00:00.000Z" });
    const server = reportServer({ deployed: true, items }, [
      adjustment({ status: "partial", leftOut: leftOut.map((each) => ({ ...each, skus: [...each.skus] })) }),
      earlier,
    ]);
    server.answer(listAdjustmentRows, { rows: [openRow()] });
    openPage(address);
    const [, newest, rolledBack] = (await findHistory()).getAllByRole("row");
    if (newest === undefined || rolledBack === undefined) throw new Error("The history has no two entries.");
    await userEvent.click(await within(newest).findByText("3 not deployed – see why"));
    expect(within(newest).getByText("MUG").closest("li")?.textContent).toMatch(/not tracked in Shopify/);
    expect(within(newest).getByText("GIFT").closest("li")?.textContent).toMatch(/not tracked in Shopify/);
    expect(within(newest).getByText("LIN-XL").closest("li")?.textContent).toMatch(/Nothing left to change/);
    expect(within(rolledBack).queryByText(/not deployed/)).toBeNull();
  });

  it("what a deploy did not include stays in the history after its rollback", async () => {
    const rolledBackAt = "2026-03-02T09:00:00.000Z";
    reportServer({}, [
      adjustment({
        rolledBackAt,
        leftOut: [
          { reason: "UNTRACKED", count: 1, skus: ["GIFT"] },
          { reason: "NOT_COUNTED", count: 23, skus: ["LIN-S", "LIN-M"] },
          { reason: "BUNDLE", count: 2, skus: [] },
        ],
      }),
      adjustment({ _id: "2", rolledBackAt, leftOut: [] }),
    ]);
    openPage(address);
    const [, newest, before] = (await findHistory()).getAllByRole("row");
    if (newest === undefined || before === undefined) throw new Error("The history has no two entries.");
    await userEvent.click(within(newest).getByText("26 not deployed – see why"));
    const reasons = within(newest)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
    expect(reasons).toEqual([
      "Inventory not tracked in Shopify: GIFT ",
      "Not counted: LIN-S, LIN-M and 21 more",
      "Bundle, stocked as its components:  2 SKUs",
    ]);
    expect(within(before).queryByText(/not deployed/)).toBeNull();
  });

  it("an unclear row is settled by a person", async () => {
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

describe("a rollback that could not move every SKU", () => {
  it("is named, resumed or settled SKU by SKU, and what is settled asks nothing more", async () => {
    const history = [adjustment({ status: "partial", partlyRolledBack: true, resumable: 1 })];
    const server = reportServer({ deployed: true }, history);
    const back = { direction: "rollback", note: "It no longer exists in Shopify." } as const;
    server.answer(listAdjustmentRows, {
      rows: [openRow(back), openRow({ ...back, sku: "LIN-S", settled: true })],
    });
    const resumed = server.answer(resumeAdjustment, { totalAdjustments: 0, status: "partial" });
    const settled = server.answer(settleRow, { adjustment: adjustment() });
    openPage(address);
    await screen.findByText("The rollback is not complete");
    await screen.findByText("2 not moved back – see why");
    expect(screen.queryByRole("button", { name: "Leave as They Are" })).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
    await screen.findByText("Nothing could be moved. See Adjustment History for the reason.");
    expect(resumed).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "Leave as It Is: LIN-S" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Leave as It Is: LIN-M" }));
    await waitFor(() => expect(settled[0]?.body).toEqual({ sku: "LIN-M", applied: false }));
  });

  it("does not say of what it moved back that it was not deployed", async () => {
    const history = [adjustment({ status: "partial", partlyRolledBack: true, resumable: 1 })];
    const items = [
      reportItem({ sku: "LIN-M", variance: -2, deployed: -2 }),
      reportItem({ sku: "LIN-S", variance: 3, deployed: 0 }),
      reportItem({ sku: "GIFT", variance: -1, skipReason: "UNTRACKED" }),
    ];
    const server = reportServer({ deployed: true, items }, history);
    server.answer(listAdjustmentRows, { rows: [openRow({ direction: "rollback" })] });
    openPage(address);
    await userEvent.click(await screen.findByText("1 not deployed – see why"));
    expect(
      within(screen.getByText("1 not deployed – see why").closest("details") ?? document.body).queryByText(
        "LIN-S",
      ),
    ).toBeNull();
  });

  it("says so when it ends, and how to go on", async () => {
    const server = reportServer({ deployed: true }, [adjustment()]);
    server.answer(rollbackReport, { totalAdjustments: 2, status: "partial" });
    openPage(address);
    await userEvent.click((await findHistory()).getByRole("button", { name: "Rollback" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Roll back?" }));
    await pressOnceEnabled(dialog.getByRole("button", { name: "Rollback" }));
    await screen.findByText(/^2 SKUs were moved back\. Adjustment History lists the rest/);
  });
});

describe("what did not move", () => {
  const partial = () => adjustment({ status: "partial", resumable: 3, note: "3 SKUs could not be moved." });
  const busy = "Its stock changed each time it was about to be adjusted.";

  it("is listed with its entry: which SKUs, and each reason once", async () => {
    const server = reportServer({ deployed: true }, [partial()]);
    server.answer(listAdjustmentRows, {
      rows: [
        openRow({ sku: "LIN-S", note: busy }),
        openRow({ sku: "LIN-M", note: busy }),
        openRow({ sku: "LIN-L", note: "Refused by Shopify: too low." }),
        openRow({ sku: "LIN-M", note: "It no longer exists in Shopify.", direction: "rollback" }),
      ],
    });
    openPage(address);
    const table = await findHistory();
    await table.findByText("3 not moved – see why");
    table.getByText("1 not moved back – see why");
    const reasons = table.getAllByRole("listitem", { hidden: true }).map((item) => item.textContent.trim());
    expect(reasons).toEqual([
      "Its stock changed each time it was about to be adjusted: LIN-S, LIN-M",
      "Refused by Shopify: too low: LIN-L",
      "It no longer exists in Shopify: LIN-M",
    ]);
  });

  it("in great numbers shows its beginning, and more on request", async () => {
    const rows = Array.from({ length: 30 }, (_nothing, index) => openRow({ sku: `S${index}`, note: busy }));
    reportServer({ deployed: true }, [partial()]).answer(listAdjustmentRows, { rows });
    openPage(address);
    const table = await findHistory();
    const more = await table.findByRole("button", { name: "Show 10 more", hidden: true });
    expect(table.queryByText(/S29/)).toBeNull();
    await userEvent.click(more);
    table.getByText(/S29/);
  });

  it("is sent again by Resume", async () => {
    const server = reportServer({ deployed: true }, [partial()]);
    const sent = server.answer(resumeAdjustment, { totalAdjustments: 3, status: "applied" });
    openPage(address);
    await userEvent.click((await findHistory()).getByRole("button", { name: "Resume" }));
    await screen.findByText("Resumed. See Adjustment History for the result.");
    expect(sent.map(({ path }) => path)).toEqual(["/api/report/adjustments/adjustment-1/resume"]);
  });

  it("that can't be resumed now shows why", async () => {
    const server = reportServer({ deployed: true }, [partial()]);
    server.refuse(resumeAdjustment, "PLATFORM_UNAVAILABLE", "Shopify does not answer.");
    openPage(address);
    await userEvent.click((await findHistory()).getByRole("button", { name: "Resume" }));
    await screen.findByText("Failed to resume: Shopify does not answer.");
  });

  it("is left as it is once that was asked for and confirmed", async () => {
    const server = reportServer({ deployed: true }, [partial()]);
    const sent = server.answer(leaveRows, { adjustment: adjustment() });
    openPage(address);
    await userEvent.click((await findHistory()).getByRole("button", { name: "Leave as They Are" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Leave as they are?" }));
    dialog.getByText(/leave the stock of 3 SKUs as it is in Shopify/);
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Leave as They Are" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toHaveLength(1);
  });

  it("of a deploy that failed whole is resumed by deploying again, as long as it is the newest", async () => {
    const failed = adjustment({ _id: "2", status: "failed", note: "Shopify did not respond." });
    const server = reportServer({}, [failed, adjustment({ _id: "1", status: "failed" })]);
    const sent = server.answer(deployReport, { totalAdjustments: 2, status: "applied", skipped: [] });
    openPage(address);
    await userEvent.click((await findHistory()).getByRole("button", { name: "Resume" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
    await dialog.findByText("2 SKUs will change in Shopify.");
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await screen.findByText("2 inventory adjustments were deployed to Shopify.");
    expect(sent).toHaveLength(1);
  });
});
