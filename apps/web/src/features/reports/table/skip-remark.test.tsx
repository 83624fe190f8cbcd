import type { ReportItem } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";

async function showRow(changes: Partial<ReportItem>, deployed = false) {
  reportServer({ items: [reportItem({ sku: "LIN-S", variance: 3, ...changes })], deployed });
  openPage(address);
  return within(await screen.findByRole("table", { name: "Variance Report" }));
}

const leftAlone = { reason: "It hangs in the window", by: "admin", at: "2026-03-02T10:00:00.000Z" };

const remarks: readonly (readonly [string, Partial<ReportItem>, string])[] = [
  [
    "why a deploy leaves it out",
    { skipReason: "UNTRACKED", wouldMove: null },
    "Inventory not tracked in Shopify",
  ],
  [
    "with which reason it was left alone on purpose",
    { skipReason: "LEFT_ALONE", wouldMove: null, leftAlone },
    "Left alone on purpose: It hangs in the window",
  ],
  [
    "why it is left out where what was left alone was counted after all",
    { skipReason: "BUNDLE", wouldMove: null, leftAlone },
    "Bundle, stocked as its components",
  ],
  [
    "that nobody can tell what another session moved",
    { skipReason: "AMBIGUOUS_MOVEMENT", wouldMove: null, movedByOthers: null },
    "Another session moved its stock when it was counted, so nobody can tell whether the variance includes that",
  ],
];

it.each(remarks)("a row that is left out says %s", async (_what, changes, words) => {
  const table = await showRow(changes);
  table.getByText(`${words} – won't be deployed`);
});

it.each(remarks)(
  "once the report is deployed it says %s, and that it was not",
  async (_what, changes, words) => {
    const table = await showRow(changes, true);
    table.getByText(`${words} – not deployed`);
  },
);

it("a row of which less is moved says what another session has moved, and not that it is left out", async () => {
  const table = await showRow({ skipReason: null, movedByOthers: 2, wouldMove: 1 });
  table.getByText("Another session has moved it by +2 since");
  expect(table.queryByText(/be deployed/)).toBeNull();
});

it("once the report is deployed a row that another session had moved says why nothing was moved", async () => {
  const table = await showRow({ skipReason: null, movedByOthers: 3, wouldMove: null, deployed: 0 }, true);
  table.getByText("Another session has moved it by +3 since, and this report nothing");
});

it("a row that is deployed as it is says nothing of it", async () => {
  const table = await showRow({ skipReason: null, wouldMove: 3 });
  expect(table.queryByText(/deployed|session/)).toBeNull();
});
