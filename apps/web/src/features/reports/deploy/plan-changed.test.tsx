import { deployReport, previewDeploy, varianceReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openDeploy } from "../testing/open-deploy.ts";
import { deployPreview, report, reportServer, uncountedStock } from "../testing/report-server.ts";

const moving = (above: number, below: number) => ({ above, below, cost: 0, withoutCost: 0 });
const shown = deployPreview({ plan: "as shown", totalAdjustments: 3, moving: moving(39, -703) });
const now = deployPreview({ plan: "as it is now", totalAdjustments: 4, moving: moving(39, -706) });
const answer = { totalAdjustments: 4, status: "applied" as const, skipped: [] };
const refusal = "What this deploy would move has changed since it was shown. Nothing was moved.";

const press = (dialog: Awaited<ReturnType<typeof openDeploy>>) =>
  userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));

/** The refusal came in less time than the second tap of a double tap, which is taken for one. */
const pressAgain = (press: () => Promise<void>, sent: readonly unknown[]) =>
  waitFor(async () => {
    if (sent.length === 0) await press();
    expect(sent).toHaveLength(1);
  });

describe("what is deployed", () => {
  it("is the plan of the preview that is on screen, also where it moves nothing", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ plan: "nothing moves", totalAdjustments: 0 }));
    const sent = server.answer(deployReport, { ...answer, totalAdjustments: 0 });
    await press(await openDeploy());
    await waitFor(() => expect(sent[0]?.body).toEqual({ plan: "nothing moves" }));
  });

  it("is told with the units of that preview, whatever the report of before says", async () => {
    const server = reportServer();
    server.answer(varianceReport, report({ items: [1, 2, 3].map((n) => reportItem({ sku: `S${n}` })) }));
    server.answer(previewDeploy, shown);
    (await openDeploy()).getByText("That is +39 and -703 units, $0.00 at cost.");
  });

  it("is read anew where it has changed since: nothing is sent before the new figures are shown and confirmed", async () => {
    const server = reportServer();
    server.answer(previewDeploy, shown);
    const refused = server.refuse(deployReport, "PLAN_CHANGED", refusal);
    const dialog = await openDeploy();
    dialog.getByText("3 SKUs will change in Shopify.");
    const reading = server.answerLater(previewDeploy, now);
    await press(dialog);
    await dialog.findByText(/^Working out what would change/);
    const confirm = dialog.getByRole("button", { name: "Deploy to Shopify" });
    expect(confirm).toHaveProperty("disabled", true);
    expect(dialog.queryByText("3 SKUs will change in Shopify.")).toBeNull();
    reading.release();
    await dialog.findByText("4 SKUs will change in Shopify.");
    dialog.getByText("That is +39 and -706 units, $0.00 at cost.");
    dialog.getByText(`Failed to deploy to Shopify: ${refusal}`);
    expect(refused.map(({ body }) => body)).toEqual([{ plan: "as shown" }]);
    const sent = server.answer(deployReport, answer);
    await pressAgain(() => press(dialog), sent);
    expect(sent[0]?.body).toEqual({ plan: "as it is now" });
  });

  it("can't be confirmed where what would move now could not be read", async () => {
    const server = reportServer();
    server.answer(previewDeploy, shown);
    server.refuse(deployReport, "PLAN_CHANGED", refusal);
    const dialog = await openDeploy();
    server.refuse(previewDeploy, "SESSION_ENDING", "Another session is being ended.");
    await press(dialog);
    await dialog.findByText("Failed to work out what would change: Another session is being ended.");
    expect(dialog.getByRole("button", { name: "Deploy to Shopify" })).toHaveProperty("disabled", true);
    server.answer(previewDeploy, now);
    await userEvent.click(dialog.getByRole("button", { name: "Try Again" }));
    await dialog.findByText("4 SKUs will change in Shopify.");
    expect(dialog.getByRole("button", { name: "Deploy to Shopify" })).toHaveProperty("disabled", false);
  });
});

describe("what nobody counted", () => {
  const much = uncountedStock({ items: 60, units: 120, cost: 4000, confirmUnits: 120 });
  const typeUnits = (dialog: Awaited<ReturnType<typeof openDeploy>>, units: string) =>
    userEvent.type(dialog.getByRole("textbox", { name: "Type the number of units to confirm" }), units);

  it("is confirmed by its number once more where what would move has changed", async () => {
    const server = reportServer();
    const always = { zeroed: "always", uncounted: much } as const;
    server.answer(previewDeploy, deployPreview({ plan: "as shown", ...always }));
    server.refuse(deployReport, "PLAN_CHANGED", refusal);
    const dialog = await openDeploy();
    await typeUnits(dialog, "120");
    server.answer(previewDeploy, deployPreview({ plan: "as it is now", totalAdjustments: 3, ...always }));
    const confirm = dialog.getByRole("button", { name: "Set to Zero and Deploy" });
    await userEvent.click(confirm);
    await dialog.findByText("3 SKUs will change in Shopify.");
    expect([dialog.getByRole("textbox"), confirm]).toMatchObject([{ value: "" }, { disabled: true }]);
    const sent = server.answer(deployReport, answer);
    await typeUnits(dialog, "120");
    await pressAgain(() => userEvent.click(confirm), sent);
    expect(sent[0]?.body).toEqual({ plan: "as it is now", confirmUnits: 120 });
  });

  it("is asked about twice again where it was chosen", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ plan: "as shown", uncounted: much }));
    server.refuse(deployReport, "PLAN_CHANGED", refusal);
    const first = await openDeploy();
    await userEvent.click(first.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    await press(first);
    const second = within(await screen.findByRole("dialog", { name: /Set uncounted products to zero/ }));
    await typeUnits(second, "120");
    const less = { ...much, items: 59, units: 118, confirmUnits: 118 };
    server.answer(previewDeploy, deployPreview({ plan: "as it is now", uncounted: less }));
    await userEvent.click(second.getByRole("button", { name: "Set to Zero and Deploy" }));
    const again = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
    await again.findByText("61 SKUs will change in Shopify.");
    again.getByText(`Failed to deploy to Shopify: ${refusal}`);
  });
});
