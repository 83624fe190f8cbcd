import { deployReport, readOperation } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { it } from "vitest";
import { openDeploy } from "../testing/open-deploy.ts";
import { reportServer } from "../testing/report-server.ts";

const ended = {
  ...({ _id: "long", kind: "deploy", status: "done" } as const),
  ...{ done: 1, of: 1, storeId: null, sessionId: "session-1", error: null },
};

it.each([
  [{ status: "pending" }, "The deploy has ended. See Adjustment History for the result."],
  [
    { status: "partial" },
    /^2 inventory adjustments were sent to Shopify\. Adjustment History lists what did not move/,
  ],
] as const)("says no more than it knows of one whose answer is %o", async (told, text) => {
  const server = reportServer();
  server.answer(deployReport, { totalAdjustments: 2, skipped: [], ...told, operation: { _id: "long" } });
  server.answer(readOperation, { operation: ended });
  const dialog = await openDeploy();
  await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
  await screen.findByText(text);
});
