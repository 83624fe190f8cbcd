import { type CallAnswer, deployReport, listAdjustments, varianceReport } from "@stocktake/contract";
import type { QueryClient } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { adjustment } from "../../../testing/examples.ts";
import type { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, report, reportServer } from "../testing/report-server.ts";

const skipped = [{ sku: "GIFT", reason: "UNTRACKED" } as const];

/** Deploys here, with this answer and this history after it, and shows what was left out. */
async function deploy(
  server: FakeServer,
  totalAdjustments: number,
  adjustments: CallAnswer<typeof listAdjustments>["adjustments"],
): Promise<QueryClient> {
  server.answer(deployReport, { totalAdjustments, status: "applied", skipped });
  const { client } = openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Deploy to Shopify" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
  await dialog.findByText("2 SKUs will change in Shopify.");
  server.answer(listAdjustments, { adjustments });
  server.answer(varianceReport, report({ deployed: adjustments.length > 0 }));
  await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
  await screen.findByText("Not Deployed (1)");
  return client;
}

/** What another tab has done is heard of here. */
async function hear(client: QueryClient): Promise<void> {
  await act(async () => {
    await client.invalidateQueries({ queryKey: [queryRoots.report] });
    await client.invalidateQueries({ queryKey: [queryRoots.adjustments] });
  });
}

const rolledBackAt = "2026-03-02T09:00:00.000Z";
const again = adjustment({ _id: "again" });

it.each([
  ["rolled back and deployed again elsewhere", 2, [adjustment()], [again, adjustment({ rolledBackAt })]],
  ["deployed elsewhere, after it had moved nothing here", 0, [], [again]],
] as const)("what was left out is told no longer once the report is %s", async (_how, moved, own, since) => {
  const server = reportServer();
  const client = await deploy(server, moved, [...own]);
  server.answer(listAdjustments, { adjustments: [...since] });
  server.answer(varianceReport, report({ deployed: true }));
  await hear(client);
  await waitFor(() => expect(screen.queryByText("Not Deployed (1)")).toBeNull());
});

it("what was left out stays where the history is read again and is the same", async () => {
  const client = await deploy(reportServer(), 2, [adjustment()]);
  await hear(client);
  screen.getByText("Not Deployed (1)");
});
