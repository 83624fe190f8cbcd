import { type CountDifference, countDifferences } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage } from "../../testing/open-page.tsx";
import { address, reportServer } from "./testing/report-server.ts";

const difference: CountDifference = {
  area: { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" },
  ...{ ofPass: 2, sku: "LIN-S", productTitle: "Linen Shirt", size: "S", first: 8, second: 7, third: 6 },
  ...{ settledAs: null, settledAt: null, settledBy: null, reason: null, thirdCountOpen: false },
};

function serveDifference(deployed: boolean) {
  reportServer({ deployed }).answer(countDifferences, {
    ...{ differences: [difference], open: 1, next: null, total: 1 },
  });
}

it("counts that differ are to be chosen from until the report is deployed", async () => {
  serveDifference(false);
  openPage(address);
  await screen.findByText("1 figure differs between the counts of an area");
  screen.getByText("The first count is in the report, and its row is uncertain until you choose one.");
  screen.getByRole("link", { name: "Choose" });
});

it("of a deployed report they are not, before it is rolled back", async () => {
  serveDifference(true);
  openPage(address);
  await screen.findByText("Nobody had chosen one when the report was deployed. Roll back first to choose.");
  expect(screen.queryByRole("link", { name: "Choose" })).toBeNull();
  screen.getByRole("link", { name: "Show the Counts" });
});
