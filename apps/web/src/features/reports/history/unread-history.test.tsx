import { listAdjustments } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { adjustment } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";

it("a report is not said to have no deploys before they are known", async () => {
  const { release } = reportServer({}).answerLater(listAdjustments, { adjustments: [adjustment()] });
  openPage(address);
  await screen.findByRole("button", { name: "Adjustment History (–)" });
  expect(screen.queryByRole("button", { name: "Adjustment History (0)" })).toBeNull();
  release();
  await screen.findByRole("button", { name: "Adjustment History (1)" });
});

it("a report is not said to have no deploys where they can't be read", async () => {
  reportServer({}).refuse(listAdjustments, "OVERLOADED", "The server is busy.");
  openPage(address);
  await screen.findByText("The server is busy.");
  screen.getByRole("button", { name: "Adjustment History (–)" });
});
