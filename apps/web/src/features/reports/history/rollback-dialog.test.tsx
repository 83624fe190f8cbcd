import { previewRollback, rollbackReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer, rollbackPreview, rollbackRow } from "../testing/report-server.ts";

const deployedServer = () => reportServer({ deployed: true }, [adjustment()]);

async function ask() {
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Rollback" }));
  return within(await screen.findByRole("dialog", { name: "Roll back?" }));
}

type Dialog = Awaited<ReturnType<typeof ask>>;

const confirmOf = (dialog: Dialog) => dialog.getByRole("button", { name: "Rollback" });
const textsOf = (dialog: Dialog, role: string) =>
  dialog.getAllByRole(role).map((element) => element.textContent);

describe("before a rollback", () => {
  it("shows what has moved, and only then can it be confirmed", async () => {
    const looking = deployedServer().answerLater(previewRollback, rollbackPreview());
    const dialog = await ask();
    dialog.getByText("Checking Shopify's stock…");
    expect(confirmOf(dialog)).toHaveProperty("disabled", true);
    looking.release();
    await dialog.findByText(
      "Nothing has moved since the deploy. The rollback reverses its changes to 2 SKUs.",
    );
    expect(confirmOf(dialog)).toHaveProperty("disabled", false);
    dialog.getByText("Sales and deliveries since then are kept.");
  });

  it("every SKU that moved is named with its outcome, and those below zero are marked", async () => {
    deployedServer().answer(
      previewRollback,
      rollbackPreview({
        totalAdjustments: 9,
        checked: 9,
        moved: 2,
        negative: 1,
        cannotMove: 1,
        unknown: 1,
        affected: 4,
        rows: [
          rollbackRow({
            sku: "LIN-S",
            movedSince: -10,
            onHandNow: 2,
            afterRollback: 0,
            availableNow: 1,
            availableAfter: -1,
            wouldGoNegative: true,
          }),
          rollbackRow({
            sku: "GONE",
            cannotMove: "DELETED",
            onHandNow: null,
            afterRollback: null,
            availableNow: null,
            availableAfter: null,
            movedSince: null,
          }),
          rollbackRow({ sku: "WORD", movedSince: null }),
          rollbackRow({ sku: "LIN-L", delta: 3, movedSince: 5 }),
        ],
      }),
    );
    const dialog = await ask();
    await dialog.findByText(/^1 SKU: the rollback would remove more than is in stock/);
    dialog.getByText(/^1 SKU: Shopify can no longer change the stock/);
    dialog.getByText(/^1 SKU: it is not known how much/);
    dialog.getByText(/^2 SKUs: sold, received or otherwise changed. Those movements are kept/);
    expect(textsOf(dialog, "row").slice(1)).toEqual([
      "LIN-SLinen Shirt, MBelow zero-10-22 → 01 → -1",
      "GONELinen Shirt, MNot rolled backNo longer in Shopify–-2––",
      "WORDLinen Shirt, M–-212 → 1011 → 9",
      "LIN-LLinen Shirt, M+5+312 → 1011 → 9",
    ]);
    expect(dialog.queryByText(/Nothing has moved/)).toBeNull();
  });

  it("an incomplete preview shows how far it came, and can be repeated", async () => {
    const server = deployedServer();
    server.answer(previewRollback, rollbackPreview({ totalAdjustments: 9000, checked: 250 }));
    const dialog = await ask();
    await dialog.findByText(/only 250 of 9,000 SKUs were checked/);
    expect(dialog.queryByText(/Nothing has moved/)).toBeNull();
    server.answer(previewRollback, rollbackPreview());
    await userEvent.click(dialog.getByRole("button", { name: "Check Again" }));
    await dialog.findByText(/Nothing has moved/);
  });

  it("more SKUs than are listed are counted", async () => {
    const rows = Array.from({ length: 12 }, (_nothing, index) =>
      rollbackRow({ sku: `S${index}`, movedSince: -1 }),
    );
    deployedServer().answer(previewRollback, rollbackPreview({ moved: 700, affected: 700, rows }));
    const dialog = await ask();
    await dialog.findByText("The 12 most serious of 700 are listed.");
    expect(dialog.getAllByRole("row")).toHaveLength(11);
    await userEvent.click(dialog.getByRole("button", { name: "Show 2 more" }));
    expect(dialog.getAllByRole("row")).toHaveLength(13);
  });
});

describe("a preview that fails", () => {
  it("is reported and can be repeated; the rollback stays possible behind a warning", async () => {
    const server = deployedServer();
    server.refuse(previewRollback, "PLATFORM_UNAVAILABLE", "Shopify does not answer.");
    const sent = server.answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
    const dialog = await ask();
    await dialog.findByText("Failed to check Shopify's stock: Shopify does not answer.");
    dialog.getByText(/You can still roll back/);
    dialog.getByRole("button", { name: "Try Again" });
    await userEvent.click(confirmOf(dialog));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("because the report refuses it leaves nothing to confirm", async () => {
    deployedServer().refuse(previewRollback, "REPORT_SUPERSEDED", "A later session has counted LIN-M again.");
    const dialog = await ask();
    await dialog.findByText(/A later session has counted LIN-M again/);
    expect(dialog.queryByText(/You can still roll back/)).toBeNull();
    expect(confirmOf(dialog)).toHaveProperty("disabled", true);
  });
});

describe("a rollback under way", () => {
  it("shows how many chunks are done, whoever requested it", async () => {
    reportServer({ deployed: true }, [adjustment({ rollingBack: true, progress: { done: 2, of: 5 } })]);
    openPage(address);
    await screen.findByText("Rolling Back... 2 of 5 chunks done");
    expect(screen.getByRole("button", { name: "Rolling Back..." })).toHaveProperty("disabled", true);
    screen.getByRole("button", { name: "Cancel Rollback" });
  });
});

describe("a rollback of what was shown", () => {
  it("names the plan of the preview, and is confirmed anew where another deploy stands in its place by now", async () => {
    const server = deployedServer();
    server.answer(previewRollback, rollbackPreview({ plan: "as shown" }));
    const refused = server.refuse(
      rollbackReport,
      "PLAN_CHANGED",
      "What this rollback would move has changed.",
    );
    const dialog = await ask();
    await dialog.findByText(/its changes to 2 SKUs/);
    server.answer(previewRollback, rollbackPreview({ plan: "now", totalAdjustments: 3, checked: 3 }));
    await userEvent.click(confirmOf(dialog));
    await dialog.findByText(/its changes to 3 SKUs/);
    dialog.getByText(/What this rollback would move has changed/);
    const sent = server.answer(rollbackReport, { totalAdjustments: 3, status: "applied" });
    // The refusal came in less time than the second tap of a double tap, which is taken for one.
    await waitFor(async () => {
      if (sent.length === 0) await userEvent.click(confirmOf(dialog));
      expect(sent).toHaveLength(1);
    });
    expect([...refused, ...sent].map(({ body }) => body)).toEqual([{ plan: "as shown" }, { plan: "now" }]);
  });
});
