import { explainRow } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { it } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

it("says once the report is deployed what other counts had moved of a row that it has not moved", async () => {
  const { deploy, item } = explanation();
  const server = reportServer({ deployed: true });
  server.answer(explainRow, {
    ...explanation(),
    item: { ...item, variance: 3 },
    deploy: { ...deploy, variance: { low: 3, high: 3 }, movedByOthers: 3, wouldMove: null },
  });
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 3?" }));
  const opened = within(await drawer.findByRole("region", { name: "What a deploy does" }));
  opened.getByText("The report is deployed. Nothing was moved for this row.");
  opened.getByText("Variance +3, less 0 already moved by this report and +3 moved by other counts.");
});
