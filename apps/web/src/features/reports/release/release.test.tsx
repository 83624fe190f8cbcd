import { type CallAnswer, previewRelease, releaseSession, varianceReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, report, reportServer } from "../testing/report-server.ts";

type Preview = CallAnswer<typeof previewRelease>;

const held = session({ restored: true });

function preview(changes: Partial<Preview> = {}): Preview {
  return {
    backupMadeAt: "2026-03-01T13:00:00.000Z",
    restoredAt: "2026-03-02T07:00:00.000Z",
    question: "deploy",
    total: 2,
    checked: 2,
    moved: 2,
    notMoved: 0,
    unknown: 0,
    uncounted: { total: 0, moved: 0 },
    verdict: "all",
    rows: [
      {
        sku: "LIN-M",
        productTitle: "Linen Shirt",
        size: "M",
        direction: "deploy",
        delta: -2,
        measure: "on_hand",
        before: 5,
        after: 3,
        now: 3,
        looks: "moved",
        uncounted: false,
      },
    ],
    movedSkus: ["LIN-M", "LIN-S"],
    readAt: "2026-03-02T08:00:00.000Z",
    ...changes,
  };
}

function heldServer(changes: Partial<Preview> = {}) {
  const server = reportServer({ session: held }, []);
  server.answer(previewRelease, preview(changes));
  return server;
}

async function ask() {
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Compare and Release" }));
  return within(await screen.findByRole("dialog", { name: "Release this session?" }));
}

const confirmOf = (dialog: Awaited<ReturnType<typeof ask>>) =>
  dialog.getByRole("button", { name: "Release" });

describe("a restored session", () => {
  it("can't be deployed or rolled back, and says why", async () => {
    reportServer({ session: held, deployed: true }, [adjustment()]);
    openPage(address);
    await screen.findByText("Restored from a backup");
    expect(await screen.findByRole("button", { name: "Rollback" })).toHaveProperty("disabled", true);
    expect(screen.getByRole("button", { name: /^Deployed/ })).toHaveProperty("disabled", true);
  });

  it("shows what looks moved row by row, and is released only by a choice", async () => {
    const server = heldServer();
    const sent = server.answer(releaseSession, { session: session({ restored: false }) });
    const dialog = await ask();
    await dialog.findByText("Looks deployed already");
    expect(dialog.getAllByRole("row").map((row) => row.textContent)).toEqual([
      "SKULooksChangeQuantityIf Not MovedIf MovedNow",
      "LIN-MLinen Shirt, MLooks moved-2On Hand533",
    ]);
    expect(confirmOf(dialog)).toHaveProperty("disabled", true);
    await userEvent.click(dialog.getByLabelText(/^Nothing/));
    dialog.getByText(/Deploy moves the same stock a second time/);
    await userEvent.click(dialog.getByLabelText("All 2 SKUs: record them as moved"));
    dialog.getByText(/counts as deployed and can be rolled back/);
    server.answer(varianceReport, report({ session: session({ restored: false }), deployed: true }));
    await userEvent.click(confirmOf(dialog));
    await screen.findByText(/Nothing was sent to Shopify/);
    expect(sent.map(({ body }) => body)).toEqual([{ alreadyMoved: "all", zeroUncounted: false }]);
    await waitFor(() => expect(screen.queryByText("Restored from a backup")).toBeNull());
  });

  it("of which some look moved offers to record just these", async () => {
    const server = heldServer({ verdict: "some", moved: 1, unknown: 1, movedSkus: ["LIN-M"] });
    const sent = server.answer(releaseSession, { session: session({ restored: false }) });
    const dialog = await ask();
    await userEvent.click(await dialog.findByLabelText("The SKU that looks moved: record it"));
    await userEvent.click(confirmOf(dialog));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ alreadyMoved: ["LIN-M"] }]));
  });

  it("with nothing in question is released at once", async () => {
    const server = heldServer({
      question: "nothing",
      total: 0,
      checked: 0,
      moved: 0,
      rows: [],
      movedSkus: [],
    });
    const sent = server.answer(releaseSession, { session: session({ restored: false }) });
    const dialog = await ask();
    await dialog.findByText(/nothing in this session that could have been deployed/);
    await userEvent.click(confirmOf(dialog));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{}]));
  });

  it("is not released where Shopify can't be read", async () => {
    const server = heldServer();
    server.refuse(previewRelease, "PLATFORM_UNAVAILABLE", "Shopify is not available just now.");
    const dialog = await ask();
    await dialog.findByText(/Shopify is not available just now/);
    expect(confirmOf(dialog)).toHaveProperty("disabled", true);
    server.answer(previewRelease, preview());
    await userEvent.click(dialog.getByRole("button", { name: "Try Again" }));
    await dialog.findByText("Looks deployed already");
  });
});
