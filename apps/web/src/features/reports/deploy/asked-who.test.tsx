import { deployReport, giveProof, previewDeploy, rollbackReport } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { adjustment } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { pressOnceEnabled, secondPasses } from "../../../testing/press.ts";
import { openDeploy } from "../testing/open-deploy.ts";
import { address, deployPreview, reportServer, uncountedStock } from "../testing/report-server.ts";

const notDone = "Not done: you did not confirm that it is you.";
const askWho = ["REAUTHENTICATION_REQUIRED", "Confirm that it is you, and try again."] as const;
const theQuestion = async () => within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));

/** Nothing on the page says that the server is at work. */
function expectNothingUnderWay(): void {
  expect(screen.queryByText(/Deploying|Being deployed|Rolling back|This continues/i)).toBeNull();
}

it("while a deploy asks who sits there nothing says that it runs, and it runs once that was shown", async () => {
  const server = reportServer();
  server.refuse(deployReport, ...askWho);
  const dialog = await openDeploy();
  await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
  const question = await theQuestion();
  expectNothingUnderWay();
  dialog.getByText("2 SKUs will change in Shopify.");
  server.answer(giveProof, { provedUntil: "2026-03-01T08:10:00.000Z" });
  const deploying = server.answerLater(deployReport, {
    totalAdjustments: 2,
    status: "applied",
    skipped: [],
  });
  await userEvent.type(question.getByLabelText("Password"), "the password");
  await userEvent.click(question.getByRole("button", { name: "Confirm" }));
  await dialog.findByRole("button", { name: "Deploying..." });
  dialog.getByText("This continues if you leave the page.");
  deploying.release();
  await screen.findByText("2 inventory adjustments were deployed to Shopify.");
});

it("a question that is not answered is no failure of the deploy, and is forgotten by the next dialog", async () => {
  const server = reportServer();
  const uncounted = uncountedStock({ items: 1, units: 4, cost: 40 });
  server.answer(previewDeploy, deployPreview({ totalAdjustments: 2, uncounted }));
  server.refuse(deployReport, ...askWho);
  const dialog = await openDeploy();
  await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
  await userEvent.click((await theQuestion()).getByRole("button", { name: "Cancel" }));
  await dialog.findByText(notDone);
  expect(screen.queryByRole("alert")).toBeNull();
  expectNothingUnderWay();
  // What would change is read again by now.
  await userEvent.click(await dialog.findByRole("checkbox", { name: /Also set uncounted products to zero/ }));
  secondPasses();
  await pressOnceEnabled(dialog.getByRole("button", { name: "Deploy to Shopify" }));
  const zeroing = within(await screen.findByRole("dialog", { name: "Set uncounted products to zero?" }));
  expect(zeroing.queryByText(notDone)).toBeNull();
  await userEvent.click(zeroing.getByRole("button", { name: "Set to Zero and Deploy" }));
  await userEvent.click((await theQuestion()).getByRole("button", { name: "Cancel" }));
  await zeroing.findByText(notDone);
});

it("a rollback asks in the same way", async () => {
  const server = reportServer({ deployed: true }, [adjustment()]);
  server.refuse(rollbackReport, ...askWho);
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Rollback" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Roll/ }));
  await userEvent.click(await dialog.findByRole("button", { name: /^Roll/ }));
  const question = await theQuestion();
  expectNothingUnderWay();
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  await dialog.findByText(notDone);
  expect(screen.queryByRole("alert")).toBeNull();
});
