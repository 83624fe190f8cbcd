import { type CountDifference, countDifferences, listCoveredAreas } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { session } from "../../testing/examples.ts";
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

it("areas that are not counted on purpose are told apart from those that nobody closed, with the location where codes are used twice", async () => {
  const area = (_id: string, code: string) => ({ _id, code, name: code, status: "not_started" as const });
  const [open, left, twin] = [area("one", "A1"), area("two", "A2"), area("three", "A1")];
  const covered = (of: typeof open, locationName: string, state: "void" | "not_counted") => ({
    area: { _id: of._id, code: of.code, name: of.name, locationName },
    ...{ state, counted: false, cutOff: false, said: [] },
  });
  reportServer({ session: session({ openAreas: [left, open, twin] }) }).answer(listCoveredAreas, {
    areas: [
      covered(open, "Sales Floor", "not_counted"),
      covered(left, "Sales Floor", "void"),
      covered(twin, "Stockroom", "not_counted"),
    ],
    ...{ next: null, total: 3 },
  });
  openPage(address);
  await screen.findByText(
    "2 areas were never closed: A1 (Sales Floor), A1 (Stockroom); 1 area was not counted on purpose: A2",
  );
});
